import type { Conversation, SendOptions } from '../coordinator/Conversation.js';
import type { RecordedEvent } from '../models/ConversationEvent.js';
import type { ConversationId, TurnId } from '../models/ids.js';
import type { Limits } from '../models/Team.js';
import type { Attempt, PlannedRow } from './Attempt.js';
import { ConversationMeasure } from './ConversationMeasure.js';
import { forkTurn, type TurnFork } from './forkTurn.js';

/** Everything that a replay needs from outside, whatever it asks again. */
export interface ReplayParts {
  /** Number of times that everything is asked. */
  readonly repeat: number;
  /** Limits of tokens and money, which hold over all of it. */
  readonly limits: SpendingLimits;
  /** Judges what came of a question, or of a turn. Never rejects. */
  readonly check?: ((question: CheckedAttempt) => Promise<CheckResult>) | undefined;
  /** Hears what is being asked, and what came of it. */
  readonly onStep?: (step: ReplayStep) => void;
  /** Stops it; what was done until then is in the result. */
  readonly signal: AbortSignal;
}

type SpendingLimits = Pick<Limits, 'usd' | 'tokens'>;

/** A check is given this, as JSON. */
export interface CheckedAttempt {
  readonly question: string;
  readonly before: Attempt;
  readonly after: Attempt;
}

/** The verdict of a check. */
export interface CheckResult {
  readonly ok: boolean;
  /** The first line it printed; empty if it printed nothing. */
  readonly line: string;
  /** Present if the program gave no verdict itself. */
  readonly problem?: 'not-started' | 'timed-out' | 'stopped';
}

/** A row that is asked, checked or done, in which run; runs count from 1. */
export type ReplayStep = { readonly row: ReplayRow; readonly run: number } & (
  | { readonly kind: 'asking'; readonly conversation: Conversation }
  | { readonly kind: 'checking' | 'done' }
);

/** A question or a turn of the recording, and what came of it each time. */
export interface ReplayRow extends PlannedRow {
  /** Run by run; shorter if the replay ended early. */
  readonly after: Attempt[];
  /** Verdicts on the same runs; a run without an answer has none. */
  readonly checks: (CheckResult | undefined)[];
}

/** Everything that a replay has done so far; it grows while the replay runs. */
export interface ReplayResult {
  readonly rows: readonly ReplayRow[];
  /** The sessions that it was saved as, run by run. */
  readonly conversationIds: ConversationId[];
  /** Reason why it ended before everything was asked. */
  stop: 'limit' | 'stopped' | null;
}

export function startResult(rows: readonly PlannedRow[]): ReplayResult {
  return { rows: rows.map((row) => ({ ...row, after: [], checks: [] })), conversationIds: [], stop: null };
}

export interface QuestionReplay extends ReplayParts {
  /** Begins a new conversation. */
  readonly create: (limits: SpendingLimits) => Promise<Conversation>;
  readonly speakerOf: (row: ReplayRow) => SendOptions;
}

/** Says people's messages again, in order, each when the turns of the one before have ended, in a new conversation for each run. */
export async function replayQuestions(result: ReplayResult, replay: QuestionReplay): Promise<void> {
  const budget = new Budget(replay.limits);
  for (let run = 1; run <= replay.repeat && !isOver(result, replay, budget); run += 1) {
    const conversation = await replay.create(budget.left);
    result.conversationIds.push(conversation.id);
    await measure(conversation, replay.signal, (measured) =>
      askRows(result, replay, budget, run, async (row) => {
        replay.onStep?.({ kind: 'asking', row, run, conversation });
        await conversation.send(row.question, replay.speakerOf(row));
        await conversation.settled();
        return measured.latest;
      }),
    );
  }
}

export interface TurnReplay extends ReplayParts {
  readonly events: readonly RecordedEvent[];
  /** Opens a conversation with this past, which ends after one turn. */
  readonly open: (fork: TurnFork) => Promise<Conversation>;
}

/** Asks for every turn once more, each by itself: whatever the others answer now, its past is the recorded one. */
export async function replayTurns(result: ReplayResult, replay: TurnReplay): Promise<void> {
  const budget = new Budget(replay.limits);
  for (let run = 1; run <= replay.repeat && !isOver(result, replay, budget); run += 1)
    await askRows(result, replay, budget, run, async (row) => {
      const turnId = row.id as TurnId;
      const fork = forkTurn(replay.events, turnId);
      if (fork === undefined) return undefined;
      const conversation = await replay.open(fork);
      return measure(conversation, replay.signal, async (measured) => {
        replay.onStep?.({ kind: 'asking', row, run, conversation });
        await conversation.resume();
        await conversation.settled();
        return measured.attemptOf(turnId);
      });
    });
}

/** Asks every row once, has the answers checked, and ends where it was stopped or nothing is left to spend. */
async function askRows(
  result: ReplayResult,
  replay: ReplayParts,
  budget: Budget,
  run: number,
  ask: (row: ReplayRow) => Promise<Attempt | undefined>,
): Promise<void> {
  for (const row of result.rows) {
    if (isOver(result, replay, budget)) return;
    const after = await ask(row);
    if (after === undefined) continue;
    row.after.push(after);
    budget.take(after);
    if (replay.check !== undefined) row.checks.push(await judge(row, after, run, replay));
    replay.onStep?.({ kind: 'done', row, run });
    if (after.pause?.kind === 'limit' && ['usd', 'tokens'].includes(after.pause.limit)) result.stop = 'limit';
  }
  if (replay.signal.aborted) result.stop = 'stopped';
}

/** Whether nothing more is to be asked; says why. */
function isOver(result: ReplayResult, { signal }: ReplayParts, budget: Budget): boolean {
  if (signal.aborted) result.stop = 'stopped';
  else if (budget.isSpent) result.stop = 'limit';
  return result.stop !== null;
}

/** Has an answer checked; without one there is nothing to check. */
async function judge(
  row: ReplayRow,
  after: Attempt,
  run: number,
  { check, onStep, signal }: ReplayParts,
): Promise<CheckResult | undefined> {
  const isAnswered = after.turns.some(({ answer }) => answer !== undefined);
  if (!isAnswered || signal.aborted) return undefined;
  onStep?.({ kind: 'checking', row, run });
  return check?.({ question: row.question, before: row.before, after });
}

/** Works with a conversation while it is measured, stops its turns when the signal comes, and closes it. */
async function measure<Result>(
  conversation: Conversation,
  signal: AbortSignal,
  work: (measured: ConversationMeasure) => Promise<Result>,
): Promise<Result> {
  const measured = new ConversationMeasure();
  const stop = (): void => {
    // `settled`, which the work awaits, reports what keeps it from stopping.
    conversation.cancel().catch(() => undefined);
  };
  signal.addEventListener('abort', stop, { once: true });
  let unsubscribe: (() => void) | undefined;
  try {
    for await (const event of conversation.history()) measured.take(event);
    unsubscribe = conversation.subscribe((event) => {
      if ('seq' in event) measured.take(event);
    });
    return await work(measured);
  } finally {
    signal.removeEventListener('abort', stop);
    await conversation.close();
    unsubscribe?.();
  }
}

/** The money and the tokens of a whole replay, in however many conversations. */
export class Budget {
  readonly #limits: SpendingLimits;
  readonly #spent = { usd: 0, tokens: 0 };

  constructor(limits: SpendingLimits) {
    this.#limits = limits;
  }

  /** Counts what came of a question. */
  take({ turns }: Attempt): void {
    for (const { inputTokens, outputTokens, usd = 0 } of turns) {
      this.#spent.usd = roundMoney(this.#spent.usd + usd);
      this.#spent.tokens += inputTokens + outputTokens;
    }
  }

  /** Whether no turn may start any more. */
  get isSpent(): boolean {
    const { usd = Infinity, tokens = Infinity } = this.left;
    return usd <= 0 || tokens <= 0;
  }

  /** The limits of a conversation that begins now. */
  get left(): SpendingLimits {
    const { usd, tokens } = this.#limits;
    return {
      usd: usd === undefined ? undefined : roundMoney(usd - this.#spent.usd),
      tokens: tokens === undefined ? undefined : tokens - this.#spent.tokens,
    };
  }
}

/** Sums are kept to a billionth of a dollar, as limits count them. */
function roundMoney(usd: number): number {
  return Math.round(usd * 1e9) / 1e9;
}
