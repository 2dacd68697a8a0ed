import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createMachine, program, root, scrub } from './runHuddle.js';
import {
  answering,
  databaseOf,
  expectRefusal,
  keepOne,
  machineWithTeam,
  outputOf,
} from './storedSessions.js';

describe('a store', () => {
  test('that a newer Huddle wrote is refused with 65 and left as it is', async () => {
    const machine = machineWithTeam();
    await keepOne(machine);
    const file = databaseOf(machine);
    const bytes = readFileSync(file);
    bytes.writeUInt32BE(99, 60); // PRAGMA user_version, see sqlite.org/fileformat.html
    writeFileSync(file, bytes);
    await expectRefusal(machine, ['sessions'], { exitCode: 65, golden: 'store-newer' });
    const { code } = await machine.run(['run', 'Go.', '--trust'], { env: answering });
    expect(code).toBe(65);
    expect(readFileSync(file)).toEqual(bytes);
  });

  test('that is damaged is refused with 65', async () => {
    const machine = machineWithTeam();
    mkdirSync(join(machine.folder, 'data'), { mode: 0o700 });
    writeFileSync(databaseOf(machine), 'not a database', { mode: 0o600 });
    await expectRefusal(machine, ['sessions'], { exitCode: 65, golden: 'store-damaged' });
  });

  test('with a damaged event shows what came before it, and ends with 65', async () => {
    const machine = machineWithTeam();
    await keepOne(machine);
    const file = databaseOf(machine);
    const bytes = readFileSync(file);
    bytes.write('Lost.', bytes.lastIndexOf('"content":"Done."') + '"content":"'.length);
    writeFileSync(file, bytes);
    const { code, stdout, stderr } = await machine.run(['show']);
    expect({ code, stdout }).toEqual({ code: 65, stdout: expect.stringMatching(/^kim:\nGo\./u) });
    expect(stdout).not.toContain('Lost.');
    await expect(scrub(stderr, machine)).toMatchFileSnapshot('golden/show-damaged.txt');
    for (const format of ['md', 'html']) {
      const exported = await machine.run(['export', '--format', format]);
      expect({ code: exported.code, stderr: scrub(exported.stderr, machine) }).toEqual({
        code: 65,
        stderr: expect.stringMatching(/^error\[STORE_DAMAGED\]: .*To save what can be read: huddle export/u),
      });
      expect(exported.stdout).toMatch(/Go\. \[NEXT: max, sarah\]/u);
    }
    expect((await machine.run(['export', '--format', 'jsonl', '--output', 'saved.jsonl'])).code).toBe(65);
    expect(await outputOf(machine, 'import', 'saved.jsonl', '--as', 'saved')).toBe('Imported: saved\n');
    expect(await outputOf(machine, 'show', 'saved')).toMatch(/^kim:\nGo\./u);
  });

  test.each([
    ['its folder', 'data'],
    ['the file', 'data/conversations.sqlite/in-the-way'],
  ])(
    'that cannot be written, because something is in the way of %s, is refused with 74',
    async (_title, path) => {
      const machine = createMachine();
      machine.install('claude');
      machine.write(`../${path}`, 'in the way');
      const { code, stdout, stderr } = await machine.run(['run', 'Go.'], { env: answering });
      expect({ code, stdout }).toEqual({ code: 74, stdout: '' });
      expect(scrub(stderr, machine)).toMatch(
        /^error\[STORE_WRITE\]: Cannot use <machine>\/data\/conversations.*in the way|it is a folder/mu,
      );
    },
  );

  test.each([
    ['with a message', ['run', 'Go.']],
    ['for one run', ['run', 'Go.', '--trust']],
    ['to trust', ['trust', '--yes']],
    ['to list', ['sessions']],
    ['to go on', ['-c']],
  ])('whose folder is a file is refused with 74, also beside a team file: %s', async (_title, args) => {
    const machine = machineWithTeam();
    writeFileSync(join(machine.folder, 'data'), 'in the way');
    const { code, stderr } = await machine.run(args, { env: answering });
    expect({ code, errors: scrub(stderr, machine).match(/^error.*$/gmu) }).toEqual({
      code: 74,
      errors: [
        expect.stringMatching(
          /<machine>\/data(\/conversations.sqlite: a file is in the way| cannot be used: )/u,
        ),
      ],
    });
  });

  test('that gets full during a turn ends the run with 74; the answer is printed, and the session can be read', async () => {
    const machine = machineWithTeam();
    // A file may have 100 KB: as on a full disk, the write fails. The answer has more.
    const command = `ulimit -f 200; exec node '${program}' run 'Go. [NEXT: max, sarah]' --trust`;
    const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', command], {
      cwd: machine.project,
      env: { ...machine.env, HOSTILE: 'long:300000' },
      encoding: 'utf8',
    });
    expect(status).toBe(74);
    expect(stdout).toMatch(/^max \(draft, not handed on\):\nlorem ipsum /mu);
    expect(stdout.length).toBeGreaterThan(300_000);
    expect(scrub(stderr, machine)).toMatch(/^error\[STORE_WRITE\]: Cannot use <machine>.* KB free\)/mu);
    expect(await outputOf(machine, 'show')).toBe('kim:\nGo. [NEXT: max, sarah]\n');
    expect(await outputOf(machine, 'resume')).toContain('turn-1 of max was running');
  });

  test.skipIf(process.getBuiltinModule('node:sqlite') !== undefined)(
    'that has no SQLite is refused with how to install it; --ephemeral still runs',
    async () => {
      const machine = machineWithTeam();
      const huddle = join(machine.folder, 'huddle');
      cpSync(join(root, 'dist'), join(huddle, 'dist'), { recursive: true });
      cpSync(join(root, 'package.json'), join(huddle, 'package.json'));
      mkdirSync(join(huddle, 'node_modules'));
      for (const name of ['commander', 'jsonc-parser', 'zod'])
        symlinkSync(join(root, 'node_modules', name), join(huddle, 'node_modules', name));
      const copy = join(huddle, 'dist', 'cli', 'huddle.cjs');
      const go = ['run', 'Go.', '--trust'];
      const refused = await machine.run(go, { env: answering, program: copy });
      expect({ code: refused.code, stdout: refused.stdout }).toEqual({ code: 1, stdout: '' });
      await expect(scrub(refused.stderr, machine)).toMatchFileSnapshot('golden/store-unavailable.txt');
      const { code, stdout } = await machine.run([...go, '--ephemeral'], { env: answering, program: copy });
      expect({ code, stdout }).toEqual({ code: 0, stdout: 'kim:\nGo.\n\nmax:\nDone.\n' });
      const examined = await machine.run(['doctor'], { program: copy });
      expect(examined.stdout).toContain('✗ Conversations cannot be kept: ');
    },
  );
});
