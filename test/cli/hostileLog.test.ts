import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createFileSession, type FileSession } from './fileSession.js';

/** Imports the session again as somebody made it up: with other words in its events. */
async function importWith(session: FileSession, change: (log: string) => string) {
  const { machine } = session;
  const file = join(machine.folder, 'session.jsonl');
  await machine.run(['export', '--format', 'jsonl', '--output', file]);
  writeFileSync(file, change(readFileSync(file, 'utf8')));
  return machine.run(['import', file, '--id', 'made-up']);
}

describe('a log that somebody made up', () => {
  test.each([
    ['leads out of the folder', '../victim.txt'],
    ['is that of the whole machine', '/victim.txt'],
    ['goes up in between', 'deep/../../victim.txt'],
    ['is in the repository', '.git/hooks/pre-commit'],
    ['is in the repository, as some file systems write it', '.GIT/config'],
    ['is empty', ''],
  ])('is not imported if the path of a change %s', async (_title, path) => {
    const session = await createFileSession({ 'a.txt': 'one\n' });
    await session.turn('ada', () => session.write({ 'new.txt': 'two\n' }));
    const { code, stderr } = await importWith(session, (log) =>
      log.replaceAll('"path":"new.txt"', `"path":${JSON.stringify(path)}`),
    );
    expect(stderr).toContain('error[INVALID_IMPORT]');
    expect(code).toBe(65);
  });

  test.each([
    ['another name', Buffer.from('a.txt')],
    ['one that leads out of the folder', Buffer.from([0x2e, 0x2e, 0x2f, 0xff])],
  ])('is not imported if the bytes of a name are %s than people are shown', async (_title, bytes) => {
    const session = await createFileSession({ 'a.txt': 'one\n' });
    await session.turn('ada', () => session.write({ 'new.txt': 'two\n' }));
    const { stderr } = await importWith(session, (log) =>
      log.replaceAll('"path":"new.txt"', `"path":"new.txt","bytes":"${bytes.toString('base64')}"`),
    );
    expect(stderr).toContain('error[INVALID_IMPORT]');
  });

  test.each(['../../../../victim', '--output=victim', '', 'ABCDEF'])(
    'is not imported if %j is to be the hash of a content',
    async (id) => {
      const session = await createFileSession({ 'a.txt': 'one\n' });
      await session.turn('ada', () => session.write({ 'new.txt': 'two\n' }));
      const { stderr } = await importWith(session, (log) =>
        log.replaceAll(/"id":"[0-9a-f]{40}"/gu, `"id":${JSON.stringify(id)}`),
      );
      expect(stderr).toContain('error[INVALID_IMPORT]');
    },
  );

  test('cannot choose the folder of a copy by the name of a member', async () => {
    const session = await createFileSession({ 'a.txt': 'one\n' });
    await session.turn('ada', (folder) => writeFileSync(join(folder, 'new.txt'), 'two\n'), { isCopy: true });
    const victim = join(session.machine.folder, 'victim');
    mkdirSync(victim);
    writeFileSync(join(victim, 'kept.txt'), 'kept\n');
    await importWith(session, (log) => log.replaceAll('"ada"', '"../../../victim"'));
    await session.machine.run(['undo', '1', '--session', 'made-up', '--yes']);
    expect(existsSync(join(victim, 'kept.txt'))).toBe(true);
    expect(existsSync(`${victim}.json`)).toBe(false);
  });
});
