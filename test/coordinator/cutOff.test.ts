import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TurnRequest } from '../../src/agents/AgentAdapter.js';
import type { Conversation } from '../../src/coordinator/Conversation.js';
import { explainTurns } from '../../src/coordinator/explainTurn.js';
import type { AgentEvent } from '../../src/models/AgentEvent.js';
import type { TurnFailureCode } from '../../src/models/TurnOutcome.js';
import { MemoryStore } from '../../src/store/memory/MemoryStore.js';
import { toArray } from '../../src/utils/AnyIterable.js';
import { failureOf } from '../failureOf.js';
import { ID } from '../store/facts.js';
import { agentNamed, factsOf, type Play, resumeWith, says, startWith, teamOf } from '../store/stage.js';
import { tries } from '../tier.js';

/** What an agent's own session does with the prompt of a turn that is cut off, and what it lets be known of that. */
const AGENTS = {
  'that can fork its session at a place': { hasMarks: true, keeps: 'sometimes' },
  'whose session keeps the prompt': { hasMarks: false, keeps: 'always' },
  'that takes the prompt back when its turn fails': { hasMarks: false, keeps: 'unless-failed' },
  'of which nothing is known': { hasMarks: false, keeps: 'sometimes' },
} as const;

type Habits = (typeof AGENTS)[keyof typeof AGENTS];

/** How a turn ends. */
type Ending =
  | 'answered'
  | 'cancelled'
  | 'failed'
  | 'killed'
  /** Together with Huddle, before that had heard anything of it. */
  | 'killed-unheard'
  | 'died-at-start'
  | 'session-gone';

interface Entry {
  readonly mark: string;
  readonly text: string;
}

/** An agent with sessions of its own, and the model behind it, which is sent the whole session every time. */
class RememberingAgent {
  /** What the model was sent, oldest first. */
  readonly received: string[] = [];
  ending: Ending = 'answered';
  readonly #habits: Habits;
  readonly #sessions = new Map<string, readonly Entry[]>();
  #count = 0;
  #onAsked: () => void = () => undefined;

  constructor(habits: Habits) {
    this.#habits = habits;
  }

  /** Resolves when the model has been asked. */
  asked(): Promise<void> {
    return new Promise((resolve) => {
      this.#onAsked = resolve;
    });
  }

  readonly play: Play = (request, signal) => this.#play(request, signal);

  async *#play(request: TurnRequest, signal: AbortSignal): AsyncGenerator<AgentEvent> {
    const { session, prompt, systemFlag = '' } = request;
    const ending = this.ending;
    this.ending = 'answered';
    const isGone = ending === 'session-gone' && session.kind !== 'new';
    if (isGone || ending === 'died-at-start') {
      this.#onAsked();
      return yield failed(isGone ? 'SESSION_UNKNOWN' : 'NO_FINAL_EVENT');
    }
    const number = ++this.#count;
    const before = this.#open(session);
    const sessionId = session.kind === 'resume' ? session.sessionId : `session-${number}`;
    const { hasMarks, keeps } = this.#habits;
    const isHeard = ending !== 'killed-unheard';
    if (isHeard) yield { type: 'session', sessionId };
    const isKept = keeps === 'sometimes' ? number % 2 === 0 : true;
    const withPrompt = [...before, { mark: `prompt-${number}`, text: prompt }];
    if (isKept) this.#sessions.set(sessionId, withPrompt);
    if (isHeard && keeps !== 'sometimes') yield { type: 'session', sessionId, holdsPrompt: true };
    this.received.push([systemFlag, ...withPrompt.map(({ text }) => text)].join('\n'));
    this.#onAsked();
    switch (ending) {
      case 'cancelled':
      case 'killed':
      case 'killed-unheard':
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
        return yield { type: 'end', outcome: { kind: 'cancelled', draft: '' } };
      case 'failed':
        if (keeps === 'unless-failed') {
          this.#sessions.set(sessionId, before);
          yield { type: 'session', sessionId, holdsPrompt: false };
        }
        return yield failed('AGENT_ERROR');
      default: {
        const [mark, text] = [`answer-${number}`, `reply-${number}.`];
        this.#sessions.set(sessionId, [...withPrompt, { mark, text }]);
        if (hasMarks) yield { type: 'session', sessionId, mark };
        yield* says(text);
      }
    }
  }

  #open(session: TurnRequest['session']): readonly Entry[] {
    if (session.kind === 'new') return [];
    const entries = this.#sessions.get(session.sessionId) ?? [];
    if (session.kind === 'resume' || session.at === undefined) return entries;
    return entries.slice(0, entries.findIndex(({ mark }) => mark === session.at) + 1);
  }
}

function failed(code: TurnFailureCode): AgentEvent {
  return { type: 'end', outcome: { kind: 'failed', failure: failureOf(code), draft: '' } };
}

interface Step {
  readonly ending: Ending;
  /** Asks again for what did not complete, where there is something; otherwise a person speaks. */
  readonly retries: boolean;
}

/** Plays the steps and looks after each of them at what the model was sent. */
async function playAll(habits: Habits, guard: 'on' | 'fence', steps: readonly Step[]): Promise<Conversation> {
  const agent = new RememberingAgent(habits);
  const store = new MemoryStore();
  const members = [agentNamed('max', { agentType: 'openai-codex', memory: 'session' })];
  const team = teamOf(members, { context: { maxBytes: 786_432, guard } });
  let conversation = await startWith(store, team, agent.play, ID);
  for (const [index, { ending, retries }] of steps.entries()) {
    agent.ending = ending;
    const before = agent.received.length;
    const asked = agent.asked();
    if (!retries || (await conversation.retry()) === 0)
      await conversation.send(`[NEXT: max] question-${index}.`);
    const texts = conversation.snapshot().messages.map(({ content }) => /\w+-\d+\./.exec(content)?.[0] ?? '');
    await asked;
    if (ending === 'cancelled') await conversation.cancel();
    if (ending.startsWith('killed'))
      conversation = await resumeWith(store, ID, team, agent.play, { takeOver: true });
    else await conversation.settled();
    for (const request of agent.received.slice(before))
      expect(texts.map((text) => [text, request.split(text).length - 1])).toEqual(
        texts.map((text) => [text, 1]),
      );
  }
  return conversation;
}

const steps = fc.array(
  fc.record({
    ending: fc.constantFrom<Ending[]>(
      'answered',
      'cancelled',
      'failed',
      'killed',
      'killed-unheard',
      'died-at-start',
      'session-gone',
    ),
    retries: fc.boolean(),
  }),
  { minLength: 2, maxLength: 9 },
);

describe.each(Object.entries(AGENTS))('an agent %s', (_, habits) => {
  test('however its turns are cut off, its model is sent every message exactly once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('on' as const, 'fence' as const), steps, async (guard, played) => {
        const conversation = await playAll(habits, guard, played);
        await conversation.close();
        const turns = await toArray(explainTurns(conversation.history()));
        expect(turns.filter(({ isExact }) => !isExact)).toEqual([]);
      }),
      { numRuns: tries(60) },
    );
  });
});

const CUT_OFF: readonly Step[] = [
  { ending: 'answered', retries: false },
  { ending: 'cancelled', retries: false },
];

test.each([
  ['that can fork its session at a place', ['new', 'resume', 'fork'], 0],
  ['whose session keeps the prompt', ['new', 'resume', 'resume'], 0],
  ['that takes the prompt back when its turn fails', ['new', 'resume', 'resume'], 0],
  ['of which nothing is known', ['new', 'resume', 'new'], 1],
] as const)('an agent %s goes on after a cancelled turn in: %j', async (name, sessions, notices) => {
  for (const retries of [false, true]) {
    const conversation = await playAll(AGENTS[name], 'on', [...CUT_OFF, { ending: 'answered', retries }]);
    expect((await factsOf(conversation, 'turn-start')).map(({ prompt }) => prompt.session)).toEqual(sessions);
    expect(await factsOf(conversation, 'notice')).toHaveLength(notices);
    await conversation.close();
  }
});

test('a member whose session has the prompt of the turn that was cut off is told so in one line', async () => {
  const habits = AGENTS['whose session keeps the prompt'];
  const prompts = async (retries: boolean) => {
    const conversation = await playAll(habits, 'on', [...CUT_OFF, { ending: 'answered', retries }]);
    await conversation.close();
    return (await toArray(explainTurns(conversation.history()))).at(-1)?.output.prompt;
  };
  expect(await prompts(false)).toBe(
    [
      '[CONTEXT]',
      '- system -> max: Your last turn was cut off before you had answered; what you were sent in it is not repeated.',
      '',
      '[MESSAGE]',
      'question-2.',
    ].join('\n'),
  );
  expect(await prompts(true)).toBe(
    [
      '[MESSAGE]',
      'Your last turn was cut off before you had answered. Answer now what you were sent in it, which is not repeated.',
    ].join('\n'),
  );
});

describe('an outage', () => {
  test.each(['failed', 'cancelled', 'killed'] as const)(
    'a turn that %s does not lose the session',
    async (ending) => {
      const habits = AGENTS['whose session keeps the prompt'];
      const answered = { ending: 'answered', retries: false } as const;
      const conversation = await playAll(habits, 'on', [
        answered,
        { ending, retries: false },
        { ending, retries: true },
        { ending: 'answered', retries: true },
      ]);
      const ids = (await factsOf(conversation, 'turn-end')).map(({ sessionId }) => sessionId);
      expect(ids).toEqual(['session-1', 'session-1', 'session-1', 'session-1']);
      await conversation.close();
    },
  );
});
