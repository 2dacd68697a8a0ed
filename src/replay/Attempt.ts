import type { ConversationOutcome } from '../conversation/questions.js';
import type { PauseReason, RecordedUsage, TurnResult } from '../models/ConversationEvent.js';
import type { TurnId } from '../models/ids.js';
import type { TurnFailure } from '../models/TurnOutcome.js';

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
  readonly failure?: TurnFailure;
  /** The whole text, markers included; absent unless it completed with one. */
  readonly answer?: string;
  /** Names of the members that its answer names as the next. */
  readonly handoff: readonly string[];
  /** Words of the answer, without its markers. */
  readonly words: number;
  /** Bytes of prompt and system prompt together. */
  readonly promptBytes: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** US dollars; absent if the price is unknown. */
  readonly usd?: number;
  /** Source of `usd`; absent if the agent reported no usage. */
  readonly price?: RecordedUsage['price'];
  readonly milliseconds: number;
}

/** Sums of some turns. */
export interface Figures {
  readonly turns: number;
  readonly words: number;
  readonly promptBytes: number;
  /** Input and output, of the turns that reported them; absent if that is none. */
  readonly tokens?: number;
  /** US dollars of the turns whose price is known; absent if that is none. */
  readonly usd?: number;
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
    ...(isCounted && { tokens: add(({ inputTokens, outputTokens }) => inputTokens + outputTokens) }),
    ...(isPriced && { usd: add(({ usd = 0 }) => usd) }),
    milliseconds: add(({ milliseconds }) => milliseconds),
  };
}

/** The last answer; empty if there is none. */
export function lastAnswer({ turns }: Attempt): string {
  return turns.findLast(({ answer }) => answer !== undefined)?.answer ?? '';
}

/** The names of those who spoke, in their order; one who spoke several times in a row once. */
export function speakersOf({ turns }: Attempt): readonly string[] {
  return turns.map(({ member }) => member).filter((member, index, all) => member !== all[index - 1]);
}
