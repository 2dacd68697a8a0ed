import { describe, expect, onTestFinished, test } from 'vitest';
import type { PermissionAnswer, TurnRequest } from '../../src/agents/AgentAdapter.js';
import { ConversationStarter } from '../../src/coordinator/ConversationStarter.js';
import type { AgentEvent } from '../../src/models/AgentEvent.js';
import type { ConversationEvent } from '../../src/models/ConversationEvent.js';
import { MemoryStore } from '../../src/store/memory/MemoryStore.js';
import type { Store } from '../../src/store/Store.js';
import { toArray } from '../../src/utils/AnyIterable.js';
import { ID } from '../store/facts.js';
import { LateStore, whatFollows } from '../store/LateStore.js';
import { agentNamed, agentsThat, hangs, type Play, says, startWith, teamOf } from '../store/stage.js';

const team = teamOf([agentNamed('max')]);
const GO = '[NEXT: max] Go.';

/** A conversation of which nothing more becomes durable until the store delivers it. */
async function startLate(play: Play = () => says('Done.')) {
  const store = new LateStore();
  const asked: TurnRequest[] = [];
  const agents = agentsThat((request, signal) => {
    asked.push(request);
    return play(request, signal);
  });
  const options = { team, store, agents, interactive: true, createId: () => ID };
  const conversation = await new ConversationStarter().start(options);
  const told: ConversationEvent[] = [];
  conversation.subscribe((event) => told.push(event));
  store.hold();
  onTestFinished(async () => {
    await Promise.all([conversation.close(), deliverAll(store)]);
  });
  const types = () => told.map((event) => ('event' in event ? event.event.type : event.type));
  return { store, conversation, told, types, asked };
}

/** Until nothing more comes. */
async function deliverAll(store: LateStore): Promise<void> {
  for (let rounds = 0; rounds < 20; rounds++) await store.deliver();
}

/** Whether a promise has settled by now. */
function follow(promise: Promise<unknown>) {
  const state = { isSettled: false, error: undefined as unknown };
  promise.then(
    () => {
      state.isSettled = true;
    },
    (error: unknown) => Object.assign(state, { isSettled: true, error }),
  );
  return state;
}

describe('before what was appended is durable', () => {
  test('a conversation is not handed out', async () => {
    const store = new LateStore();
    store.hold();
    const starting = startWith(store, team, () => says('Done.'), ID);
    const state = follow(starting);
    await store.deliver(0);
    await store.deliver(0);
    expect({ ...state, waiting: store.waiting }).toMatchObject({ isSettled: false, waiting: 1 });
    await store.deliver();
    await (await starting).close();
  });

  test('a message is not told, shown or answered, and its promise waits', async () => {
    const { store, conversation, types, asked } = await startLate();
    const sent = conversation.send(GO);
    const state = follow(sent);
    await whatFollows();
    expect({ types: types(), asked, ...state }).toMatchObject({ types: [], asked: [], isSettled: false });
    expect(conversation.snapshot()).toMatchObject({ messages: [], phase: { kind: 'idle' } });
    await store.deliver(1);
    expect(types()).toEqual(['message-added', 'turns-queued']);
    expect(await sent).toMatchObject({ id: 'msg-1' });
    expect(conversation.snapshot().messages).toHaveLength(1);
    expect(asked).toEqual([]);
    await store.deliver(1);
    expect(types().at(2)).toBe('turn-start');
    expect(asked).toHaveLength(1);
  });

  test('two messages at once keep their order, and each waits for itself', async () => {
    const { store, conversation, told } = await startLate();
    const first = follow(conversation.send('[NEXT: kailai] One.'));
    const second = follow(conversation.send('[NEXT: kailai] Two.'));
    await store.deliver(1);
    expect([first.isSettled, second.isSettled]).toEqual([true, false]);
    await store.deliver(1);
    expect(second.isSettled).toBe(true);
    const messages = told.flatMap((event) => (event.type === 'message-added' ? [event.message] : []));
    expect(messages.map(({ id, content }) => `${id} ${content.slice(-4)}`)).toEqual([
      'msg-1 One.',
      'msg-2 Two.',
    ]);
  });

  test('what an agent is just saying waits for what it did before', async () => {
    const tool: AgentEvent = { type: 'tool-start', toolId: 't', name: 'Bash', input: 'ls' };
    const { store, conversation, types } = await startLate(async function* (_request, signal) {
      yield tool;
      yield { type: 'text-delta', text: 'Hm' };
      yield* hangs(_request, signal);
    });
    void conversation.send(GO);
    await store.deliver(2);
    expect(types().at(-1)).toBe('turn-start');
    await store.deliver(1);
    expect(types().slice(-2)).toEqual(['tool-start', 'text-delta']);
  });

  test('a conversation is not settled, and its history waits', async () => {
    const { store, conversation } = await startLate();
    void conversation.send('[NEXT: kailai] Hello.');
    const settled = follow(conversation.settled());
    const history = follow(toArray(conversation.history()));
    await whatFollows();
    expect([settled.isSettled, history.isSettled]).toEqual([false, false]);
    await deliverAll(store);
    expect([settled.isSettled, history.isSettled]).toEqual([true, true]);
  });

  test('pausing, continuing and retrying wait', async () => {
    const { store, conversation } = await startLate();
    for (const verb of ['pause', 'resume', 'retry'] as const) {
      const state = follow(conversation[verb]());
      await whatFollows();
      expect([verb, state.isSettled]).toEqual([verb, verb === 'retry']);
      await store.deliver();
      expect(state.isSettled).toBe(true);
    }
  });

  test('cancelling stops the agent at once all the same', async () => {
    let isStopped = false;
    const { store, conversation, types } = await startLate(async function* (request, signal) {
      signal.addEventListener('abort', () => {
        isStopped = true;
      });
      yield* hangs(request, signal);
    });
    void conversation.send(GO);
    await deliverAll(store);
    const cancelled = follow(conversation.cancel());
    await whatFollows();
    expect({ isStopped, ...cancelled }).toMatchObject({ isStopped: true, isSettled: false });
    expect(types()).not.toContain('conversation-pause');
    await deliverAll(store);
    expect(cancelled.isSettled).toBe(true);
    expect(types().slice(-2)).toEqual(['conversation-pause', 'turn-end']);
  });

  test('a turn that is cancelled before it began finds itself stopped', async () => {
    const stopped: boolean[] = [];
    const { store, conversation } = await startLate(async function* (_request, signal) {
      stopped.push(signal.aborted);
      yield { type: 'end', outcome: { kind: 'cancelled', draft: '' } };
    });
    void conversation.send(GO);
    await store.deliver(1);
    void conversation.cancel();
    await deliverAll(store);
    expect(stopped).toEqual([true]);
    expect(await conversation.settled()).toEqual({ kind: 'paused', reason: { kind: 'cancelled' } });
  });

  test('closing waits, and nothing is lost', async () => {
    const { store, conversation } = await startLate(hangs);
    const sent = conversation.send(GO);
    const closed = follow(conversation.close());
    await whatFollows();
    expect(closed.isSettled).toBe(false);
    await deliverAll(store);
    await sent;
    expect(closed.isSettled).toBe(true);
    const kept = await toArray((await store.read(ID)).read());
    expect(kept.slice(-2).map(({ type }) => type)).toEqual(['turn-start', 'turn-end']);
    await (await store.open(ID)).close();
  });

  test('a permission request is not told, and its decision not passed on', async () => {
    const answers: PermissionAnswer[] = [];
    const { store, conversation, types } = await startLate(async function* ({ askPermission }, signal) {
      const question = {
        requestId: 'r',
        name: 'Bash',
        input: 'ls',
        kind: 'execute',
        title: 'ls',
        command: 'ls',
      };
      const known = {
        paths: [],
        isInFolder: true,
        guards: [],
        extent: 'whole',
        isUnderstood: true,
        isAsked: true,
      } as const;
      const answer = await askPermission?.({ ...question, ...known, signal });
      if (answer !== undefined) answers.push(answer);
      yield* says('Done.');
    });
    void conversation.send(GO);
    await store.deliver(1);
    await store.deliver(1);
    expect(types().at(-1)).toBe('turn-start');
    await store.deliver(1);
    expect(types().at(-1)).toBe('permission-request');
    const answered = follow(conversation.answerPermission('r', 'allow'));
    await whatFollows();
    expect({ answers, ...answered }).toMatchObject({ answers: [], isSettled: false });
    await store.deliver(1);
    expect({ answers, ...answered }).toMatchObject({ answers: ['allow'], isSettled: true });
  });
});

test('a whole conversation goes as it does with a store that keeps at once', async () => {
  const squad = teamOf([agentNamed('max'), agentNamed('sarah')], {
    routing: { fallback: 'human', fanout: 'blind' },
  });
  const talk: Play = ({ memberName, prompt }) =>
    says(prompt.includes('Both') ? `${memberName} here. [NEXT: sarah]` : 'Done.');
  const hold = async (store: Store) => {
    const told: string[] = [];
    const conversation = await startWith(store, squad, talk, ID);
    conversation.subscribe(({ type }) => told.push(type));
    await conversation.send('[NEXT: max, sarah] Both.');
    await conversation.settled();
    await Promise.all([conversation.send('[NEXT: max] One.'), conversation.send('[NEXT: sarah] Two.')]);
    await conversation.settled();
    await conversation.close();
    const kept = await toArray((await store.read(ID)).read());
    return { told, kept: kept.map(({ type }) => type) };
  };
  const { told, kept } = await hold(new LateStore());
  expect({ told, kept }).toEqual(await hold(new MemoryStore()));
  expect(told.filter((type) => type === 'turn-end').length).toBeGreaterThan(3);
});

describe('when what was appended never becomes durable', () => {
  const lost = new Error('the store is gone');

  test('nothing of it was told, and every later call rejects with the same error', async () => {
    const { store, conversation, told, asked } = await startLate();
    const sent = follow(conversation.send(GO));
    const settled = follow(conversation.settled());
    await store.lose(lost);
    expect([sent.error, settled.error]).toEqual([lost, lost]);
    expect({ told, asked, messages: conversation.snapshot().messages }).toEqual({
      told: [],
      asked: [],
      messages: [],
    });
    for (const verb of ['pause', 'resume', 'retry', 'cancel', 'settled'] as const)
      await expect(conversation[verb]()).rejects.toBe(lost);
    await expect(conversation.send(GO)).rejects.toBe(lost);
    await expect(conversation.answerPermission('r', 'deny')).rejects.toBe(lost);
    await conversation.close();
    expect(told).toEqual([]);
  });

  test('the running agent is stopped, and what it still says is not kept', async () => {
    let isStopped = false;
    const { store, conversation, types } = await startLate(async function* (request, signal) {
      yield { type: 'tool-start', toolId: 't', name: 'Bash', input: 'ls' };
      signal.addEventListener('abort', () => {
        isStopped = true;
      });
      yield* hangs(request, signal);
    });
    const sent = conversation.send(GO);
    await store.deliver(1);
    await sent;
    await store.deliver(1);
    await store.lose(lost);
    await expect(conversation.settled()).rejects.toBe(lost);
    expect({ isStopped, last: types().at(-1) }).toEqual({ isStopped: true, last: 'turn-start' });
    const kept = await toArray((await store.read(ID)).read());
    expect(kept.at(-1)?.type).toBe('turn-start');
  });

  test('while the conversation closes, it closes all the same and `settled` says why', async () => {
    const { store, conversation } = await startLate(hangs);
    const sent = follow(conversation.send(GO));
    const closed = conversation.close();
    await store.lose(lost);
    await closed;
    expect(sent.error).toBe(lost);
    await expect(conversation.settled()).rejects.toBe(lost);
    await (await store.open(ID)).close();
  });
});

describe('when much is not durable yet', () => {
  test.each([
    ['1,000 facts', 5000, 'x', 1000],
    ['4 MB', 200, 'x'.repeat(100_000), 42],
  ])('beyond %s the output of an agent is not read on', async (_, count, input, limit) => {
    let read = 0;
    const { store, conversation, told } = await startLate(async function* () {
      for (read = 0; read < count; read++)
        yield { type: 'tool-start', toolId: `t-${read}`, name: 'Bash', input } satisfies AgentEvent;
      yield* says('Done.');
    });
    const sent = conversation.send(GO);
    await store.deliver(1);
    await sent;
    await store.deliver(1);
    let before = -1;
    for (; before !== read; await whatFollows()) before = read;
    expect(store.waiting).toBeGreaterThanOrEqual(limit - 2);
    expect(store.waiting).toBeLessThanOrEqual(limit);
    while (read < count) await store.deliver();
    await deliverAll(store);
    expect(await conversation.settled()).toMatchObject({ kind: 'waiting' });
    expect(told.filter(({ type }) => type === 'turn-activity')).toHaveLength(count);
  });
});
