import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runTestGit } from '../files/repository.js';
import { createFileSession } from './fileSession.js';

const TEXT = Array.from({ length: 12 }, (_, line) => `line ${line}\n`).join('');

describe('huddle diff', () => {
  test('prints what a turn changed, and nothing else', async () => {
    const session = await createFileSession({ 'a.txt': TEXT, 'old.txt': 'old\n' });
    await session.turn('ada', (folder) => {
      writeFileSync(join(folder, 'a.txt'), `${TEXT}more\n`);
      writeFileSync(join(folder, 'new 小明.txt'), 'new\n');
      rmSync(join(folder, 'old.txt'));
    });
    writeFileSync(join(session.folder, 'mine.txt'), 'mine\n');
    const { code, stdout, stderr } = await session.machine.run(['diff']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.match(/^diff --git .*$/gmu)).toHaveLength(3);
    expect(stdout).toContain('+more\n');
    expect(stdout).not.toContain('mine');
    expect((await session.machine.run(['diff', '1', '--names'])).stdout).toBe(
      'a.txt\nnew 小明.txt\nold.txt\n',
    );
    expect((await session.machine.run(['diff', 'turn-1', '--stat'])).stdout).toBe(
      ' a.txt        | 1 +\n new 小明.txt | 1 +\n old.txt      | 1 -\n 3 files changed, 2 insertions(+), 1 deletion(-)\n',
    );
    const json = JSON.parse((await session.machine.run(['diff', '--json', '--', 'a.txt'])).stdout);
    expect(json).toMatchObject({
      conversationId: session.id,
      what: 'turn-1',
      units: ['turn-1'],
      isCut: false,
    });
    expect(json.files).toEqual([expect.objectContaining({ path: 'a.txt', added: 1, removed: 0 })]);
    expect(json.patch.match(/^diff --git .*$/gmu)).toEqual(['diff --git a/a.txt b/a.txt']);
  });

  test.each(['', 'packages/web ui'])('is taken back by git apply -R in "%s"', async (subfolder) => {
    const session = await createFileSession(
      { 'a.txt': TEXT, 'src/b.txt': TEXT, 'bin.dat': 'x\0y' },
      { subfolder },
    );
    await session.turn('ada', (folder) => {
      writeFileSync(join(folder, 'a.txt'), `first\n${TEXT}`);
      writeFileSync(join(folder, 'bin.dat'), 'x\0z');
    });
    await session.turn('max', (folder) => {
      appendFileSync(join(folder, 'a.txt'), 'last\n');
      rmSync(join(folder, 'src/b.txt'));
      writeFileSync(join(folder, 'src/c "d".txt'), TEXT);
    });
    for (const what of ['2', '1..2', 'new', 'all', '1..']) {
      const { stdout, stderr } = await session.machine.run(['diff', what], { cwd: session.folder });
      expect(stderr).toBe('');
      runTestGit(session.folder, ['apply', '-R'], stdout);
      const status = session.git('status', '--porcelain');
      expect(status === '').toBe(what !== '2');
      runTestGit(session.folder, ['apply'], stdout);
    }
  });

  test('of several turns keeps apart what others changed in between', async () => {
    const session = await createFileSession({ 'a.txt': TEXT });
    const edit = (from: string, to: string) => () =>
      session.write({ 'a.txt': session.read('a.txt').replace(from, to) });
    await session.turn('ada', edit('line 1\n', 'LINE 1\n'));
    edit('line 5\n', 'kim 5\n')();
    await session.turn('max', edit('line 9\n', 'LINE 9\n'));
    const { stdout } = await session.machine.run(['diff', 'all']);
    expect(stdout).not.toMatch(/^[+-].*5$/mu);
    runTestGit(session.folder, ['apply', '-R'], stdout);
    expect(session.read('a.txt')).toBe(TEXT.replace('line 5\n', 'kim 5\n'));
  });

  test('works from the log alone, on another machine', async () => {
    const session = await createFileSession({ 'a.txt': 'one\n' });
    await session.turn('ada', () => session.write({ 'a.txt': 'two\n' }));
    await session.turn('max', () => session.write({ 'a.txt': 'three\n' }));
    const exported = join(session.machine.folder, 'session.jsonl');
    await session.machine.run(['export', '--format', 'jsonl', '--output', exported]);
    const other = await createFileSession({ 'a.txt': 'three\n' });
    await other.machine.run(['import', exported, '--id', 'from-kim']);
    const { code, stdout } = await other.machine.run(['diff', 'all', '--session', 'from-kim']);
    expect(code).toBe(0);
    runTestGit(other.folder, ['apply', '-R'], stdout);
    expect(other.read('a.txt')).toBe('one\n');
  });

  test('makes a diff whole that was cut in the log', async () => {
    const session = await createFileSession({ 'a.txt': 'one\n' });
    const long = Array.from({ length: 40_000 }, (_, line) => `line ${line}\n`).join('');
    await session.turn('ada', () => session.write({ 'a.txt': 'two\n', 'long.txt': long }));
    const { stdout, stderr } = await session.machine.run(['diff']);
    expect(stderr).toBe('');
    expect(stdout.match(/^\+line /gmu)).toHaveLength(40_000);
    rmSync(join(session.dataFolder, 'files'), { recursive: true });
    const cut = await session.machine.run(['diff']);
    expect(cut.code).toBe(0);
    expect(cut.stderr).toContain('warning: The diff of turn-1 is cut');
  });

  test('says in one line that nothing changed', async () => {
    const session = await createFileSession();
    await session.turn('ada', () => undefined);
    expect(await session.machine.run(['diff'])).toMatchObject({
      code: 0,
      stdout: '',
      stderr: 'No changes.\n',
    });
    expect(await session.machine.run(['diff', '1'])).toMatchObject({
      code: 0,
      stdout: '',
      stderr: 'No changes in turn-1.\n',
    });
  });

  test('names files that it has no lines of', async () => {
    const session = await createFileSession();
    await session.turn('ada', () => session.write({ 'a.txt': 'two\n', '.env': 'KEY=secret\n' }));
    const { stdout, stderr } = await session.machine.run(['diff']);
    expect(stdout).not.toContain('secret');
    expect(stderr).toBe('Not in the diff: .env\n');
  });

  test('says how many files are not listed', async () => {
    const session = await createFileSession();
    await session.turn('ada', () => session.write({ 'a.txt': 'two\n' }), { unlisted: 2000 });
    const missing = 'warning: Not listed: 2,000 more files; too many changed at once.\n';
    for (const option of [[], ['--stat'], ['--names']])
      expect((await session.machine.run(['diff', ...option])).stderr).toBe(missing);
    const { stdout, stderr } = await session.machine.run(['diff', '--json']);
    expect([JSON.parse(stdout).unlisted, stderr]).toEqual([2000, '']);
  });

  test('refuses what it does not know, with what can be named', async () => {
    const session = await createFileSession();
    expect(await session.machine.run(['diff'])).toMatchObject({
      code: 1,
      stderr: 'error[FILES_NOT_RECORDED]: No file changes are recorded in this session.\n',
    });
    await session.turn('ada', () => session.write({ 'a.txt': 'two\n' }));
    const unknown = await session.machine.run(['diff', '7..4']);
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toMatch(
      /^error\[UNKNOWN_CHANGE\]: No change "7\.\.4"\. Name a turn .* turn-1\.\n$/u,
    );
    const path = await session.machine.run(['diff', '1', '--', 'b.txt']);
    expect(path).toMatchObject({
      code: 2,
      stderr: 'error[UNKNOWN_FILE]: turn-1 did not change b.txt. It changed: a.txt.\n',
    });
    expect((await session.machine.run(['diff', '--', 'b.txt'])).stderr).toBe(
      'error[UNKNOWN_FILE]: No turn changed b.txt.\n',
    );
  });
});
