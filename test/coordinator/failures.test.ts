import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { TurnFailureCode } from '../../src/models/TurnOutcome.js';
import { MemoryStore } from '../../src/store/memory/MemoryStore.js';
import type { Store } from '../../src/store/Store.js';
import { isAlive, registeredProcesses } from '../agents/process/hostileAgent.js';
import { answers, stage, stageInProcess, temporaryFolder } from './stage.js';
import { agent, answering, hostile, person, program, team } from './teams.js';

const sarah = answering('sarah', 'Here.');

describe.concurrent('a turn that did not complete', () => {
  test.each<[string, TurnFailureCode, string]>([
    ['nofinal', 'NO_FINAL_EVENT', 'Over. [NEXT: sarah]'],
    ['signal', 'NO_FINAL_EVENT', 'Over. [NEXT: sarah]'],
    ['exit0error', 'AGENT_ERROR', ''],
    ['crash', 'NO_FINAL_EVENT', ''],
    ['silent', 'NO_FINAL_EVENT', ''],
    ['halfline', 'NO_FINAL_EVENT', ''],
  ])('(%s) is never routed, keeps its draft, and the person is asked', async (behaviour, code, draft) => {
    const variables = { HOSTILE_TEXT: 'Over. [NEXT: sarah]' };
    const { conversation, facts, said } = await stage(
      team([person(), hostile('max', behaviour, { variables }), sarah]),
    );
    await conversation.send('Go.');
    expect(await conversation.settled()).toEqual({ kind: 'waiting', memberIds: ['kailai'], named: false });
    expect(facts('turn-end')).toMatchObject([{ result: { kind: 'failed', failure: { code }, draft } }]);
    expect(said()).toEqual(['kailai: Go.']);
  });

  test('does not keep the others from speaking, nor the same agent from trying again', async () => {
    const variables = { HOSTILE_STATE: join(temporaryFolder(), 'turn') };
    const max = hostile('max', 'crash|fixed', { variables });
    const { conversation, said } = await stage(team([person(), max, sarah]));
    await conversation.send('[NEXT: max, sarah] Go.');
    await conversation.settled();
    await conversation.send('[NEXT: max] Once more.');
    await conversation.settled();
    expect(said().filter((line) => !line.startsWith('kailai'))).toEqual([
      'sarah: Here.',
      'max: A complete and correct answer.',
    ]);
  });

  test('because the program is missing names it, and the others go on', async () => {
    const absent = agent('max', { command: ['no-such-agent-cli'] });
    const { conversation, facts, said } = await stage(team([person(), absent, sarah]));
    await conversation.send('[NEXT: max, sarah] Go.');
    await conversation.settled();
    expect(facts('turn-end')[0]?.result).toMatchObject({
      kind: 'failed',
      failure: { code: 'AGENT_MISSING' },
    });
    expect(said().at(-1)).toBe('sarah: Here.');
  });

  test('because nothing can run such a member says so, and the others go on', async () => {
    const { conversation, facts, said } = await stage(
      team([
        person(),
        agent('max', { agentType: 'no-such-type' }),
        agent('eve', { model: '--danger' }),
        sarah,
      ]),
    );
    await conversation.send('[NEXT: max, eve, sarah] Go.');
    await conversation.settled();
    expect(facts('turn-end').map(({ result }) => result)).toMatchObject([
      { kind: 'failed', failure: { code: 'SPAWN', detail: expect.stringContaining('no-such-type') } },
      {
        kind: 'failed',
        failure: { code: 'SPAWN', detail: expect.stringContaining('model must be one word') },
      },
      { kind: 'completed' },
    ]);
    expect(said().at(-1)).toBe('sarah: Here.');
  });

  test('in time keeps its draft, and the others go on', async () => {
    const script = "printf 'Half [NEXT: sarah]'; exec sleep 60";
    const slow = agent('max', { agentType: 'command', command: ['sh', '-c', script] });
    const hasty = team([person(), slow, sarah], { limits: { idleMinutes: 0.02 } });
    const { conversation, facts, said } = await stage(hasty);
    await conversation.send('[NEXT: max, sarah] Go.');
    await conversation.settled();
    expect(facts('turn-end')[0]?.result).toMatchObject({
      kind: 'timed-out',
      limit: 'idle',
      draft: 'Half [NEXT: sarah]',
    });
    expect(said().slice(1)).toEqual(['sarah: Here.']);
  });

  test('because what must be sent does not fit never starts, and the conversation goes on', async () => {
    const wordy = agent('max', { systemInstruction: 'x'.repeat(3000) });
    const tight = team([person(), wordy, sarah], { context: { maxBytes: 2000 } });
    const { conversation, facts, said } = await stage(tight);
    await conversation.send('[NEXT: max, sarah] Go.');
    await conversation.settled();
    expect(facts('turn-end')[0]).toMatchObject({
      memberId: 'max',
      result: { kind: 'failed', failure: { code: 'PROMPT_BUDGET' }, draft: '' },
    });
    expect(facts('turn-start').map(({ memberId }) => memberId)).toEqual(['sarah']);
    expect(said().at(-1)).toBe('sarah: Here.');
  });
});

test.concurrent.each([1, 2, 3])(
  'agents that misbehave at random (seed %d) leave a conversation that goes on',
  async (seed) => {
    const roulette = (name: string, agentType: string) =>
      hostile(name, 'roulette', {
        agentType,
        variables: { HOSTILE_SEED: `${seed}${name}`, HOSTILE_TEXT: 'Fine.' },
      });
    const members = [
      roulette('max', 'claude-code'),
      roulette('eve', 'openai-codex'),
      roulette('tom', 'google-gemini'),
    ];
    const { conversation, facts, said } = await stage(team([person(), ...members, sarah]));
    await conversation.send('[NEXT: max, eve, tom] Go.');
    await conversation.settled();
    const ended = facts('turn-end').map(({ turnId }) => turnId);
    expect(ended).toEqual(facts('turn-start').map(({ turnId }) => turnId));
    expect(ended.length).toBeGreaterThanOrEqual(3);
    await conversation.send('[NEXT: sarah] And you?');
    await conversation.settled();
    expect(said()).toContain('sarah: Here.');
  },
);

describe.concurrent('an answer', () => {
  test('that is empty is said to be empty, is no message, and the person is asked', async () => {
    const { conversation, facts, said } = await stage(team([person(), hostile('max', 'empty')]));
    await conversation.send('Go.');
    expect(await conversation.settled()).toMatchObject({ kind: 'waiting' });
    expect(facts('turn-end')).toMatchObject([{ result: { kind: 'completed', messageId: null } }]);
    expect(facts('notice')).toMatchObject([{ code: 'empty-reply', memberId: 'max' }]);
    expect(said()).toEqual(['kailai: Go.']);
  });

  test('counts when it is given, not when its process has left', async () => {
    const pidFile = join(temporaryFolder(), 'pids');
    const variables = { HOSTILE_PIDFILE: pidFile };
    const { conversation, said, seen } = await stage(
      team([person(), hostile('max', 'linger', { variables })]),
    );
    await conversation.send('Go.');
    await seen(({ type }) => type === 'message-added');
    expect(said()).toHaveLength(2);
    const [process] = registeredProcesses(pidFile);
    expect(process && isAlive(process.pid)).toBe(true);
    await conversation.close();
    expect(process && isAlive(process.pid)).toBe(false);
  });

  test('of a command whose exit code is not 0 is an answer, and the exit code is noted', async () => {
    const tests = program('tests', "console.log('2 of 3 passed'); process.exitCode = 1");
    const { conversation, facts, said } = await stage(team([person(), tests]));
    await conversation.send('Run them.');
    await conversation.settled();
    expect(said().at(-1)).toBe('tests: 2 of 3 passed');
    expect(facts('turn-activity')).toMatchObject([
      { event: { type: 'warning', about: { code: 'exit-after-answer', exitCode: 1 } } },
    ]);
  });
});

test.concurrent('jumps of the clock change no order and no duration', async () => {
  const hour = 3_600_000;
  let jumps = 0;
  const clock = () => 1e12 + (jumps++ % 2 === 0 ? 8 * hour : -hour);
  const { conversation, log, said } = await stage(
    team([person(), answering('max', 'Mine. [NEXT: sarah]'), sarah]),
    { clock },
  );
  await conversation.send('Go.');
  await conversation.settled();
  expect(said()).toEqual(['kailai: Go.', 'max: Mine. [NEXT: sarah]', 'sarah: Here.']);
  expect(log().map(({ seq }) => seq)).toEqual(log().map((_, index) => index + 1));
  const durations = log().flatMap((event) => (event.type === 'turn-end' ? event.milliseconds : []));
  expect(durations.every((milliseconds) => milliseconds >= 0 && milliseconds < hour)).toBe(true);
});

describe('what is sent', () => {
  const start = async () =>
    (await stageInProcess(team([person(), agent('max')]), () => answers('Yes.'))).conversation;

  test.each(['', ' \n\t'])('must not be blank: %j is refused', async (content) => {
    await expect((await start()).send(content)).rejects.toThrow(
      expect.objectContaining({ code: 'EMPTY_MESSAGE' }),
    );
  });

  test('must come from a person of the team', async () => {
    await expect((await start()).send('Hi.', { as: 'max' })).rejects.toThrow(
      expect.objectContaining({
        code: 'UNKNOWN_SPEAKER',
        message: 'No person "max" in this team. People: kailai.',
      }),
    );
  });

  test('must be text', async () => {
    await expect((await start()).send(null as unknown as string)).rejects.toThrow(TypeError);
  });
});

describe('a listener', () => {
  test('that throws hurts nobody', async () => {
    const { conversation, said } = await stageInProcess(team([person(), agent('max')]), () =>
      answers('Yes.'),
    );
    const heard: string[] = [];
    conversation.subscribe(() => {
      throw new Error('I am broken');
    });
    conversation.subscribe(({ type }) => heard.push(type));
    await conversation.send('Go.');
    await conversation.settled();
    expect(said()).toEqual(['kailai: Go.', 'max: Yes.']);
    expect(heard).toContain('turn-end');
  });

  test('that speaks at once is heard, and everybody hears everything in the order of the log', async () => {
    const { conversation, log, facts } = await stageInProcess(
      team([person(), agent('max'), agent('sarah')]),
      () => answers('Yes.'),
    );
    let replies = 0;
    conversation.subscribe((event) => {
      if (event.type === 'message-added' && replies++ < 3) conversation.send('[NEXT: sarah] And you?');
    });
    const heard: number[] = [];
    conversation.subscribe((event) => {
      if ('seq' in event) heard.push(event.seq);
    });
    await conversation.send('Go.');
    await conversation.settled();
    expect(heard).toEqual(
      log()
        .filter(({ type }) => type !== 'conversation-start' && type !== 'profile-changed')
        .map(({ seq }) => seq),
    );
    const turnIds = facts('turns-queued').flatMap(({ turns }) => turns.map(({ turnId }) => turnId));
    expect(new Set(turnIds).size).toBe(turnIds.length);
    expect(conversation.snapshot().state.queue).toEqual([]);
  });

  test('that leaves hears no more', async () => {
    const { conversation } = await stageInProcess(team([person(), agent('max')]), () => answers('Yes.'));
    const heard: string[] = [];
    const leave = conversation.subscribe(({ type }) => heard.push(type));
    leave();
    await conversation.pause();
    expect(heard).toEqual([]);
  });
});

/** Fails at one append, as a full disk does, and works again after it. */
function failingStore(failsAt: number): Store {
  let appends = 0;
  const store = new MemoryStore();
  const create = store.create.bind(store);
  store.create = async (id) => {
    const log = await create(id);
    const append = log.append.bind(log);
    log.append = (facts) => {
      appends += 1;
      if (appends === failsAt) throw new Error('disk full');
      return append(facts);
    };
    return log;
  };
  return store;
}

describe('a log that cannot be written', () => {
  const squad = team([person(), agent('max'), agent('sarah')], { task: 'Ship it' });

  test('from the start starts no conversation', async () => {
    await expect(stageInProcess(squad, () => answers('Yes.'), failingStore(1))).rejects.toThrow('disk full');
  });

  test.each([2, 3, 4, 5, 6])(
    'at append %d is told, memory equals the log, and nothing wedges',
    async (failsAt) => {
      const { conversation, facts } = await stageInProcess(
        squad,
        (name) => answers(name === 'max' ? 'Over. [NEXT: sarah]' : 'Done.'),
        failingStore(failsAt),
      );
      const run = async () => {
        await conversation.send('Go.');
        await conversation.settled();
      };
      await expect(run()).rejects.toThrow('disk full');
      expect(conversation.snapshot().messages).toEqual(facts('message-added').map(({ message }) => message));
      if (failsAt > 2) {
        await expect(conversation.send('Hello?')).rejects.toThrow('disk full');
        await expect(conversation.settled()).rejects.toThrow('disk full');
      }
      await conversation.close();
    },
  );

  test('when a person speaks loses nothing else: saying it again works', async () => {
    const { conversation, said } = await stageInProcess(squad, () => answers('Yes.'), failingStore(2));
    await expect(conversation.send('Go.')).rejects.toThrow('disk full');
    expect(said()).toEqual([]);
    await conversation.send('Go.');
    await conversation.settled();
    expect(said()).toEqual(['kailai: Go.', 'max: Yes.']);
  });

  test.concurrent.each([3, 4, 5])('at append %d of a blind round leaves no process', async (failsAt) => {
    const pidFile = join(temporaryFolder(), 'pids');
    const variables = { HOSTILE_PIDFILE: pidFile };
    const blind = team(
      [person(), hostile('max', 'fixed', { variables }), hostile('sarah', 'hang', { variables })],
      {
        routing: { fallback: 'human', fanout: 'blind' },
      },
    );
    const { conversation } = await stage(blind, { store: failingStore(failsAt) });
    await conversation.send('[NEXT: all] Go.');
    await expect(conversation.settled()).rejects.toThrow('disk full');
    expect(registeredProcesses(pidFile).filter(({ pid }) => isAlive(pid))).toEqual([]);
    await conversation.close();
  });
});
