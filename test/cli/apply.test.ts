import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createFileSession, type FileSession } from './fileSession.js';

/** Lets ada write files in her copy. */
const inCopy = (session: FileSession, files: Readonly<Record<string, string>>): Promise<string> =>
  session.turn(
    'ada',
    (folder) => {
      for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    },
    { isCopy: true },
  );

describe('huddle apply', () => {
  test('brings a turn over with the earlier work in its copy that it stands on', async () => {
    const session = await createFileSession({ 'a.txt': 'start\n' });
    await inCopy(session, { 'a.txt': 'wrong\n', 'b.txt': 'new\n' });
    await inCopy(session, { 'a.txt': 'right\n' });
    const { code, stdout } = await session.machine.run(['apply', '2', '--yes']);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: [
        'turn-1, turn-2 (ada) changed 2 files in its copy. Apply will, in this folder:',
        '  write  a.txt',
        '  write  b.txt',
        'Applied: turn-1, turn-2 (2 files). To undo: huddle undo apply-1',
        '',
      ].join('\n'),
    });
    expect([session.read('a.txt'), session.read('b.txt')]).toEqual(['right\n', 'new\n']);
    await inCopy(session, { 'a.txt': 'better\n' });
    expect((await session.machine.run(['apply', '3', '--yes'])).stdout).toContain(
      'turn-3 (ada) changed 1 file in its copy.',
    );
    expect(session.read('a.txt')).toBe('better\n');
  });

  test('leaves out what was undone in the copy, and brings over again what was undone in the folder', async () => {
    const session = await createFileSession({ 'a.txt': 'start\n' });
    await inCopy(session, { 'b.txt': 'new\n' });
    await inCopy(session, { 'a.txt': 'right\n' });
    expect((await session.machine.run(['undo', '1', '--yes'])).code).toBe(0);
    expect((await session.machine.run(['apply', '2', '--yes'])).stdout).toContain(
      'turn-2 (ada) changed 1 file',
    );
    expect(existsSync(join(session.folder, 'b.txt'))).toBe(false);
    await session.machine.run(['undo', 'apply-1', '--yes']);
    await inCopy(session, { 'c.txt': 'c\n' });
    expect((await session.machine.run(['apply', '3', '--yes'])).stdout).toContain(
      'turn-2, turn-3 (ada) changed 2 files',
    );
    expect(session.read('a.txt')).toBe('right\n');
  });
});
