import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countUsage, NO_COUNTS } from '../../src/conversation/limitCounters.js';
import { addToUsage, NO_USAGE, priceUsage } from '../../src/conversation/usage.js';
import type { EndedTurn, FinishedTurn } from '../../src/coordinator/concludeTurn.js';
import { runTurn, type TurnStep } from '../../src/coordinator/runTurn.js';
import type { AgentEvent, TurnUsage } from '../../src/models/AgentEvent.js';
import type { ConversationFact } from '../../src/models/ConversationEvent.js';
import type { MemberId, MessageId, TurnId } from '../../src/models/ids.js';
import { toArray } from '../../src/utils/AnyIterable.js';
import { answers, ends } from './stage.js';
import { agent } from './teams.js';

interface Followed {
  readonly kept: string[];
  readonly shown: string[];
  readonly finished: FinishedTurn[];
}

const member = agent('max');
const turn = { turnId: 'turn-1' as TurnId, memberId: member.id, triggeredBy: 'msg-1' as MessageId };

function run(start: () => AsyncIterable<AgentEvent>): AsyncIterable<TurnStep> {
  const events = { [Symbol.asyncIterator]: () => start()[Symbol.asyncIterator]() };
  return runTurn(
    { turn, member, session: 'new', events },
    { agents: { reportOf: () => undefined }, log: {} },
  );
}

async function follow(start: () => AsyncIterable<AgentEvent>): Promise<Followed> {
  const followed: Followed = { kept: [], shown: [], finished: [] };
  for await (const step of run(start)) {
    if (step.kind === 'progress') followed.shown.push(step.event.type);
    else if (step.kind === 'facts') followed.kept.push(...step.facts.map(nameOf));
    else followed.finished.push(resultOf(step.ended));
  }
  return followed;
}

function nameOf(fact: ConversationFact): string {
  return fact.type === 'turn-activity' ? fact.event.type : fact.type;
}

function resultOf({ turn: _, member: _member, session, milliseconds, ...result }: EndedTurn): FinishedTurn {
  expect({ session, isTime: milliseconds >= 0 }).toEqual({ session: 'new', isTime: true });
  return result;
}

async function* say(...events: AgentEvent[]): AsyncGenerator<AgentEvent> {
  yield* events;
}

const usage = { inputTokens: 2, cachedInputTokens: 1, outputTokens: 3 };
const done = ends({ kind: 'completed', text: 'Done.' });

test('what an agent does is kept, what it is just saying is shown, what it took is in the end', async () => {
  const session: AgentEvent = { type: 'session', sessionId: 's-1' };
  const turn = say(
    session,
    session,
    { type: 'thinking', text: 'hm' },
    { type: 'tool-start', toolId: 't', name: 'Bash', input: 'ls' },
    { type: 'tool-end', toolId: 't', name: 'Bash', ok: true, result: '' },
    { type: 'text-delta', text: 'Do' },
    { type: 'raw', record: 7 },
    { type: 'usage', usage, sessionTotals: usage },
    done,
  );
  expect(await follow(() => turn)).toEqual({
    kept: ['session', 'tool-start', 'tool-end'],
    shown: ['thinking', 'text-delta', 'raw', 'usage'],
    finished: [
      { outcome: { kind: 'completed', text: 'Done.' }, usage, sessionTotals: usage, sessionId: 's-1' },
    ],
  });
});

test('usage that cannot be true is neither shown nor in the end; what can be is', async () => {
  const report = async (...usages: TurnUsage[]) => {
    const events = usages.map((usage): AgentEvent => ({ type: 'usage', usage, sessionTotals: usage }));
    const { shown, finished } = await follow(() => say(...events, done));
    const { outcome: _, ...spent } = finished[0] ?? {};
    return { shown, ...spent };
  };
  const isDoubtful = true;
  const wrong = { ...usage, outputTokens: -1 };
  expect(await report(wrong)).toEqual({ shown: [], isDoubtful });
  expect(await report({ ...usage, usd: Number.NaN })).toEqual({ shown: ['usage'], usage, isDoubtful });
  expect(await report({ ...wrong, usd: 2 })).toEqual({
    shown: ['usage'],
    usage: { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, usd: 2 },
    isDoubtful,
  });
  expect(await report(usage, wrong)).toEqual({ shown: ['usage'], usage, sessionTotals: usage, isDoubtful });
  const cached = { inputTokens: 2, cachedInputTokens: 9, outputTokens: 3 };
  expect(await report(cached)).toMatchObject({ usage: { inputTokens: 2, cachedInputTokens: 2 } });
});

test('whatever numbers an agent reports, what counts of them can be written down and never lowers a sum', async () => {
  const figure = fc.oneof(
    fc.double(),
    fc.integer(),
    fc.maxSafeNat(),
    fc.constantFrom(1e12, 1e12 + 1, 1e6, 1e308),
  );
  const anyUsage = fc.record(
    { inputTokens: figure, cachedInputTokens: figure, outputTokens: figure, usd: figure },
    { requiredKeys: ['inputTokens', 'cachedInputTokens', 'outputTokens'] },
  );
  const price = { model: 'm', input: 10, cachedInput: 1, output: 10 };
  await fc.assert(
    fc.asyncProperty(fc.array(anyUsage), fc.boolean(), async (usages, isStored) => {
      let counters = NO_COUNTS;
      let usage = NO_USAGE;
      for (const reported of usages) {
        const { finished } = await follow(() => say({ type: 'usage', usage: reported }, done));
        // A log of an earlier version has what was reported.
        const believed = isStored ? reported : finished[0]?.usage;
        if (believed === undefined) continue;
        const priced = priceUsage(believed, 'm', [price]);
        if (!isStored) expect(JSON.parse(JSON.stringify(priced))).toEqual(priced);
        const before = counters;
        counters = countUsage(counters, priced);
        usage = addToUsage(usage, { turnId: 't' as TurnId, memberId: 'm' as MemberId, usage: priced });
        expect(counters.tokens).toBeGreaterThanOrEqual(before.tokens);
        expect(counters.usd).toBeGreaterThanOrEqual(before.usd);
      }
      expect(JSON.parse(JSON.stringify({ usage, counters }))).toMatchObject({ usage });
      expect(usage.total.inputTokens + usage.total.outputTokens).toBe(counters.tokens);
    }),
  );
});

test('what is known of the session in the end is what was said last, and news of it is kept', async () => {
  const turn = say(
    { type: 'session', sessionId: 's-1' },
    { type: 'session', sessionId: 's-1', holdsPrompt: true },
    { type: 'session', sessionId: 's-1', mark: 'm-1' },
    { type: 'session', sessionId: 's-1', mark: 'm-2' },
    { type: 'session', sessionId: 's-1', holdsPrompt: false },
    done,
  );
  expect(await follow(() => turn)).toMatchObject({
    kept: ['session', 'session', 'session'],
    finished: [{ sessionId: 's-1', sessionMark: 'm-2', holdsPrompt: false }],
  });
});

test('an adapter that cannot even begin has failed its turn, in one clean line', async () => {
  const { finished } = await follow(() => {
    throw new Error('no \u001b[31msuch\nthing, sk-abcdefghijklmnopqrstuvwx');
  });
  expect(finished).toEqual([
    {
      outcome: {
        kind: 'failed',
        failure: {
          code: 'SPAWN',
          reason: 'adapter-broke',
          detail: 'no ␛[31msuch thing, [redacted]',
        },
        draft: '',
      },
    },
  ]);
});

test('an adapter that says no end has failed its turn', async () => {
  const { finished } = await follow(() => say({ type: 'text', text: 'Hm.' }));
  expect(finished).toMatchObject([{ outcome: { kind: 'failed', failure: { code: 'SPAWN' } } }]);
});

test('an adapter that breaks after its end has completed, and what broke is kept', async () => {
  const followed = await follow(async function* () {
    yield* answers('Done.');
    throw new Error('could not clean up');
  });
  expect(followed.finished).toMatchObject([{ outcome: { kind: 'completed' } }]);
  expect(followed.kept).toEqual(['error']);
});

test('only the first end counts', async () => {
  expect((await follow(() => say(done, ends({ kind: 'cancelled', draft: '' })))).finished).toHaveLength(1);
});

test('what the reader throws comes out, after the agent has been stopped', async () => {
  let isStopped = false;
  const start = async function* (): AsyncGenerator<AgentEvent> {
    try {
      yield* answers('Done.');
    } finally {
      isStopped = true;
    }
  };
  const turn = async () => {
    for await (const { kind } of run(start)) if (kind === 'progress') throw new Error('disk full');
  };
  await expect(turn()).rejects.toThrow('disk full');
  expect(isStopped).toBe(true);
});

test('the end comes once, and what comes behind it waits until it has been taken', async () => {
  const turn = () => say(done, done, { type: 'error', message: 'It left late.' });
  expect((await toArray(run(turn))).map(({ kind }) => kind)).toEqual(['end', 'facts']);
});
