import type { Conversation, SendOptions } from '../coordinator/Conversation.js';
import type { Limits } from '../models/Team.js';
import type { Attempt } from './Attempt.js';
import { Budget } from './Budget.js';
import type { ConversationMeasure } from './ConversationMeasure.js';
import { openMeasured } from './openMeasured.js';
import type { ReplayParts, ReplayResult, ReplayRow } from './Replay.js';

export interface QuestionReplay extends ReplayParts {
  /** Begins a new conversation. */
  readonly create: (limits: Pick<Limits, 'usd' | 'tokens'>) => Promise<Conversation>;
  readonly speakerOf: (row: ReplayRow) => SendOptions;
}

/** Says people's messages again, in order, each when the turns of the one before have ended, in a new conversation for each run. */
export async function replayQuestions(result: ReplayResult, replay: QuestionReplay): Promise<void> {
  const budget = new Budget(replay.limits);
  for (let run = 1; run <= replay.repeat && result.stop === null; run += 1) {
    if (endsHere(result, replay, budget)) return;
    const conversation = await replay.create(budget.left);
    result.conversationIds.push(conversation.id);
    await openMeasured(conversation, replay.signal, (measure) =>
      runOnce({ result, replay, budget, conversation, measure, run }),
    );
  }
}

interface Run {
  readonly result: ReplayResult;
  readonly replay: QuestionReplay;
  readonly budget: Budget;
  readonly conversation: Conversation;
  readonly measure: ConversationMeasure;
  readonly run: number;
}

async function runOnce({ result, replay, budget, conversation, measure, run }: Run): Promise<void> {
  for (const [index, row] of result.rows.entries()) {
    if (endsHere(result, replay, budget)) return;
    const place = { row: index + 1, run };
    replay.onStep?.({ kind: 'asking', row, place, conversation });
    await conversation.send(row.question, replay.speakerOf(row));
    await conversation.settled();
    const after = measure.latest;
    if (after === undefined) return;
    row.after.push(after);
    budget.take(after);
    await judge(row, after, place, replay);
    replay.onStep?.({ kind: 'done', row, place });
    if (isOutOfBudget(after)) result.stop = 'limit';
  }
  if (replay.signal.aborted) result.stop = 'stopped';
}

/** Whether nothing more is to be asked; says why. */
export function endsHere(result: ReplayResult, { signal }: ReplayParts, budget: Budget): boolean {
  if (signal.aborted) result.stop = 'stopped';
  else if (budget.isSpent) result.stop = 'limit';
  return result.stop !== null;
}

/** Has an answer checked; without one there is nothing to check. */
export async function judge(
  row: ReplayRow,
  after: Attempt,
  place: { readonly row: number; readonly run: number },
  { check, onStep, signal }: ReplayParts,
): Promise<void> {
  if (check === undefined) return;
  const isAnswered = after.turns.some(({ answer }) => answer !== undefined);
  if (!isAnswered || signal.aborted) {
    row.checks.push(undefined);
    return;
  }
  onStep?.({ kind: 'checking', row, place });
  const { question, before } = row;
  row.checks.push(await check({ question, before, after }));
}

function isOutOfBudget({ pause }: Attempt): boolean {
  return pause?.kind === 'limit' && (pause.limit === 'usd' || pause.limit === 'tokens');
}
