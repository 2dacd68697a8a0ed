import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { GIT_ENVIRONMENT } from '../files/repository.js';
import { startsProgram } from '../tier.js';
import { createFileSession, type FileSession } from './fileSession.js';
import { hasTerminal, runInTerminal } from './pty.js';

const { PATH: _, HOME: __, ...identity } = GIT_ENVIRONMENT;

// Before its session is made, in vain.
beforeEach(startsProgram);

function commit(session: FileSession, ...args: string[]) {
  // git writes to the terminal of the process itself.
  return session.machine.run(['commit', ...args], { env: identity, cwd: session.folder, spawned: true });
}

/** Files of the last commit, and its message. */
function lastCommit(session: FileSession): { files: string[]; message: string } {
  const files = session.git('show', '--name-status', '--format=', '--no-renames', 'HEAD').trim().split('\n');
  return { files, message: session.git('log', '-1', '--format=%B').trim() };
}

describe('huddle commit', () => {
  test.each(['', 'packages/web'])(
    'commits the files of turns and nothing else, in "%s"',
    async (subfolder) => {
      const session = await createFileSession(
        { 'a.txt': 'one\n', 'b.txt': 'one\n', 'old.txt': 'old\n' },
        { subfolder },
      );
      await session.turn('ada', () => session.write({ 'a.txt': 'two\n', 'new [1].txt': 'new\n' }));
      await session.turn('max', () => {
        session.write({ 'a.txt': 'three\n', 'passing.txt': 'x' });
        rmSync(join(session.folder, 'old.txt'));
      });
      await session.turn('ada', () => rmSync(join(session.folder, 'passing.txt')));
      session.write({ 'b.txt': 'mine\n', 'mine.txt': 'mine\n' });
      session.git('add', 'b.txt');
      const { code, stdout } = await commit(session, '1..3', '-m', 'Limit uploads\n\nMore of it.');
      expect(code).toBe(0);
      expect(stdout).toContain('Limit uploads');
      const at = (name: string) => join(subfolder, name);
      expect(lastCommit(session)).toEqual({
        files: [`M\t${at('a.txt')}`, `A\t${at('new [1].txt')}`, `D\t${at('old.txt')}`],
        message: [
          'Limit uploads\n\nMore of it.\n',
          `Huddle-Session: ${session.id}`,
          'Huddle-Turn: 1 ada (claude-code, sonnet)',
          'Huddle-Turn: 2 max (codex)',
        ].join('\n'),
      });
      expect(session.git('status', '--porcelain', '.')).toBe(`M  ${at('b.txt')}\n?? ${at('mine.txt')}\n`);
    },
  );

  test('refuses files that were changed since, and commits the others', async () => {
    const session = await createFileSession({ 'a.txt': 'one\n', 'b.txt': 'one\n' });
    await session.turn('ada', () => session.write({ 'a.txt': 'two\n', 'b.txt': 'two\n' }));
    await session.turn('max', () => session.write({ 'a.txt': 'three\n' }));
    const head = session.git('rev-parse', 'HEAD');
    const refused = await commit(session, '1', '-m', 'x');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toBe(
      'error[FILES_CHANGED_SINCE]: 1 of 2 files was changed since turn-1; nothing was committed. ' +
        'Look: git diff · The others: huddle commit 1 -- b.txt\n  a.txt   by max in turn-2\n',
    );
    expect(session.git('rev-parse', 'HEAD')).toBe(head);
    expect((await commit(session, '1', '-m', 'x', '--', 'b.txt')).code).toBe(0);
    expect(lastCommit(session).files).toEqual(['M\tb.txt']);
    session.write({ 'a.txt': 'mine\n' });
    const mine = await commit(session, '2', '-m', 'x');
    expect(mine.stderr).toContain('  a.txt   between turns, by a person or a program');
  });

  test('advises no command for the others when they are too many to type', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `${index}.txt`);
    const files = (content: string) => Object.fromEntries(names.map((name) => [name, content]));
    const session = await createFileSession(files('one\n'));
    await session.turn('ada', () => session.write(files('two\n')));
    session.write({ '0.txt': 'mine\n' });
    const { code, stderr } = await commit(session, '1', '-m', 'x');
    expect(code).toBe(1);
    expect(stderr).toBe(
      'error[FILES_CHANGED_SINCE]: 1 of 30 files was changed since turn-1; nothing was committed. ' +
        'Look: git diff\n  0.txt   between turns, by a person or a program\n',
    );
  });

  test.each(['', 'packages/web'])('says when all of it is committed already, in "%s"', async (subfolder) => {
    const session = await createFileSession({ 'a.txt': 'one\n', 'old.txt': 'old\n' }, { subfolder });
    await session.turn('ada', () => {
      session.write({ 'a.txt': 'two\n', 'new.txt': 'new\n' });
      rmSync(join(session.folder, 'old.txt'));
    });
    expect((await commit(session, '1', '-m', 'x')).code).toBe(0);
    session.write({ 'mine.txt': 'mine\n' });
    expect(await commit(session, '1', '-m', 'again')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'Nothing to commit: the changes of turn-1 are committed already.\n',
    });
    expect(lastCommit(session).message).toContain('x\n');
  });

  test('leaves out what is undone', async () => {
    const session = await createFileSession({ 'a.txt': 'one\n', 'b.txt': 'one\n' });
    await session.turn('ada', () => session.write({ 'a.txt': 'two\n', 'b.txt': 'two\n' }));
    await session.machine.run(['undo', '1', '--yes', '--', 'b.txt']);
    expect((await commit(session, '-m', 'x')).code).toBe(0);
    expect(lastCommit(session).files).toEqual(['M\ta.txt']);
  });

  test('runs the hooks of the user; when one refuses, everything is as before', async () => {
    const session = await createFileSession();
    await session.turn('ada', () => session.write({ 'new.txt': 'new\n' }));
    const hook = join(session.folder, '.git/hooks/pre-commit');
    writeFileSync(hook, '#!/bin/sh\necho "not today" >&2\nexit 3\n');
    chmodSync(hook, 0o755);
    const { code, stderr } = await commit(session, '-m', 'x');
    expect(code).toBe(1);
    expect(stderr).toContain('not today');
    expect(session.git('status', '--porcelain')).toBe('?? new.txt\n');
  });

  test.runIf(hasTerminal)('opens the editor of the user with a subject', async () => {
    const session = await createFileSession();
    await session.turn('ada', () => session.write({ 'a.txt': 'two\n' }));
    const editor = join(session.machine.folder, 'editor');
    writeFileSync(
      editor,
      `#!/bin/sh\n/bin/cp "$1" '${editor}.seen'\nprintf 'Better\\n' | /bin/cat - '${editor}.seen' > "$1"\n`,
    );
    chmodSync(editor, 0o755);
    const env = { ...identity, GIT_EDITOR: editor };
    expect(await runInTerminal(session.machine, { args: ['commit'], env })).toMatchObject({ code: 0 });
    const { message } = lastCommit(session);
    expect(message).toMatch(/^Better\nLimit the size of uploads\.\n\nHuddle-Session: /u);
  });

  test('needs a message without a terminal, and a repository', async () => {
    const session = await createFileSession();
    await session.turn('ada', () => session.write({ 'a.txt': 'two\n' }));
    expect(await commit(session)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Can't open an editor here (no terminal). Add -m with a message."),
    });
    expect(await commit(session, '99')).toMatchObject({ stderr: expect.stringContaining('No change "99"') });
    const plain = await createFileSession({ 'a.txt': 'one\n' }, { hasGit: false });
    await plain.turn('ada', () => plain.write({ 'a.txt': 'two\n' }));
    const { code, stderr } = await commit(plain, '-m', 'x');
    expect(code).toBe(128);
    expect(stderr).toContain('not a git repository');
  });
});
