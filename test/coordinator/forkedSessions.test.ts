import { describe, expect, test } from 'vitest';
import type { TurnRequest } from '../../src/agents/AgentAdapter.js';
import type { Conversation } from '../../src/coordinator/Conversation.js';
import { explainTurns } from '../../src/coordinator/explainTurn.js';
import type { AgentEvent } from '../../src/models/AgentEvent.js';
import type { ConversationId } from '../../src/models/ids.js';
import { forkConversation } from '../../src/store/forkConversation.js';
import { importConversation } from '../../src/store/importConversation.js';
import { MemoryStore } from '../../src/store/memory/MemoryStore.js';
import { formatEventLines } from '../../src/transcript/exportFormats.js';
import { toArray } from '../../src/utils/AnyIterable.js';
import { failureOf } from '../failureOf.js';
import { agentNamed, factsOf, hangs, resumeWith, says, startWith, teamOf } from '../store/stage.js';

/** An agent with sessions of its own, whose model is sent the whole session every time. */
class RememberingAgent {
  readonly received: string[] = [];
  readonly requests: TurnRequest[] = [];
  readonly sessions = new Map<string, readonly string[]>();
  /** The next turn ends so, before a word. */
  next: 'answer' | 'refuse' | 'hang' = 'answer';
  readonly #hasMarks: boolean;

  constructor(hasMarks: boolean) {
    this.#hasMarks = hasMarks;
  }

  async *play(request: TurnRequest, signal: AbortSignal): AsyncGenerator<AgentEvent> {
    this.requests.push(request);
    const { session, prompt, systemFlag = '' } = request;
    const { next } = this;
    this.next = 'answer';
    if (next === 'refuse')
      return yield { type: 'end', outcome: { kind: 'failed', failure: failureOf('AGENT_ERROR'), draft: '' } };
    const before = session.kind === 'new' ? [] : (this.sessions.get(session.sessionId) ?? []);
    const length = session.kind === 'fork' && session.at !== undefined ? Number(session.at) : before.length;
    const sessionId = session.kind === 'resume' ? session.sessionId : `session-${this.requests.length}`;
    yield { type: 'session', sessionId };
    if (next === 'hang') return yield* hangs(request, signal);
    const sent = [...before.slice(0, length), prompt];
    this.received.push([systemFlag, ...sent].join('\n'));
    const text = `reply-${this.requests.length}.`;
    this.sessions.set(sessionId, [...sent, text]);
    if (this.#hasMarks) yield { type: 'session', sessionId, mark: String(sent.length + 1) };
    const usage = { inputTokens: 1, cachedInputTokens: 0, outputTokens: 1 };
    yield { type: 'usage', usage, sessionTotals: { ...usage, inputTokens: sent.length } };
    yield* says(text);
  }
}

const AGENTS = {
  'claude-code': { hasMarks: true, forksLatest: true, forksEarlier: true },
  'openai-codex': { hasMarks: false, forksLatest: true, forksEarlier: false },
  'google-gemini': { hasMarks: false, forksLatest: false, forksEarlier: false },
};

describe.each(Object.entries(AGENTS))('a %s member with session memory', (agentType, habits) => {
  const { hasMarks, forksLatest, forksEarlier } = habits;

  test('is sent the past up to the latest message, and nothing that comes after in the original', async () => {
    const scene = await begin(agentType, hasMarks);
    await scene.say(scene.original, 'The password is tulip.');
    const fork = await scene.fork();
    await scene.say(fork, 'What was the password?');
    expect(scene.agent.received.at(-1)).toContain('tulip');
    expect(scene.agent.requests.at(-1)?.session.kind).toBe(forksLatest ? 'fork' : 'new');
    await scene.check(fork, forksLatest ? [] : ['session-not-forked']);
    await scene.say(scene.original, 'The other one is rose.');
    expect(scene.agent.received.at(-1)).not.toContain('What was the password?');
    await scene.say(fork, 'And then?');
    expect(scene.agent.received.at(-1)).not.toContain('rose');
    expect(scene.agent.received.at(-1)).toContain('What was the password?');
    expect(scene.agent.requests.at(-1)?.session).toMatchObject({ kind: 'resume' });
  });

  test('is sent the past up to an earlier message', async () => {
    const scene = await begin(agentType, hasMarks);
    await scene.say(scene.original, 'The password is tulip.');
    await scene.say(scene.original, 'Now it is rose.');
    const fork = await scene.fork({ at: '2' });
    await scene.say(fork, 'What was the password?');
    const received = scene.agent.received.at(-1);
    expect(received).toContain('tulip');
    expect(received).toContain('reply-1.');
    expect(received).not.toContain('rose');
    const [start] = (await factsOf(fork, 'turn-start')).slice(-1);
    expect(start?.prompt.session).toBe(forksEarlier ? 'fork' : 'new');
    if (forksEarlier) {
      expect(start?.prompt.lastSeenMessageId).toBe('msg-1');
      expect(scene.agent.requests.at(-1)).toMatchObject({ sessionTotals: { inputTokens: 1 } });
    }
    await scene.check(fork, forksEarlier ? [] : ['session-not-forked']);
  });

  test('gets the whole prompt when its agent takes no copy, and that is said', async () => {
    const scene = await begin(agentType, hasMarks);
    await scene.say(scene.original, 'The password is tulip.');
    const fork = await scene.fork();
    if (forksLatest) scene.agent.next = 'refuse';
    await scene.say(fork, 'What was the password?');
    expect(scene.agent.received.at(-1)).toContain('tulip');
    expect(scene.agent.requests.at(-1)?.session.kind).toBe('new');
    expect(fork.snapshot().state.unfinished).toEqual([]);
    await scene.check(fork, ['session-not-forked']);
  });

  test('takes the copy again after a turn in it that was stopped', async () => {
    const scene = await begin(agentType, hasMarks);
    await scene.say(scene.original, 'The password is tulip.');
    const fork = await scene.fork();
    scene.agent.next = 'hang';
    const started = new Promise<void>((resolve) => {
      fork.subscribe((event) => event.type === 'turn-activity' && resolve());
    });
    await fork.send('Stop this. [NEXT: max]');
    await started;
    await fork.cancel();
    await fork.settled();
    await scene.say(fork, 'What was the password?');
    expect(scene.agent.received.at(-1)).toContain('tulip');
    expect(scene.agent.received.at(-1)).toContain('Stop this.');
    expect(scene.agent.requests.at(-1)?.session.kind).toBe(forksLatest ? 'fork' : 'new');
    await scene.check(fork, forksLatest ? [] : ['session-not-forked']);
  });
});

test('a session of an original that is gone is not copied', async () => {
  const scene = await begin('claude-code', true);
  await scene.say(scene.original, 'The password is tulip.');
  const fork = await scene.fork();
  await scene.original.close();
  await scene.store.delete(scene.original.id);
  await scene.say(fork, 'What was the password?');
  expect(scene.agent.requests.at(-1)?.session.kind).toBe('new');
  expect(scene.agent.received.at(-1)).toContain('tulip');
  await scene.check(fork, ['session-not-forked']);
});

test('a session of another agent is not continued, when the member has become one', async () => {
  const scene = await begin('claude-code', true);
  await scene.say(scene.original, 'The password is tulip.');
  const { id } = await forkConversation(scene.store, scene.original.id);
  const team = teamOf([agentNamed('max', { agentType: 'openai-codex', memory: 'session' })]);
  const fork = await resumeWith(scene.store, id, team, (request, signal) =>
    scene.agent.play(request, signal),
  );
  await scene.say(fork, 'What was the password?');
  expect(scene.agent.requests.at(-1)?.session.kind).toBe('new');
  expect(scene.agent.received.at(-1)).toContain('tulip');
  await scene.check(fork, []);
});

test('a session in which a turn of the original runs has grown', async () => {
  const scene = await begin('openai-codex', false);
  await scene.say(scene.original, 'The password is tulip.');
  const fork = await scene.fork();
  scene.agent.next = 'hang';
  await scene.original.send('Go on. [NEXT: max]');
  await scene.say(fork, 'What was the password?');
  expect(scene.agent.requests.at(-1)?.session.kind).toBe('new');
  await scene.check(fork, ['session-not-forked']);
  await scene.original.close();
});

test('a fork of a fork takes its copy from where the session was made', async () => {
  const scene = await begin('openai-codex', false);
  await scene.say(scene.original, 'The password is tulip.');
  const first = await scene.fork();
  const second = await scene.fork({}, first.id);
  await scene.say(second, 'What was the password?');
  expect(scene.agent.requests.at(-1)?.session).toMatchObject({ kind: 'fork', sessionId: 'session-1' });
  await scene.say(scene.original, 'Now it is rose.');
  const third = await scene.fork({ at: '2' }, second.id);
  await scene.say(third, 'What was the password?');
  expect(scene.agent.requests.at(-1)?.session.kind).toBe('new');
  expect(scene.agent.received.at(-1)).not.toContain('rose');
  await scene.check(third, ['session-not-forked']);
});

test('no session of an imported log is copied: nobody knows what it holds by now', async () => {
  const scene = await begin('openai-codex', false);
  await scene.say(scene.original, 'The password is tulip.');
  const lines = await toArray(formatEventLines(scene.original.history()));
  const chunks = lines.map((line) => new TextEncoder().encode(line));
  const imported = await importConversation(scene.store, chunks, { as: 'imported' as ConversationId });
  const fork = await scene.fork({}, imported);
  await scene.say(fork, 'What was the password?');
  expect(scene.agent.requests.at(-1)?.session.kind).toBe('new');
  await scene.check(fork, ['session-not-forked']);
});

async function begin(agentType: string, hasMarks: boolean) {
  const store = new MemoryStore();
  const agent = new RememberingAgent(hasMarks);
  const team = teamOf([agentNamed('max', { agentType, memory: 'session' })]);
  const play = (request: TurnRequest, signal: AbortSignal) => agent.play(request, signal);
  const original = await startWith(store, team, play);
  return {
    store,
    agent,
    original,
    async fork(place: { at?: string } = {}, from = original.id): Promise<Conversation> {
      const { id } = await forkConversation(store, from, place);
      return resumeWith(store, id, team, play);
    },
    async say(conversation: Conversation, text: string): Promise<void> {
      await conversation.send(`${text} [NEXT: max]`);
      await conversation.settled();
    },
    /** Says so once, and every prompt can be made again from the log. */
    async check(conversation: Conversation, codes: readonly string[]): Promise<void> {
      expect((await factsOf(conversation, 'notice')).map(({ code }) => code)).toEqual(codes);
      for await (const { turnId, isExact } of explainTurns(conversation.history()))
        expect([turnId, isExact]).toEqual([turnId, true]);
      await conversation.settled();
    },
  };
}
