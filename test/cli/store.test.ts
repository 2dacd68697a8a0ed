import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { program, root, scrub } from './runHuddle.js';
import { answering, databaseOf, keepOne, machineWithTeam, outputOf } from './storedSessions.js';

describe('a store', () => {
  test('that a newer Huddle wrote is refused with 65 and left as it is', async () => {
    const machine = machineWithTeam();
    await keepOne(machine);
    const file = databaseOf(machine);
    const bytes = readFileSync(file);
    bytes.writeUInt32BE(99, 60); // PRAGMA user_version, see sqlite.org/fileformat.html
    writeFileSync(file, bytes);
    const { code } = await machine.run(['run', 'Go.', '--trust'], { env: answering });
    expect(code).toBe(65);
    expect(readFileSync(file)).toEqual(bytes);
  });

  test.each([
    ['Hudl', 1],
    ['Hudl', 5],
    ['Hddl', 1],
  ])(
    'that a Huddle from before the first release wrote, as %s %i, is refused with 65 and left as it is',
    async (applicationId, version) => {
      const machine = machineWithTeam();
      await keepOne(machine);
      const file = databaseOf(machine);
      const bytes = readFileSync(file);
      bytes.writeUInt32BE(version, 60);
      bytes.write(applicationId, 68); // PRAGMA application_id
      writeFileSync(file, bytes);
      const { code, stderr } = await machine.run(['sessions']);
      expect({ code, stderr: scrub(stderr, machine) }).toEqual({
        code: 65,
        stderr:
          'error[STORE_OLDER]: <machine>/data/conversations.sqlite is from before the first release of Huddle; this one cannot read it. ' +
          'Nothing was changed. Move it away to start with an empty one.\n',
      });
      expect(readFileSync(file)).toEqual(bytes);
    },
  );

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
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^max \(draft, not delivered\):\n {2}lorem ipsum /mu);
    expect(stderr.length).toBeGreaterThan(300_000);
    expect(scrub(stderr, machine)).toMatch(/^error\[STORE_WRITE\]: Cannot use <machine>.* KB free\)/mu);
    expect(await outputOf(machine, 'show')).toBe('#1 kim:\n  Go. [NEXT: max, sarah]\n');
    expect(await outputOf(machine, 'resume')).toContain("max's turn-1 was interrupted");
  });

  test.skipIf(process.getBuiltinModule('node:sqlite') !== undefined)(
    'that has no SQLite is refused with how to install it; --ephemeral still runs',
    async () => {
      const machine = machineWithTeam();
      const huddle = join(machine.folder, 'huddle');
      cpSync(join(root, 'dist'), join(huddle, 'dist'), { recursive: true });
      cpSync(join(root, 'package.json'), join(huddle, 'package.json'));
      mkdirSync(join(huddle, 'node_modules'));
      for (const name of ['jsonc-parser', 'zod'])
        symlinkSync(join(root, 'node_modules', name), join(huddle, 'node_modules', name));
      const copy = join(huddle, 'dist', 'cli', 'huddle.js');
      const go = ['run', 'Go.', '--trust'];
      const refused = await machine.run(go, { env: answering, program: copy });
      expect({ code: refused.code, stdout: refused.stdout }).toEqual({ code: 1, stdout: '' });
      expect(scrub(refused.stderr, machine)).toBe(
        'Trusted for this run only: <machine>/project\n' +
          'error[STORE_UNAVAILABLE]: Sessions cannot be saved: this Node has no SQLite and @photostructure/sqlite is not installed. ' +
          'Run `npm install @photostructure/sqlite`, use Node 22.13 or newer, or continue in memory. To run without saving: huddle run --ephemeral "your message"\n',
      );
      const { code, stdout } = await machine.run([...go, '--ephemeral'], { env: answering, program: copy });
      expect({ code, stdout }).toEqual({ code: 0, stdout: 'Done.\n' });
      const examined = await machine.run(['doctor'], { program: copy });
      expect(examined.stdout).toContain('✗ Sessions cannot be saved: ');
    },
  );
});
