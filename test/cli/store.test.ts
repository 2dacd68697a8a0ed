import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createMachine, root, scrub } from './runHuddle.js';
import { answering, databaseOf, expectRefusal, keepOne, machineWithTeam } from './storedSessions.js';

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
        /^error\[STORE_WRITE\]: Cannot write <machine>\/data\/conversations/mu,
      );
    },
  );

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
      const program = join(huddle, 'dist', 'cli', 'huddle.cjs');
      const go = ['run', 'Go.', '--trust'];
      const refused = await machine.run(go, { env: answering, program });
      expect({ code: refused.code, stdout: refused.stdout }).toEqual({ code: 1, stdout: '' });
      await expect(scrub(refused.stderr, machine)).toMatchFileSnapshot('golden/store-unavailable.txt');
      const { code, stdout } = await machine.run([...go, '--ephemeral'], { env: answering, program });
      expect({ code, stdout }).toEqual({ code: 0, stdout: 'kim:\nGo.\n\nmax:\nDone.\n' });
    },
  );
});
