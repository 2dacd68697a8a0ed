import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { AgentMember } from '../../../src/models/Team.js';
import { root as project } from '../../cli/runHuddle.js';
import { agent } from '../../coordinator/teams.js';
import { SIMULATORS } from '../../simulators/playProgram.js';
import { playVendor } from '../../simulators/playVendor.js';
import type { SimulatorName } from '../../simulators/simulators.js';
import { tellScript } from '../../simulators/vendorCommand.js';
import { isFull } from '../../soak/isFull.js';
import { makeRepository, type TestFolder } from '../repository.js';
import { codex, type FilesStage, type StageParts, shell, stageFiles } from './filesStage.js';

/** Turns of each type in which nothing is written. */
const QUIET_TURNS = isFull ? 50 : 3;

describe.each(['claude-code', 'openai-codex', 'google-gemini', 'acp'])(
  'a %s member that may only read',
  (type) => {
    test('is named when it writes by shell', async () => {
      const stage = await stageFiles(makeRepository(), [await reader(type, 'echo sneaky > sneaky.txt')]);
      await stage.say('[NEXT: max] Look at it.');
      expect(await stage.notices('reader-changed-files')).toMatchObject([
        { memberId: 'max', turnId: 'turn-1', paths: ['sneaky.txt'], isReported: false },
      ]);
    });

    test('is never named when it writes nothing', async () => {
      const stage = await stageFiles(makeRepository(), [await reader(type, 'true')]);
      for (let turn = 0; turn < QUIET_TURNS; turn++) await stage.say('[NEXT: max] Look at it.');
      expect(await stage.notices('reader-changed-files')).toEqual([]);
      expect(await stage.lists()).toHaveLength(QUIET_TURNS);
    });
  },
);

describe('a member that may only read', () => {
  test('is said to have changed the files that its own program names', async () => {
    const place = makeRepository({ 'a.txt': '1\n', 'b.txt': '1\n' });
    const files = [join(place.folder, 'a.txt'), './c/../b.txt', '/elsewhere/d.txt'];
    const line = 'echo 2 > a.txt; echo 2 > b.txt; echo 2 > formatted.txt';
    const stage = await stageFiles(place, [codex('max', line, { reports: files })]);
    await stage.say('[NEXT: max] Go.');
    expect(await stage.notices('reader-changed-files')).toMatchObject([
      { paths: ['a.txt', 'b.txt'], isReported: true },
      { paths: ['formatted.txt'], isReported: false },
    ]);
    const [record] = await stage.records();
    expect(record?.files.map(({ path, isReported }) => [path, isReported])).toEqual([
      ['a.txt', true],
      ['b.txt', true],
      ['formatted.txt', undefined],
    ]);
  });

  test('changed more files than are named', async () => {
    const stage = await stageFiles(makeRepository(), [
      codex('max', 'for i in 1 2 3 4 5 6 7; do echo > $i; done'),
    ]);
    await stage.say('[NEXT: max] Go.');
    const [notice] = await stage.notices('reader-changed-files');
    expect(notice).toMatchObject({ paths: ['1', '2', '3', '4', '5'], more: 2 });
  });

  test('stops the conversation before the next turn, where the team file says so', async () => {
    const members = [codex('max', 'echo > 1'), shell('sarah', 'echo > 2')];
    const stage = await stageFiles(makeRepository(), members, { files: { readers: 'pause' } });
    await stage.say('[NEXT: max, sarah] Go.');
    const reason = { kind: 'reader', memberId: 'max', turnId: 'turn-1' };
    expect(stage.conversation.snapshot().phase).toEqual({ kind: 'paused', reason });
    expect(await stage.lists()).toEqual(['turn-1: A 1']);
    await stage.conversation.resume();
    await stage.conversation.settled();
    expect(await stage.lists()).toEqual(['turn-1: A 1', 'turn-2: A 2']);
  });

  test('is not named for the files whose change a person allowed, and for all others', async () => {
    const stage = await letChange(makeRepository({ 'a.txt': '1\n', 'b.txt': '1\n' }), 'allow', {
      files: { readers: 'pause' },
    });
    expect(await stage.notices('reader-changed-files')).toEqual([]);
    expect(stage.conversation.snapshot().phase).toMatchObject({ kind: 'waiting' });
    const other = await letChange(makeRepository(), 'allow', {}, 'echo 2 > a.txt; echo 2 > b.txt');
    expect(await other.notices('reader-changed-files')).toMatchObject([
      { paths: ['b.txt'], isReported: false },
    ]);
  });

  test('is named for a change that a person denied', async () => {
    const stage = await letChange(makeRepository(), 'deny');
    expect(await stage.notices('reader-changed-files')).toMatchObject([{ paths: ['a.txt'] }]);
  });

  test('is named for what it changes in a later turn than the one in which that was allowed', async () => {
    const place = makeRepository();
    const stage = await letChange(place, 'allow');
    stage.conversation.subscribe(({ type }) => {
      if (type === 'turn-start') place.write({ 'a.txt': '3\n' });
    });
    await stage.say('[NEXT: max] Again.');
    expect(await stage.notices('reader-changed-files')).toMatchObject([
      { turnId: 'turn-2', paths: ['a.txt'] },
    ]);
  });

  test('is not named for what a command does, whatever its permission', async () => {
    const stage = await stageFiles(makeRepository(), [
      shell('tests', 'echo > report', { permission: 'read' }),
    ]);
    await stage.say('[NEXT: tests] Go.');
    expect(await stage.notices('reader-changed-files')).toEqual([]);
  });

  test('is named in a blind round only if all may only read, or for what its program names', async () => {
    const both = [codex('max', 'echo > 1'), codex('sarah', '')];
    const sure = await stageFiles(makeRepository(), both, { fanout: 'blind' });
    await sure.say('[NEXT: max, sarah] Go.');
    expect(await sure.lists()).toEqual(['turn-1 turn-2: A 1']);
    expect((await sure.notices('reader-changed-files')).map(({ memberId }) => memberId)).toEqual([
      'max',
      'sarah',
    ]);

    const mixed = [codex('max', 'echo > 1; echo > 2', { reports: ['2'] }), shell('author', 'echo > 3')];
    const unsure = await stageFiles(makeRepository(), mixed, { fanout: 'blind' });
    await unsure.say('[NEXT: max, author] Go.');
    expect(await unsure.notices('reader-changed-files')).toMatchObject([
      { memberId: 'max', paths: ['2'], isReported: true },
    ]);
  });
});

/** Has a reader change `a.txt`, and whatever else the line changes, after a person answered its question about it. */
async function letChange(
  place: TestFolder,
  verdict: 'allow' | 'deny',
  parts: StageParts = {},
  line = 'echo 2 > a.txt',
): Promise<FilesStage> {
  const ask = { name: 'Edit', input: 'a.txt', result: 'ok', asks: true };
  const told = tellScript({
    script: { max: [{ text: ['So.', 'Done.'], tools: [ask] }, { text: ['Again.'] }] },
  });
  const simulated = join(project, 'compiled/agents/rehearsal/simulatedAgent.js');
  const command = ['/bin/sh', '-c', `${line}; exec "$0" "$@"`, ...told, process.execPath, simulated];
  const stage = await stageFiles(place, [agent('max', { agentType: 'acp', command, permission: 'read' })], {
    interactive: true,
    ...parts,
  });
  stage.conversation.subscribe((event) => {
    if (event.type === 'turn-activity' && event.event.type === 'permission-request')
      stage.conversation.answerPermission(event.event.requestId, verdict);
  });
  await stage.say('[NEXT: max] Change it.');
  return stage;
}

/** A stand-in that runs a line of shell before it does what its CLI would: a shell prints what a simulator says. */
async function reader(agentType: string, line: string): Promise<AgentMember> {
  const name = SIMULATORS[agentType];
  const acp = [
    ...tellScript({}),
    process.execPath,
    join(project, 'compiled/agents/rehearsal/simulatedAgent.js'),
  ];
  const print = '[ "$1" = mcp ] && echo "[]" && exit; /bin/cat > /dev/null; printf %s "$0"';
  const command =
    name === undefined
      ? ['/bin/sh', '-c', `${line}; exec "$0" "$@"`, ...acp]
      : ['/bin/sh', '-c', `${line}; ${print}`, await answerLike(name)];
  return agent('max', { agentType, command, permission: 'read' });
}

/** All that the simulator of a CLI prints in a turn. */
async function answerLike(name: SimulatorName): Promise<string> {
  const told = { memberName: 'max', script: [] };
  const { stdout } = await playVendor(['--dialect', name], async () => 'Look at it.', told);
  return stdout;
}
