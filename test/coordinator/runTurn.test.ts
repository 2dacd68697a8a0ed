import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type FinishedTurn, runTurn } from '../../src/coordinator/runTurn.js';
import type { AgentEvent } from '../../src/models/AgentEvent.js';
import { answers, ends } from './stage.js';

interface Followed {
  readonly kept: string[];
  readonly shown: string[];
  readonly finished: FinishedTurn[];
}

async function follow(start: () => AsyncIterable<AgentEvent>): Promise<Followed> {
  const followed: Followed = { kept: [], shown: [], finished: [] };
  await runTurn('max', start, {
    onActivity: ({ type }) => followed.kept.push(type),
    onProgress: ({ type }) => followed.shown.push(type),
    onEnd: async (finished) => void followed.finished.push(finished),
  });
  return followed;
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
          message: 'max: the turn could not be run (no ␛[31msuch thing, [redacted])',
          hint: 'Check this member in the team file, then send the message again.',
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

test('what the listener throws comes out, after the agent has been stopped', async () => {
  let isStopped = false;
  const start = async function* (): AsyncGenerator<AgentEvent> {
    try {
      yield* answers('Done.');
    } finally {
      isStopped = true;
    }
  };
  const turn = runTurn('max', start, {
    onActivity: () => undefined,
    onProgress: () => {
      throw new Error('disk full');
    },
    onEnd: async () => undefined,
  });
  await expect(turn).rejects.toThrow('disk full');
  expect(isStopped).toBe(true);
});

test('the end comes once, and what comes behind it waits until it has been taken', async () => {
  const steps: string[] = [];
  await runTurn('max', () => say(done, done, { type: 'error', message: 'It left late.' }), {
    onActivity: ({ type }) => steps.push(type),
    onProgress: () => undefined,
    onEnd: async ({ outcome }) => {
      await setImmediate();
      steps.push(outcome.kind);
    },
  });
  expect(steps).toEqual(['completed', 'error']);
});
