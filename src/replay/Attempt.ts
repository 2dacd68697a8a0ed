import type { ConversationOutcome } from '../conversation/questions.js';
import type { PauseReason, RecordedUsage, TurnResult } from '../models/ConversationEvent.js';
import type { MessageId, TurnId } from '../models/ids.js';
import type { TurnFailure } from '../models/TurnOutcome.js';

/** A question or a turn of a recording. */
export interface PlannedRow {
  readonly id: MessageId | TurnId;
  /** The message that was answered. */
  readonly question: string;
  readonly before: Attempt;
}

/** Everything that came of one question, or of one turn: as it was recorded, or now. */
export interface Attempt {
  /** In the order in which they started. */
  readonly turns: readonly MeasuredTurn[];
  readonly result: AttemptResult;
  /** The pause it ended in. */
  readonly pause: PauseReason | null;
  /** Names of the people whom an agent asked for by name. */
  readonly waitingFor: readonly string[];
  /** Names of the members whose turns were left in the queue. */
  readonly notRun: readonly string[];
}

/** As a run ends; of a single turn also in the other ways a turn can. */
export type AttemptResult = ConversationOutcome | 'timed-out' | 'interrupted';

/** A turn and what it took. */
export interface MeasuredTurn {
  readonly turnId: TurnId;
  /** Name of the member. */
  readonly member: string;
  readonly result: TurnResult['kind'];
  readonly failure?: TurnFailure | undefined;
  /** The whole text, markers included; absent unless it completed with one. */
  readonly answer?: string | undefined;
  /** Names of the members that its answer names as the next. */
  readonly handoff: readonly string[];
  /** Words of the answer, without its markers. */
  readonly words: number;
  /** Bytes of prompt and system prompt together. */
  readonly promptBytes: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** US dollars; absent if the price is unknown. */
  readonly usd?: number | undefined;
  /** Source of `usd`; absent if the agent reported no usage. */
  readonly price?: RecordedUsage['price'] | undefined;
  readonly milliseconds: number;
}

/** Sums of some turns. */
export interface Figures {
  readonly turns: number;
  readonly words: number;
  readonly promptBytes: number;
  /** Input and output, of the turns that reported them; absent if that is none. */
  readonly tokens?: number | undefined;
  /** US dollars of the turns whose price is known; absent if that is none. */
  readonly usd?: number | undefined;
  readonly milliseconds: number;
}

/** Adds up what turns took. */
export function sumUp(turns: readonly MeasuredTurn[]): Figures {
  const add = (figure: (turn: MeasuredTurn) => number): number =>
    turns.reduce((sum, turn) => sum + figure(turn), 0);
  const isCounted = turns.some(({ price }) => price !== undefined);
  const isPriced = turns.some(({ usd }) => usd !== undefined);
  return {
    turns: turns.length,
    words: add(({ words }) => words),
    promptBytes: add(({ promptBytes }) => promptBytes),
    tokens: isCounted ? add(({ inputTokens, outputTokens }) => inputTokens + outputTokens) : undefined,
    usd: isPriced ? add(({ usd = 0 }) => usd) : undefined,
    milliseconds: add(({ milliseconds }) => milliseconds),
  };
}

/** The least and the most of some figures, each by itself. */
export interface Spread {
  readonly least: Figures;
  readonly most: Figures;
}

/** The spread of what came of one question in several runs; undefined if it was not asked. */
export function spreadOf(attempts: readonly Pick<Attempt, 'turns'>[]): Spread | undefined {
  const sums = attempts.map(({ turns }) => sumUp(turns));
  return sums.length === 0 ? undefined : { least: combine(sums, Math.min), most: combine(sums, Math.max) };
}

function combine(sums: readonly Figures[], choose: (...values: number[]) => number): Figures {
  const of = (figure: (figures: Figures) => number): number => choose(...sums.map(figure));
  const ofKnown = (figure: (figures: Figures) => number | undefined): number | undefined => {
    const known = sums.flatMap((figures) => figure(figures) ?? []);
    return known.length === 0 ? undefined : choose(...known);
  };
  return {
    turns: of(({ turns }) => turns),
    words: of(({ words }) => words),
    promptBytes: of(({ promptBytes }) => promptBytes),
    tokens: ofKnown(({ tokens }) => tokens),
    usd: ofKnown(({ usd }) => usd),
    milliseconds: of(({ milliseconds }) => milliseconds),
  };
}

/** Sums of a whole replay: of the recording as far as it was asked again, and of the runs that came as far. */
export interface ReplayTotals {
  readonly before: Figures;
  readonly now: Spread | undefined;
}

interface ComparedAttempts {
  readonly before: Attempt;
  readonly after: readonly Attempt[];
}

export function totalsOf(rows: readonly ComparedAttempts[]): ReplayTotals {
  const asked = rows.filter(({ after }) => after.length > 0);
  const runs = asked.length === 0 ? 0 : Math.min(...asked.map(({ after }) => after.length));
  const wholeRuns = Array.from({ length: runs }, (_, run) => ({
    turns: asked.flatMap(({ after }) => after[run]?.turns ?? []),
  }));
  return { before: sumUp(asked.flatMap(({ before }) => before.turns)), now: spreadOf(wholeRuns) };
}

/** The last answer; empty if there is none. */
export function lastAnswer({ turns }: Attempt): string {
  return turns.findLast(({ answer }) => answer !== undefined)?.answer ?? '';
}

/** The names of those who spoke, in their order; one who spoke several times in a row once. */
export function speakersOf({ turns }: Attempt): readonly string[] {
  return turns.map(({ member }) => member).filter((member, index, all) => member !== all[index - 1]);
}
