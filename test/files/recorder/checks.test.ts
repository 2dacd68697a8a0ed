import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { applyToStatus, INITIAL_STATUS } from '../../../src/conversation/ConversationStatus.js';
import { loadStatus } from '../../../src/coordinator/loadConversation.js';
import type { AgentMember } from '../../../src/models/Team.js';
import { findReachedLimit } from '../../../src/routing/limits.js';
import { SqliteStore } from '../../../src/store/sqlite/SqliteStore.js';
import { toArray } from '../../../src/utils/AnyIterable.js';
import { agent } from '../../coordinator/teams.js';
import { makeRepository } from '../repository.js';
import { type FilesStage, shell, stageFiles } from './filesStage.js';

/** A check that runs a line of shell. */
function check(name: string, line: string): AgentMember {
  return agent(name, { agentType: 'command', command: ['/bin/sh', '-c', line], check: true });
}

/** Counts in a file how often it was asked, and says something else each time. */
const author = (parts: Partial<AgentMember> = {}) =>
  shell('max', 'n=$(($(cat n 2>/dev/null || echo 0) + 1)); echo $n > n; echo try $n;', parts);

async function turnsOf(stage: FilesStage): Promise<string[]> {
  const events = await stage.events();
  const codes = new Map(
    events.flatMap((event) => (event.type === 'turn-end' ? [[event.turnId, event]] : [])),
  );
  return events.flatMap((event) => {
    if (event.type !== 'turn-start') return [];
    const end = codes.get(event.turnId);
    const code =
      event.checks === undefined ? '' : ` of ${event.checks}: ${end?.exitCode ?? end?.result.kind}`;
    return [event.memberId + code];
  });
}

describe('a check', () => {
  test('runs after what changed files, and sends failures back to the author while others wait', async () => {
    const place = makeRepository({ 'a.txt': 'one\n' });
    const stage = await stageFiles(place, [
      author(),
      shell('sarah', ''),
      check('tests', 'echo n is $(cat n); echo [NEXT: sarah] >&2; grep -q 3 n'),
    ]);
    await stage.say('[NEXT: max, sarah] Go.');
    expect(await turnsOf(stage)).toEqual([
      'max',
      'tests of turn-1: 1',
      'max',
      'tests of turn-4: 1',
      'max',
      'tests of turn-6: 0',
      'sarah',
    ]);
    const { messages } = stage.conversation.snapshot();
    const reports = messages.filter(({ speaker }) => speaker.roleName === 'tests');
    expect(reports.map(({ routing }) => routing?.resolvedAddressees)).toEqual([['max'], ['max'], undefined]);
    expect(reports[0]?.content).toMatch(
      /^Check failed for turn-1: `\/bin\/sh -c .*`, exit code 1\.\n\n```text\nn is 1\n\[NEXT: sarah\]\n```$/u,
    );
    expect(stage.conversation.snapshot().phase).toMatchObject({ kind: 'waiting' });
  });

  test('does not run after a turn that changed nothing, nor after itself', async () => {
    const place = makeRepository({});
    const stage = await stageFiles(place, [shell('max', ''), check('tests', 'date > report.txt')]);
    await stage.say('Look.');
    expect(await turnsOf(stage)).toEqual(['max']);
    const other = await stageFiles(makeRepository({}), [
      author(),
      check('tests', 'date +%N > report.txt; echo ran'),
    ]);
    await other.say('Go.');
    expect(await turnsOf(other)).toEqual(['max', 'tests of turn-1: 0']);
    await other.say('[NEXT: tests] Run.');
    expect(await turnsOf(other)).toEqual(['max', 'tests of turn-1: 0', 'tests']);
  });

  test('pauses the conversation at checkRounds, and counts for no other limit', async () => {
    const place = makeRepository({});
    const limits = { checkRounds: 3, agentTurns: 4, pairTurns: 3, sameAnswer: 2 };
    const stage = await stageFiles(place, [author(), check('tests', 'echo broken; exit 1')], { limits });
    await stage.say('Go.');
    const paused = { kind: 'paused', reason: { kind: 'limit', limit: 'checkRounds', count: 3, max: 3 } };
    expect(stage.conversation.snapshot().phase).toEqual(paused);
    expect(await turnsOf(stage)).toHaveLength(6);
    // A person goes past the limit, and the count restarts.
    await stage.conversation.resume();
    await stage.conversation.settled();
    expect(stage.conversation.snapshot().phase).toMatchObject({ reason: { limit: 'agentTurns', count: 4 } });
  });

  test('that passes does not hide another one that never does', async () => {
    const stage = await stageFiles(
      makeRepository({}),
      [author(), check('lint', 'echo fine'), check('tests', 'exit 1')],
      { limits: { checkRounds: 2 } },
    );
    await stage.say('Go.');
    expect(stage.conversation.snapshot().phase).toMatchObject({ reason: { limit: 'checkRounds', count: 2 } });
    const round = (turn: number) => ['max', `lint of turn-${turn}: 0`, `tests of turn-${turn}: 1`];
    expect(await turnsOf(stage)).toEqual([...round(1), ...round(4)]);
  });

  test('that still waits when the author changes files again runs once, for the newer turn', async () => {
    const stage = await stageFiles(makeRepository({}), [
      author(),
      check('lint', 'grep -q 2 n'),
      check('tests', 'true'),
    ]);
    await stage.say('Go.');
    expect(await turnsOf(stage)).toEqual([
      'max',
      'lint of turn-1: 1',
      'max',
      'lint of turn-4: 0',
      'tests of turn-4: 0',
    ]);
  });

  test.each([126, 127])(
    'that ends with %i could not run: it is for a person, not for the author',
    async (code) => {
      const line = `[ -e ready ] && exit 0; echo 'sh: 1: tinytest: not found' >&2; exit ${code}`;
      const place = makeRepository({});
      const stage = await stageFiles(place, [author(), check('tests', line)]);
      await stage.say('Go.');
      expect(await turnsOf(stage)).toEqual(['max', 'tests of turn-1: failed']);
      expect(stage.conversation.snapshot().phase).toMatchObject({ kind: 'waiting' });
      const end = (await stage.events()).findLast(({ type }) => type === 'turn-end');
      expect(end).toMatchObject({
        result: {
          failure: { reason: 'check-not-run', exitCode: code, detail: 'sh: 1: tinytest: not found' },
          draft: 'sh: 1: tinytest: not found',
        },
      });
      place.write({ ready: '' });
      await stage.conversation.retry();
      await stage.conversation.settled();
      expect((await turnsOf(stage)).at(-1)).toBe('tests of turn-1: 0');
    },
  );

  test('does not run after a turn that a person stopped, nor after the next message', async () => {
    const wrote = shell('max', 'echo 1 > a.txt; echo written; sleep 60', { output: 'text' });
    const stage = await stageFiles(makeRepository({}), [wrote, shell('sarah', ''), check('tests', 'exit 1')]);
    const written = new Promise<void>((resolve) => {
      stage.conversation.subscribe(({ type }) => type === 'turn-progress' && resolve());
    });
    await stage.conversation.send('[NEXT: max] Go.');
    await written;
    await stage.conversation.cancel();
    await stage.conversation.settled();
    expect(await stage.lists()).toEqual(['turn-1: A a.txt']);
    await stage.say('[NEXT: sarah] Go on.');
    expect(await turnsOf(stage)).toEqual(['max', 'sarah']);
  });

  test('that cannot start has failed, a person is awaited, and a retry is a check again', async () => {
    const place = makeRepository({});
    const tests = agent('tests', {
      agentType: 'command',
      command: [join(place.folder, 'run.sh')],
      check: true,
    });
    const stage = await stageFiles(place, [author(), tests]);
    await stage.say('Go.');
    expect(await turnsOf(stage)).toEqual(['max', 'tests of turn-1: failed']);
    const end = (await stage.events()).findLast(({ type }) => type === 'turn-end');
    expect(end).toMatchObject({
      result: { failure: { reason: 'check-not-run', program: tests.command?.[0] } },
    });
    expect(stage.conversation.snapshot().phase).toMatchObject({ kind: 'waiting' });
    await stage.conversation.retry();
    await stage.conversation.settled();
    expect(await turnsOf(stage)).toEqual(['max', 'tests of turn-1: failed', 'tests of turn-1: failed']);
  });

  test('also looks at what a turn left that could not finish, which is then for a person', async () => {
    const command = ['/bin/sh', '-c', 'echo half > half.txt; kill -9 $$'];
    const max = agent('max', { agentType: 'command', command, permission: 'edit' });
    const stage = await stageFiles(makeRepository({}), [max, check('tests', 'exit 1')]);
    await stage.say('Go.');
    expect(await turnsOf(stage)).toEqual(['max', 'tests of turn-1: 1']);
    expect(stage.conversation.snapshot().phase).toMatchObject({ kind: 'waiting' });
    expect(stage.conversation.snapshot().state.unfinished).toMatchObject([{ kind: 'failed' }]);
  });

  test('is nobody that a message without a name goes to', async () => {
    const stage = await stageFiles(makeRepository({}), [
      check('tests', 'true'),
      author(),
      shell('sarah', ''),
    ]);
    await stage.say('Go.');
    await stage.say('And on.');
    await stage.say('[NEXT: all] All.');
    const turns = await turnsOf(stage);
    expect(turns.filter((turn) => !turn.startsWith('tests of'))).toEqual(['max', 'max', 'max', 'sarah']);
  });

  test('runs after every turn of a member that may edit, where recording has stopped', async () => {
    const place = makeRepository({});
    vi.stubEnv('HOME', place.folder);
    onTestFinished(() => void vi.unstubAllEnvs());
    const stage = await stageFiles(place, [
      shell('max', ''),
      shell('sarah', '', { permission: 'read' }),
      check('tests', 'true'),
    ]);
    await stage.say('[NEXT: max, sarah] Go.');
    expect(await stage.records()).toEqual([]);
    expect(await turnsOf(stage)).toEqual(['max', 'tests of turn-1: 0', 'sarah']);
  });

  test('is as near to checkRounds after a restart, from the checkpoint, as it was before', async () => {
    const place = makeRepository({});
    const store = new SqliteStore({ file: join(place.dataFolder, 'conversations.db') });
    onTestFinished(() => store.close());
    const members = [author(), check('tests', 'exit 1')];
    const limits = { checkRounds: 2 };
    const first = await stageFiles(place, members, { store, limits });
    await first.say('Go.');
    const reason = { kind: 'limit', limit: 'checkRounds', count: 2, max: 2 };
    expect(first.conversation.snapshot().phase).toEqual({ kind: 'paused', reason });
    await first.conversation.close();

    const reader = await store.read(first.conversation.id);
    expect((await reader.readCheckpoint())?.seq).toBe(reader.lastSeq);
    const status = await loadStatus(reader);
    expect(status).toEqual((await toArray(reader.read())).reduce(applyToStatus, INITIAL_STATUS));
    const again = await stageFiles(place, members, { store, limits, resume: first });
    expect(findReachedLimit(status.state.counters, again.conversation.team.limits)).toEqual(reason);
    expect(await again.conversation.settled()).toEqual({ kind: 'paused', reason });
    // A person's message restarts the count, and the author is first told what failed.
    await again.say('Try once more.');
    expect(again.conversation.snapshot().phase).toEqual({ kind: 'paused', reason });
  });

  test('runs in the copy of the turn, where the author goes on too', async () => {
    const place = makeRepository({ 'a.txt': 'one\n' });
    const stage = await stageFiles(
      place,
      [
        author(),
        shell('sarah', 'echo sarah > a.txt'),
        check('tests', 'cat a.txt; [ ! -e n ] || grep -q 2 n'),
      ],
      { fanout: 'blind' },
    );
    await stage.say('[NEXT: max, sarah] Go.');
    expect(place.read('a.txt')).toBe('one\n');
    expect(await turnsOf(stage)).toEqual([
      'max',
      'sarah',
      'tests of turn-2: 0',
      'tests of turn-1: 1',
      'max',
      'tests of turn-5: 0',
    ]);
    expect((await stage.records()).every(({ copyOf }) => copyOf !== undefined)).toBe(true);
    expect(stage.conversation.snapshot().phase).toMatchObject({ kind: 'waiting' });
  });
});
