import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { isAlive } from '../../agents/process/hostileAgent.js';
import { factsOf } from '../../store/stage.js';
import { makeRepository } from '../repository.js';
import { codex, shell, stageFiles } from './filesStage.js';

describe('a blind round of members that may edit', () => {
  test('works in copies that start from what is there, and the folder stays as it was', async () => {
    const place = makeRepository({ 'a.txt': 'one\n' });
    place.write({ 'a.txt': 'one, not committed\n' });
    const members = [shell('ada', 'cat a.txt > seen; echo ada >> a.txt'), shell('max', 'echo max >> a.txt')];
    const stage = await stageFiles(place, members, { fanout: 'blind' });
    await stage.say('[NEXT: ada, max] Go.');
    expect(await stage.lists()).toEqual([
      'turn-1 in the copy of ada: M a.txt, A seen',
      'turn-2 in the copy of max: M a.txt',
    ]);
    expect((await stage.records())[0]?.patch).toContain('+one, not committed');
    expect(place.read('a.txt')).toBe('one, not committed\n');
    const starts = await factsOf(stage.conversation, 'turn-start');
    expect(starts.map(({ copy }) => copy)).toEqual([true, true]);
  });

  test('leaves readers in the folder, and a single author too', async () => {
    const members = [shell('ada', 'echo > 1'), codex('max', '')];
    const stage = await stageFiles(makeRepository(), members, { fanout: 'blind' });
    await stage.say('[NEXT: ada, max] Go.');
    expect(await stage.lists()).toEqual(['turn-1 turn-2: A 1']);
  });

  test('works in the folder where the team file says so, recorded once for all', async () => {
    const members = [shell('ada', 'echo > 1'), shell('max', 'echo > 2')];
    const options = { fanout: 'blind', files: { blind: 'shared' } } as const;
    const stage = await stageFiles(makeRepository(), members, options);
    await stage.say('[NEXT: ada, max] Go.');
    expect(await stage.lists()).toEqual(['turn-1 turn-2: A 1, A 2']);
  });

  test('keeps a turn of it that is retried in its copy', async () => {
    const once = 'if [ -e tried ]; then echo good > good; else echo > tried; exit 3; fi';
    const members = [shell('ada', once), shell('max', '')];
    const stage = await stageFiles(makeRepository(), members, { fanout: 'blind' });
    await stage.say('[NEXT: ada, max] Go.');
    await stage.conversation.retry();
    await stage.conversation.settled();
    expect((await stage.lists()).at(-1)).toBe('turn-3 in the copy of ada: A good');
  });
});

describe('a member with a copy of its own', () => {
  test('works there in every turn, and is told in which files it is behind', async () => {
    const place = makeRepository({ 'a.txt': 'one\n', 'b.txt': 'one\n' });
    const members = [shell('ada', 'echo ada > a.txt', { workspace: 'copy' })];
    const stage = await stageFiles(place, members);
    await stage.say('[NEXT: ada] Go.');
    place.write({ 'a.txt': 'kim\n', 'b.txt': 'kim\n' });
    await stage.say('[NEXT: ada] Again.');
    expect(await stage.lists()).toEqual([
      'turn-1 in the copy of ada: M a.txt',
      'others: M a.txt, M b.txt',
      'turn-2 in the copy of ada: nothing',
    ]);
    expect(await stage.notices('copy-behind')).toMatchObject([
      { memberId: 'ada', turnId: 'turn-2', paths: ['a.txt'] },
    ]);
    expect(place.read('a.txt')).toBe('kim\n');
  });

  test('is checked there, as it left it', async () => {
    const place = makeRepository();
    const check = shell('tests', 'cat a.txt; echo > report', { check: true, permission: 'read' });
    const stage = await stageFiles(place, [shell('ada', 'echo good > a.txt', { workspace: 'copy' }), check]);
    await stage.say('[NEXT: ada] Go.');
    expect(await stage.lists()).toEqual([
      'turn-1 in the copy of ada: A a.txt',
      'turn-2 in the copy of ada: A report',
    ]);
    expect(stage.conversation.snapshot().messages.at(-1)?.content).toContain('good');
    expect(existsSync(join(place.folder, 'report'))).toBe(false);
  });

  test('does not run when the copy cannot be made, and nothing is touched', async () => {
    const place = makeRepository();
    const members = [shell('ada', 'echo > 1', { workspace: 'copy' })];
    const stage = await stageFiles(place, members, {
      files: { setup: ['/bin/sh', '-c', 'echo no room; exit 7'] },
    });
    await stage.say('[NEXT: ada] Go.');
    const [end] = await factsOf(stage.conversation, 'turn-end');
    expect(end?.result).toMatchObject({ kind: 'failed', failure: { code: 'SPAWN', reason: 'no-copy' } });
    expect(JSON.stringify(end?.result)).toContain('no room');
    expect(existsSync(join(place.folder, '1'))).toBe(false);
    expect(await stage.lists()).toEqual(['turn-1 in the copy of ada: nothing']);
  });

  test('begins a new session of its CLI when its folder is another than before, without a word', async () => {
    const members = [codex('max', '', { memory: 'session', permission: 'edit' }), shell('ada', '')];
    const stage = await stageFiles(makeRepository(), members, { fanout: 'blind' });
    for (const to of ['max', 'max', 'max, ada', 'max, ada', 'max']) await stage.say(`[NEXT: ${to}] Go.`);
    const starts = (await factsOf(stage.conversation, 'turn-start')).filter(
      ({ memberId }) => memberId === 'max',
    );
    expect(starts.map(({ prompt, copy }) => [prompt.session, copy])).toEqual([
      ['new', undefined],
      ['resume', undefined],
      ['new', true],
      ['resume', true],
      ['new', undefined],
    ]);
    expect(await factsOf(stage.conversation, 'notice')).toEqual([]);
  });

  test('does not run programs of the project that PATH leads to, as in the folder itself', async () => {
    const place = makeRepository();
    place.write({ 'bin/hijacker': '#!/bin/sh\necho hi\n' });
    chmodSync(join(place.folder, 'bin/hijacker'), 0o755);
    vi.stubEnv('PATH', `${join(place.folder, 'bin')}:${process.env.PATH}`);
    onTestFinished(() => void vi.unstubAllEnvs());
    const member = shell('ada', '', { workspace: 'copy', command: ['hijacker'] });
    const stage = await stageFiles(place, [member]);
    await stage.say('[NEXT: ada] Go.');
    const [end] = await factsOf(stage.conversation, 'turn-end');
    expect(end?.result).toMatchObject({ failure: { code: 'AGENT_MISSING', reason: 'not-trusted' } });
  });

  test('is not prepared by a program of the project that PATH leads to, unless that is trusted', async () => {
    const place = makeRepository();
    place.write({ 'bin/preparer': '#!/bin/sh\necho prepared > prepared.txt\n' });
    const program = join(place.folder, 'bin/preparer');
    chmodSync(program, 0o755);
    vi.stubEnv('PATH', `${join(place.folder, 'bin')}:${process.env.PATH}`);
    onTestFinished(() => void vi.unstubAllEnvs());
    const members = [shell('ada', 'cat prepared.txt', { workspace: 'copy' })];
    const files = { setup: ['preparer'] };
    const stage = await stageFiles(place, members, { files });
    await stage.say('[NEXT: ada] Go.');
    const [end] = await factsOf(stage.conversation, 'turn-end');
    expect(end?.result).toMatchObject({
      failure: { code: 'AGENT_MISSING', reason: 'not-trusted', file: program },
    });
    const trusting = await stageFiles(place, members, { files, trustedPrograms: [program] });
    await trusting.say('[NEXT: ada] Go.');
    const [done] = await factsOf(trusting.conversation, 'turn-end');
    expect(done?.result).toMatchObject({ kind: 'completed' });
  });
});

describe('the program that prepares a copy', () => {
  /** What it has written into `prepared.txt`. */
  const preparing = async (script: string) => {
    const members = [shell('ada', 'cat prepared.txt', { workspace: 'copy' })];
    const stage = await stageFiles(makeRepository(), members, {
      files: { setup: ['/bin/sh', '-c', script] },
    });
    await stage.say('[NEXT: ada] Go.');
    return stage.conversation.snapshot().messages.at(-1)?.content ?? '';
  };

  test('gets no credentials, and knows the turn it is in: no Huddle inside of it acts as a person', async () => {
    vi.stubEnv('ANTHROPIC_API_KEY', 'made-up');
    vi.stubEnv('OPENAI_API_KEY', 'made-up');
    vi.stubEnv('CLAUDECODE', '1');
    onTestFinished(() => void vi.unstubAllEnvs());
    const said = await preparing('env > prepared.txt');
    expect(said).not.toMatch(/made-up|CLAUDECODE/u);
    expect(said).toMatch(/^HUDDLE_TURN=/mu);
    expect(said).toMatch(/^HUDDLE_TURN_OF=turn-1 of session /mu);
  });

  test('leaves nothing running behind', async () => {
    const said = await preparing('setsid sleep 600 > /dev/null 2>&1 & echo $! > prepared.txt');
    const pid = Number(/\d+/u.exec(said));
    expect(pid).toBeGreaterThan(1);
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false));
  });
});

describe('two turns that run at once in one folder', () => {
  test('are said to collide as soon as both report the same file, once', async () => {
    const place = makeRepository({ 'a.txt': 'one\n' });
    const report = { reports: ['a.txt', 'a.txt'], permission: 'edit' } as const;
    const members = [codex('ada', 'echo > a.txt', report), codex('max', 'echo > a.txt', report)];
    const stage = await stageFiles(place, members, { fanout: 'blind', files: { blind: 'shared' } });
    await stage.say('[NEXT: ada, max] Go.');
    const notices = await stage.notices('file-collision');
    expect(notices).toHaveLength(1);
    expect(notices[0]?.path).toBe('a.txt');
    expect(notices[0]?.memberIds.toSorted()).toEqual(['ada', 'max']);
    const events = await stage.events();
    expect(events.indexOf(notices[0] as never)).toBeLessThan(
      events.findLastIndex(({ type }) => type === 'turn-end'),
    );
  });

  test('do not collide in one turn after the other', async () => {
    const place = makeRepository({ 'a.txt': 'one\n' });
    const report = { reports: ['a.txt'], permission: 'edit' } as const;
    const stage = await stageFiles(place, [codex('ada', '', report), codex('max', '', report)]);
    await stage.say('[NEXT: ada, max] Go.');
    expect(await stage.notices('file-collision')).toEqual([]);
  });
});

test('hooks and config of git that change in a turn are reported, commits are only recorded', async () => {
  const line =
    'echo "touch /tmp/never" > .git/hooks/post-checkout; echo x > new; git add new; git -c user.name=a -c user.email=a@b commit -qm x';
  const place = makeRepository();
  const stage = await stageFiles(place, [shell('max', line)]);
  await stage.say('[NEXT: max] Go.');
  const [record] = await stage.records();
  expect(record?.git?.head?.after).toBe(place.git('rev-parse', 'HEAD').trim());
  expect(await stage.notices('git-files-changed')).toMatchObject([
    { turnIds: ['turn-1'], paths: ['hooks/post-checkout'] },
  ]);
  expect(readFileSync(join(place.folder, '.git/hooks/post-checkout'), 'utf8')).toContain('never');
});
