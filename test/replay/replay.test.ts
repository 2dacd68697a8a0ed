import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TurnId } from '../../src/models/ids.js';
import type { Limits, Team } from '../../src/models/Team.js';
import { type Attempt, sumUp } from '../../src/replay/Attempt.js';
import {
  Budget,
  type ReplayResult,
  replayQuestions,
  replayTurns,
  startResult,
} from '../../src/replay/askAgain.js';
import { type RecordedConversation, readRecording } from '../../src/replay/ConversationMeasure.js';
import { forkTurn, limitToTurn, saveFork } from '../../src/replay/forkTurn.js';
import { MemoryStore } from '../../src/store/memory/MemoryStore.js';
import { ID } from '../store/facts.js';
import { agentNamed, type Play, resumeWith, startWith, teamOf } from '../store/stage.js';

const NAMES = ['max', 'sarah', 'carol'];
const TEXTS = [
  'Yes.',
  'No. [NEXT: max]',
  'Why? [NEXT: sarah, carol]',
  '会话。 [NEXT: carol]',
  'Kim? [NEXT: kailai]',
];

/** Answers by what it is asked, at a price: the same prompt is answered in the same way. */
const answering: Play = async function* ({ prompt, systemFlag = '' }) {
  const hash = createHash('sha256').update(systemFlag).update(prompt).digest();
  const text = TEXTS[(hash[0] ?? 0) % TEXTS.length] ?? '';
  yield { type: 'usage', usage: { inputTokens: 10, cachedInputTokens: 0, outputTokens: 2, usd: 0.1 } };
  yield { type: 'text', text };
  yield { type: 'end', outcome: { kind: 'completed', text } };
};

function squad(parts: Partial<Team> = {}, limits: Partial<Limits> = {}): Team {
  const team = teamOf(
    NAMES.map((name) => agentNamed(name)),
    parts,
  );
  return { ...team, limits: { ...team.limits, agentTurns: 5, ...limits } };
}

async function record(team: Team, questions: readonly string[]): Promise<RecordedConversation> {
  const conversation = await startWith(new MemoryStore(), team, answering);
  for (const question of questions) {
    await conversation.send(question);
    await conversation.settled();
  }
  const recording = await readRecording(conversation.history());
  await conversation.close();
  return recording;
}

const live = new AbortController().signal;

async function askQuestions(
  recording: RecordedConversation,
  team: Team,
  { repeat = 1, signal = live, onAsk = (): void => undefined } = {},
): Promise<ReplayResult> {
  const rows = recording.questions.map(({ messageId, content, attempt }) => ({
    id: messageId,
    question: content,
    before: attempt,
  }));
  const result = startResult(rows);
  await replayQuestions(result, {
    repeat,
    signal,
    limits: team.limits,
    speakerOf: () => ({}),
    onStep: ({ kind }) => {
      if (kind === 'asking') onAsk();
    },
    create: (limits) =>
      startWith(new MemoryStore(), { ...team, limits: { ...team.limits, ...limits } }, answering),
  });
  return result;
}

/** Without what differs from run to run. */
function timeless({ turns, ...attempt }: Attempt): object {
  return { ...attempt, turns: turns.map(({ milliseconds: _, ...turn }) => turn) };
}

const question = fc
  .subarray([...NAMES, 'all'])
  .map((to) => (to.length === 0 ? 'Well?' : `Well? [NEXT: ${to.join(', ')}]`));
const anyTeam = fc
  .constantFrom('sequential', 'same-question', 'blind')
  .map((fanout) => squad({ routing: { fallback: 'human', fanout } }));
const questions = fc.array(question, { minLength: 1, maxLength: 4 });

describe('a replay', () => {
  test('of any conversation with the same team and the same answers finds nothing that differs', () =>
    fc.assert(
      fc.asyncProperty(anyTeam, questions, async (team, texts) => {
        const recording = await record(team, texts);
        const { rows, stop } = await askQuestions(recording, team);
        expect(stop).toBe(null);
        for (const { before, after } of rows) expect(after.map(timeless)).toEqual([timeless(before)]);
      }),
      { numRuns: 40 },
    ));

  test('of every turn of any conversation sends each member the prompt that was recorded', () =>
    fc.assert(
      fc.asyncProperty(anyTeam, questions, async (team, texts) => {
        const recording = await record(team, texts);
        const result = startResult(recording.turns);
        await replayTurns(result, {
          repeat: 1,
          signal: live,
          limits: {},
          events: recording.events,
          open: async (fork) => {
            const store = new MemoryStore();
            await saveFork(store, ID, fork);
            return resumeWith(store, ID, { ...team, limits: limitToTurn(team.limits, fork) }, answering);
          },
        });
        for (const { before, after } of result.rows) expect(after.map(timeless)).toEqual([timeless(before)]);
      }),
      { numRuns: 40 },
    ));

  test('stops before the turn that would go past the limit, in whichever run that is', async () => {
    const team = squad({}, { usd: 0.35 });
    const recording = await record(squad(), ['Well? [NEXT: max]']);
    const [turns = 0] = recording.questions.map(({ attempt }) => attempt.turns.length);
    const { rows, stop } = await askQuestions(recording, team, { repeat: 10 });
    const spent = rows.flatMap(({ after }) => after.flatMap((attempt) => attempt.turns)).length * 0.1;
    expect({ stop, isTurnMore: spent > 0.35 + 0.1 }).toEqual({ stop: 'limit', isTurnMore: false });
    expect(rows[0]?.after.length).toBe(Math.ceil(4 / turns));
  });

  test('that is stopped keeps what was done', async () => {
    const recording = await record(squad(), ['Well? [NEXT: max]', 'Well? [NEXT: sarah]', 'And?']);
    const stop = new AbortController();
    let asked = 0;
    const result = await askQuestions(recording, squad(), {
      signal: stop.signal,
      onAsk: () => {
        asked += 1;
        if (asked === 2) stop.abort();
      },
    });
    expect(result.stop).toBe('stopped');
    expect(result.rows.map(({ after }) => after.length)).toEqual([1, 1, 0]);
  });
});

test('a turn is forked with nothing else in its queue', async () => {
  const recording = await record(squad(), ['Well? [NEXT: max, sarah, carol]']);
  const [, second] = recording.turns;
  const fork = forkTurn(recording.events, second?.id as TurnId);
  expect(fork?.facts.at(-1)?.type).not.toBe('turn-start');
  expect(fork?.added.map(({ type }) => type)).toContain('conversation-forked');
  expect(fork?.turnCount).toBe(1);
});

test('a budget is rounded as limits are: ten times 0.1 is 1', () => {
  const budget = new Budget({ usd: 1 });
  const [turn] = [{ inputTokens: 1, outputTokens: 1, usd: 0.1 }];
  const attempt = { turns: [turn] } as unknown as Attempt; // Only what turns cost counts here.
  for (let count = 0; count < 9; count += 1) budget.take(attempt);
  expect({ left: budget.left, isSpent: budget.isSpent }).toEqual({ left: { usd: 0.1 }, isSpent: false });
  budget.take(attempt);
  expect({ left: budget.left, isSpent: budget.isSpent }).toEqual({ left: { usd: 0 }, isSpent: true });
});

test('words are counted without markers, and characters of scripts without blanks', async () => {
  const play: Play = async function* () {
    const text = 'Two words, 会话。\n\n[NEXT: kailai]';
    yield { type: 'end', outcome: { kind: 'completed', text } };
  };
  const conversation = await startWith(new MemoryStore(), squad(), play);
  await conversation.send('Well? [NEXT: max]');
  await conversation.settled();
  const {
    questions: [measured],
  } = await readRecording(conversation.history());
  await conversation.close();
  expect(sumUp(measured?.attempt.turns ?? [])).toMatchObject({ turns: 1, words: 4 });
});
