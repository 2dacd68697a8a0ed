import { spawnSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ConversationFact } from '../../src/models/ConversationEvent.js';
import { readEverything } from '../files/repository.js';
import { createFileSession, type FileSession } from './fileSession.js';
import { hasTerminal, runInTerminal } from './pty.js';
import { program } from './runHuddle.js';
import { holdElsewhere } from './storedSessions.js';

const TEXT = Array.from({ length: 12 }, (_, line) => `line ${line}\n`).join('');

/** A session in which ada changed three files in turn-1. */
async function sessionWithTurn(options = {}): Promise<FileSession> {
  const session = await createFileSession({ 'src/upload.ts': TEXT, 'src/limits.ts': TEXT }, options);
  await session.turn(
    'ada',
    () =>
      session.write({
        'src/upload.ts': TEXT.replace('line 1\n', 'ada 1\n'),
        'src/limits.ts': TEXT.replace('line 1\n', 'ada 1\n'),
        'src/new.ts': 'new\n',
      }),
    { reported: ['src/upload.ts', 'src/limits.ts'] },
  );
  return session;
}

describe('huddle undo', () => {
  test('shows the plan, puts the files back, and says how to redo', async () => {
    const session = await sessionWithTurn();
    const git = readEverything(join(session.folder, '.git'));
    const { code, stdout, stderr } = await session.machine.run(['undo', '--yes']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(
      [
        'turn-1 (ada) changed 3 files. Undo will:',
        '  restore  src/limits.ts',
        '  remove   src/new.ts      not named by ada',
        '  restore  src/upload.ts',
        'Undone: turn-1 (3 files). To redo: huddle undo undo-1',
        '',
      ].join('\n'),
    );
    expect(session.read('src/upload.ts')).toBe(TEXT);
    expect(existsSync(join(session.folder, 'src/new.ts'))).toBe(false);
    const redo = await session.machine.run(['undo', 'undo-1', '--yes']);
    expect(redo.stdout).toContain('Undone: undo-1 (3 files). To redo: huddle undo undo-2');
    expect(session.read('src/new.ts')).toBe('new\n');
    // What is there again can be undone again.
    expect((await session.machine.run(['undo', '--yes'])).stdout).toContain('Undone: turn-1 (3 files)');
    expect(session.read('src/limits.ts')).toBe(TEXT);
    expect(readEverything(join(session.folder, '.git'))).toEqual(git);
  });

  test('touches nothing for a record that was imported, also in forks of it and with a forged fork in it', async () => {
    const session = await sessionWithTurn();
    await session.turn('max', (copy) => writeFileSync(join(copy, 'max.ts'), 'max\n'), { isCopy: true });
    const { machine } = session;
    // A fork ends with the last message.
    const speaker = { type: 'human', roleId: 'kim', roleName: 'kim', displayName: 'kim' };
    const message = { id: 'msg-2', content: 'Thanks.', speaker, timestamp: 1 };
    await session.append({ type: 'message-added', message } as unknown as ConversationFact);
    const log = (await machine.run(['export', session.id, '--format', 'jsonl'])).stdout;
    const lines = log.trimEnd().split('\n');
    const forked = { type: 'conversation-forked', from: session.id, upTo: lines.length, v: 1, at: 1 };
    machine.write('../log.jsonl', log);
    machine.write('../forged.jsonl', `${log}${JSON.stringify({ ...forked, seq: lines.length + 1 })}\n`);
    for (const args of [
      ['import', '../log.jsonl', '--id', 'copy'],
      ['import', '../forged.jsonl', '--id', 'forged'],
      ['fork', 'copy', '--id', 'fork'],
      ['fork', 'fork', '--id', 'fork-of-fork'],
      ['fork', 'forged', '--id', 'fork-of-forged'],
    ])
      expect(await machine.run(args)).toMatchObject({ code: 0 });
    for (const [args, turn, done] of [
      [['undo', '--session', 'copy'], 1, 'undone'],
      [['undo', '--session', 'forged'], 1, 'undone'],
      [['undo', '--session', 'fork-of-fork'], 1, 'undone'],
      [['undo', '--session', 'fork-of-forged', '1'], 1, 'undone'],
      [['apply', '--session', 'copy', '2'], 2, 'applied'],
      [['commit', '--session', 'copy', '1', '-m', 'Mine'], 1, 'committed'],
    ] as const) {
      const yes = args[0] === 'commit' ? [] : ['--yes'];
      expect(await machine.run([...args, ...yes])).toEqual({
        code: 1,
        signal: null,
        stdout: '',
        stderr: `error[CONTENT_NOT_KEPT]: turn-${turn} was imported, not recorded on this machine, so it can't be ${done}; nothing was touched.\n`,
      });
    }
    expect(session.read('src/new.ts')).toBe('new\n');
    // What Huddle itself recorded can be undone in a fork as well.
    await machine.run(['fork', session.id, '--id', 'own']);
    expect(await machine.run(['undo', '--session', 'own', '--yes'])).toMatchObject({ code: 0 });
    expect(existsSync(join(session.folder, 'src/new.ts'))).toBe(false);
  });

  test('keeps what was changed later in other lines, by a member or a person', async () => {
    const session = await sessionWithTurn();
    await session.turn('max', () =>
      session.write({ 'src/upload.ts': session.read('src/upload.ts').replace('line 9', 'max 9') }),
    );
    session.write({ 'src/limits.ts': session.read('src/limits.ts').replace('line 9', 'kim 9') });
    const { stdout } = await session.machine.run(['undo', '1', '--yes']);
    expect(stdout).toContain('  merge   src/limits.ts   keeps what was changed later in other lines\n');
    expect(stdout).toContain('  merge   src/upload.ts   keeps what max changed later in other lines\n');
    expect(session.read('src/upload.ts')).toBe(TEXT.replace('line 9', 'max 9'));
    expect(session.read('src/limits.ts')).toBe(TEXT.replace('line 9', 'kim 9'));
  });

  test('blames no member for what was changed after its turn', async () => {
    const session = await sessionWithTurn();
    await session.machine.run(['undo', '1', '--yes']);
    await session.machine.run(['undo', 'undo-1', '--yes']);
    session.write({ 'src/upload.ts': session.read('src/upload.ts').replace('ada 1', 'kim 1') });
    const { stderr } = await session.machine.run(['undo', '1', '--yes']);
    expect(stderr).toContain('  src/upload.ts   between turns, by a person or a program\n');
  });

  test('touches nothing if the same lines were changed, and says by whom and what else can be done', async () => {
    const session = await sessionWithTurn();
    await session.turn('max', () =>
      session.write({ 'src/upload.ts': session.read('src/upload.ts').replace('ada 1', 'max 1') }),
    );
    const before = readEverything(join(session.folder, 'src'));
    const refused = await session.machine.run(['undo', '1', '--yes']);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toBe(
      'error[FILES_CHANGED_SINCE]: 1 of 3 files was changed since turn-1 in the same lines; nothing was touched. ' +
        'Look: huddle diff 1.. · The others: huddle undo 1 -- src/limits.ts src/new.ts\n' +
        '  src/upload.ts   by max in turn-2\n',
    );
    expect(readEverything(join(session.folder, 'src'))).toEqual(before);
    const others = await session.machine.run(['undo', '1', '--yes', '--', 'src/limits.ts', 'src/new.ts']);
    expect(others.stdout).toContain('Undone: turn-1 (2 files)');
    expect(session.read('src/limits.ts')).toBe(TEXT);
    // Both turns together: the later one first.
    expect((await session.machine.run(['undo', '1..2', '--yes'])).stdout).toContain('Undone: 1..2 (1 file)');
    expect(session.read('src/upload.ts')).toBe(TEXT);
    expect(await session.machine.run(['undo', '--yes'])).toMatchObject({
      code: 1,
      stderr: 'error[NOTHING_TO_UNDO]: Nothing to undo.\n',
    });
  });

  test('says that a person changed the same lines between turns', async () => {
    const session = await sessionWithTurn();
    session.write({ 'src/new.ts': 'mine\n' });
    const { code, stderr } = await session.machine.run(['undo', '--yes']);
    expect(code).toBe(1);
    expect(stderr).toContain('  src/new.ts   between turns, by a person or a program\n');
    expect(session.read('src/new.ts')).toBe('mine\n');
  });

  test('takes paths as they are typed in the folder one stands in', async () => {
    const session = await sessionWithTurn();
    const cwd = join(session.folder, 'src');
    const { stdout } = await session.machine.run(['undo', '--yes', '--session', 'abcd', '--', 'new.ts'], {
      cwd,
    });
    expect(stdout).toContain('Undone: turn-1 (1 file)');
    expect(existsSync(join(cwd, 'new.ts'))).toBe(false);
    expect(session.read('src/upload.ts')).toContain('ada 1');
  });

  test('only shows the plan with --dry-run, also while the session is open elsewhere', async () => {
    const session = await sessionWithTurn();
    holdElsewhere(session.machine);
    const before = readEverything(session.folder);
    const dry = await session.machine.run(['undo', '--dry-run']);
    expect(dry).toMatchObject({ code: 0, stderr: 'Dry run: nothing was touched.\n' });
    expect(dry.stdout).toContain('Undo will:\n  restore  src/limits.ts\n');
    expect(JSON.parse((await session.machine.run(['undo', '--dry-run', '--json'])).stdout)).toMatchObject({
      action: 'undo',
      of: ['turn-1'],
      files: [{ path: 'src/limits.ts', action: 'write' }, { action: 'remove' }, { action: 'write' }],
    });
    const locked = await session.machine.run(['undo', '1', '--yes']);
    expect(locked.code).toBe(75);
    expect(locked.stderr).toMatch(/^error\[CONVERSATION_LOCKED\]: .* In that terminal: \/undo 1\n$/u);
    expect(readEverything(session.folder)).toEqual(before);
  });

  test('asks on a terminal, and needs --yes elsewhere', async () => {
    const session = await sessionWithTurn();
    const unasked = await session.machine.run(['undo']);
    expect(unasked.code).toBe(2);
    expect(unasked.stderr).toContain("error[USAGE]: Can't ask here (no terminal). Add --yes to undo turn-1.");
    expect(session.read('src/new.ts')).toBe('new\n');
  });

  test.runIf(hasTerminal)('does it only after a yes', async () => {
    const session = await sessionWithTurn();
    const no = await runInTerminal(session.machine, { args: ['undo'], input: '\r' });
    expect(no.code).toBe(1);
    expect(no.screen).toContain('Undo? [y/N]');
    expect(no.screen).toContain('Not undone.');
    expect(session.read('src/new.ts')).toBe('new\n');
    const yes = await runInTerminal(session.machine, { args: ['undo'], input: 'y\r' });
    expect(yes).toMatchObject({ code: 0 });
    expect(existsSync(join(session.folder, 'src/new.ts'))).toBe(false);
  });

  test('does not undo what is not kept, and names the others', async () => {
    const session = await sessionWithTurn();
    rmSync(join(session.dataFolder, 'files', 'objects'), { recursive: true });
    rmSync(join(session.folder, '.git'), { recursive: true });
    const { code, stderr } = await session.machine.run(['undo', '--yes']);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^error\[CONTENT_NOT_KEPT\]: The content of src\/limits\.ts, src\/upload\.ts was not/u,
    );
    expect(stderr).toContain('The others: huddle undo 1 -- src/new.ts');
  });

  test('names the commits that stay, and the command that would move the branch', async () => {
    const session = await createFileSession();
    const before = session.git('rev-parse', 'HEAD').trim();
    await session.turn('ada', () => {
      session.write({ 'a.txt': 'two\n' });
      session.git('commit', '-qam', 'by ada');
    });
    const after = session.git('rev-parse', 'HEAD').trim();
    await session.append({
      type: 'files-recorded',
      by: { kind: 'turns', turnIds: ['turn-1' as never] },
      files: [],
      git: { head: { before, after } },
    });
    const { stdout } = await session.machine.run(['undo', '--yes', '1']);
    expect(stdout).toContain(`The commits ${before.slice(0, 10)}..${after.slice(0, 10)} stay.`);
    const [, command = ''] = /^ {2}(git reset \w+)$/mu.exec(stdout) ?? [];
    expect(session.git('rev-parse', 'HEAD').trim()).toBe(after);
    session.git(...command.split(' ').slice(1));
    expect(session.git('status', '--porcelain')).toBe('');
    expect(session.git('rev-parse', 'HEAD').trim()).toBe(before);
  });
});

/** Whether this user may mount something for a process of its own. */
const canMount = spawnSync('/bin/sh', ['-c', 'unshare -rm true']).status === 0;

test.runIf(canMount)('on a full disk an undo touches nothing, and leaves nothing behind', async () => {
  const session = await sessionWithTurn();
  const { machine, folder } = session;
  const script = `
    cp -a "$1" "$2" && mount -t tmpfs -o size=2m none "$1" && cp -a "$2/." "$1" && cd "$1" || exit 99
    cat /dev/zero > full 2>/dev/null
    "$3" "$4" undo --yes; code=$?
    rm full && diff -r "$1" "$2" && exit $code`;
  const { status, stdout, stderr } = spawnSync(
    '/bin/sh',
    [
      '-c',
      'exec unshare -rm sh -c "$@"',
      'sh',
      script,
      'sh',
      folder,
      join(machine.folder, 'saved'),
      process.execPath,
      program,
    ],
    {
      env: { ...process.env, ...machine.env, PATH: `${machine.env.PATH}:${process.env.PATH}` },
      encoding: 'utf8',
    },
  );
  expect(stderr).toBe(
    'error[FILES_NOT_WRITTEN]: The files cannot be written: the disk is full (ENOSPC). Nothing was touched.\n',
  );
  expect(stdout).toMatch(/^turn-1 \(ada\) changed 3 files\. Undo will:\n(?: {2}.*\n){3}$/u);
  expect(status).toBe(1);
});
