import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { formatTaskMessage } from '../../src/presentation/readTypedLine.js';
import { defer } from '../../src/utils/defer.js';
import { isAlive, registeredProcesses, until } from '../agents/process/hostileAgent.js';
import { answers, type Play, stage, stageInProcess, temporaryFolder } from './stage.js';
import { agent, answering, hostile, person, program, team } from './teams.js';

/** A hostile member that can be found again, and says when it is there. */
function hanging(name: string, behaviour = 'hang') {
  const pidFile = join(temporaryFolder(), 'pids');
  return {
    member: hostile(name, behaviour, { variables: { HOSTILE_PIDFILE: pidFile } }),
    isThere: () => until(() => registeredProcesses(pidFile).length > 0),
    alive: () => registeredProcesses(pidFile).filter(({ pid }) => isAlive(pid)),
  };
}

describe.concurrent('a message while an agent works', () => {
  test('does not disturb it and goes before everything that waits', async () => {
    const slow = defer<string>();
    const members = [
      person(),
      answering('max', () => slow.promise),
      answering('sarah', 'S.'),
      answering('carol', 'C.'),
      answering('tom', 'T.'),
    ];
    const { conversation, facts, said } = await stage(team(members));
    await conversation.send('[NEXT: max, sarah, carol] One.');
    expect(conversation.snapshot().phase).toEqual({ kind: 'running', turnIds: ['turn-1'] });
    await conversation.send('[NEXT: tom] Two.');
    await conversation.send('[NEXT: carol] Three.');
    slow.resolve('Slow.');
    await conversation.settled();
    expect(said()).toEqual([
      'kailai: [NEXT: max, sarah, carol] One.',
      'kailai: [NEXT: tom] Two.',
      'kailai: [NEXT: carol] Three.',
      'max: Slow.',
      'carol: C.',
      'tom: T.',
      'sarah: S.',
    ]);
    expect(facts('turn-start').map(({ triggeredBy }) => triggeredBy)).toEqual([
      'msg-1',
      'msg-3',
      'msg-2',
      'msg-1',
    ]);
    expect(facts('turns-dropped')).toMatchObject([{ turnIds: ['turn-3'] }]);
  });
});

describe.concurrent('a task that a person sets', () => {
  test('starts no agent, and a pause stays a pause', async () => {
    const members = [person(), answering('max', 'M.'), answering('sarah', 'S.')];
    const { conversation, facts, said } = await stage(team(members));
    await conversation.send(formatTaskMessage('Ship it, @max.', 'kailai'));
    expect(await conversation.settled()).toEqual({ kind: 'waiting', memberIds: ['kailai'], named: false });
    await conversation.send('[NEXT: max, sarah] Ready?');
    await conversation.pause();
    await conversation.settled();
    await conversation.send(formatTaskMessage('Ship it today.', 'kailai'));
    expect(await conversation.settled()).toEqual({ kind: 'paused', reason: { kind: 'asked' } });
    expect(conversation.snapshot().teamTask).toBe('Ship it today.');
    expect(facts('turn-start').map(({ memberId }) => memberId)).toEqual(['max']);
    expect(facts('notice')).toEqual([]);
    await conversation.resume();
    await conversation.settled();
    expect(said().slice(-2)).toEqual(['kailai: [NEXT: kailai] [TEAM_TASK] Ship it today.', 'sarah: S.']);
  });
});

describe.concurrent('cancelling', () => {
  test('stops the turn, keeps its draft, pauses, and the next message goes on', async () => {
    const max = program('max', "process.stdout.write('Half an ans'); setInterval(() => {}, 1000)");
    const { conversation, facts, said, seen } = await stage(
      team([person(), max, answering('sarah', 'Here.')]),
    );
    await conversation.send('[NEXT: max, sarah] Go.');
    await seen(({ type }) => type === 'turn-progress');
    await conversation.cancel();
    expect(await conversation.settled()).toEqual({ kind: 'paused', reason: { kind: 'cancelled' } });
    expect(facts('turn-end')).toMatchObject([{ result: { kind: 'cancelled', draft: 'Half an ans' } }]);
    expect(conversation.snapshot().state.queue).toHaveLength(1);
    await conversation.send('[NEXT: sarah] You then.');
    await conversation.settled();
    expect(said().slice(1)).toEqual(['kailai: [NEXT: sarah] You then.', 'sarah: Here.']);
  });

  test('and speaking at once goes on as soon as the agent is gone', async () => {
    const { member, isThere, alive } = hanging('max', 'ignoreterm');
    const { conversation, said } = await stage(team([person(), member, answering('sarah', 'Here.')]));
    await conversation.send('Go.');
    await isThere();
    await conversation.cancel();
    await conversation.send('[NEXT: sarah] You then.');
    expect(await conversation.settled()).toMatchObject({ kind: 'waiting' });
    expect(said().at(-1)).toBe('sarah: Here.');
    expect(alive()).toEqual([]);
  });

  test('when nothing runs and nothing waits does nothing', async () => {
    const { conversation, log } = await stage(team([person(), agent('max')]));
    const before = log();
    await conversation.cancel();
    expect(await conversation.settled()).toEqual({ kind: 'idle' });
    expect(log()).toEqual(before);
  });
});

describe.concurrent('cancelling with drop', () => {
  test('stops the turn, keeps its draft, and what waits is never run', async () => {
    const max = program('max', "process.stdout.write('Half an ans'); setInterval(() => {}, 1000)");
    const sarah = answering('sarah', 'Here.');
    const { conversation, facts, said, seen } = await stage(team([person(), max, sarah, agent('carol')]));
    await conversation.send('[NEXT: max, sarah, carol] Go.');
    await seen(({ type }) => type === 'turn-progress');
    await conversation.cancel({ drop: true });
    await conversation.cancel({ drop: true });
    expect(await conversation.settled()).toEqual({ kind: 'paused', reason: { kind: 'cancelled' } });
    expect(facts('turn-end')).toMatchObject([{ result: { kind: 'cancelled', draft: 'Half an ans' } }]);
    expect(facts('turns-dropped')).toMatchObject([{ turnIds: ['turn-2', 'turn-3'] }]);
    expect(conversation.snapshot().state.queue).toEqual([]);
    await conversation.send('[NEXT: sarah] You then.');
    await conversation.settled();
    expect(said().slice(1)).toEqual(['kailai: [NEXT: sarah] You then.', 'sarah: Here.']);
  });

  test('leaves the stopped turn to be retried', async () => {
    const { member, isThere } = hanging('max');
    const { conversation, facts } = await stage(team([person(), member, agent('sarah')]));
    await conversation.send('[NEXT: max, sarah] Go.');
    await isThere();
    await conversation.cancel({ drop: true });
    await conversation.settled();
    expect(await conversation.retry()).toBe(1);
    expect(facts('turns-queued').at(-1)?.turns).toMatchObject([{ memberId: 'max', retryOf: 'turn-1' }]);
  });

  test('drops what an answer leads to that came all the same, and nothing that a person asks for next', async () => {
    const finish = new AbortController();
    const play: Play = async function* (name) {
      if (name === 'max') await new Promise((resolve) => finish.signal.addEventListener('abort', resolve));
      yield* answers(name === 'max' ? 'Done. [NEXT: sarah]' : 'Here.');
    };
    const { conversation, facts, said } = await stageInProcess(
      team([person(), agent('max'), agent('sarah'), agent('carol')]),
      play,
    );
    await conversation.send('[NEXT: max] Go.');
    await conversation.cancel({ drop: true });
    await conversation.send('[NEXT: carol] You then.');
    finish.abort();
    expect(await conversation.settled()).toMatchObject({ kind: 'waiting' });
    expect(facts('turn-start').map(({ memberId }) => memberId)).toEqual(['max', 'carol']);
    expect(facts('turns-dropped')).toMatchObject([{ turnIds: ['turn-3'] }]);
    expect(said().at(-1)).toBe('carol: Here.');
  });

  test('at a limit drops what waits; the next message goes on', async () => {
    const members = [person(), agent('max'), agent('sarah')];
    const { conversation, facts } = await stageInProcess(team(members, { limits: { agentTurns: 1 } }), () =>
      answers('Mine.'),
    );
    await conversation.send('[NEXT: max, sarah] Go.');
    expect(await conversation.settled()).toMatchObject({ kind: 'paused', reason: { kind: 'limit' } });
    await conversation.cancel({ drop: true });
    expect(facts('turns-dropped')).toMatchObject([{ turnIds: ['turn-2'] }]);
    expect(facts('conversation-pause')).toHaveLength(1);
    await conversation.send('[NEXT: max] Again.');
    expect(await conversation.settled()).toMatchObject({ kind: 'waiting' });
  });

  test('when nothing runs and nothing waits does nothing', async () => {
    const { conversation, log } = await stage(team([person(), agent('max')]));
    const before = log();
    await conversation.cancel({ drop: true });
    expect(await conversation.settled()).toEqual({ kind: 'idle' });
    expect(log()).toEqual(before);
  });
});

describe.concurrent('pausing', () => {
  test('lets the turn finish, starts no other, and resuming goes on', async () => {
    const { conversation, facts } = await stage(team([person(), agent('max'), agent('sarah')]), {
      script: { max: [{ text: 'Mine.' }], sarah: [{ text: 'Hers.' }] },
    });
    await conversation.send('[NEXT: max, sarah] Go.');
    await conversation.pause();
    await conversation.pause();
    expect(await conversation.settled()).toEqual({ kind: 'paused', reason: { kind: 'asked' } });
    expect(facts('turn-end')).toHaveLength(1);
    await conversation.resume();
    await conversation.resume();
    expect(await conversation.settled()).toMatchObject({ kind: 'waiting' });
    expect(facts('turn-end')).toHaveLength(2);
    expect(facts('conversation-pause')).toHaveLength(1);
    expect(facts('conversation-resume')).toMatchObject([{ pastLimit: false }]);
  });
});

describe.concurrent('closing', () => {
  test('during a turn leaves no process, keeps the draft, and nothing can be said any more', async () => {
    const { member, isThere, alive } = hanging('max', 'relaunch');
    const { conversation, facts } = await stage(team([person(), member]));
    await conversation.send('Go.');
    await isThere();
    await Promise.all([conversation.close(), conversation.close()]);
    expect(alive()).toEqual([]);
    expect(facts('turn-end')).toMatchObject([{ result: { kind: 'cancelled' } }]);
    const closed = expect.objectContaining({ code: 'CONVERSATION_CLOSED' });
    await expect(conversation.send('Hello?')).rejects.toThrow(closed);
    await expect(conversation.pause()).rejects.toThrow(closed);
    await expect(conversation.resume()).rejects.toThrow(closed);
    await expect(conversation.cancel()).resolves.not.toThrow();
  });

  test('during a blind round stops everybody', async () => {
    const [a, b] = [hanging('max'), hanging('sarah')];
    const blind = team([person(), a.member, b.member], { routing: { fallback: 'human', fanout: 'blind' } });
    const { conversation, facts } = await stage(blind);
    await conversation.send('[NEXT: all] Go.');
    await Promise.all([a.isThere(), b.isThere()]);
    await conversation.close();
    expect([...a.alive(), ...b.alive()]).toEqual([]);
    expect(facts('turn-end')).toHaveLength(2);
  });
});
