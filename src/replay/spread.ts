import { type Attempt, type Figures, type MeasuredTurn, sumUp } from './Attempt.js';
import type { ReplayResult, ReplayRow } from './Replay.js';

/** The least and the most of some figures, each by itself. */
export interface Spread {
  readonly least: Figures;
  readonly most: Figures;
}

/** The spread of what came of one question in several runs; undefined if it was not asked. */
export function spreadOf(attempts: readonly Attempt[]): Spread | undefined {
  return spread(attempts.map(({ turns }) => sumUp(turns)));
}

/** Sums of a whole replay: of the recording as far as it was asked again, and of the runs that came as far. */
export interface ReplayTotals {
  readonly before: Figures;
  readonly now: Spread | undefined;
}

export function totalsOf({ rows }: ReplayResult): ReplayTotals {
  const asked = rows.filter(({ after }) => after.length > 0);
  const runs = Math.min(...asked.map(({ after }) => after.length));
  const turnsOf = (pick: (row: ReplayRow) => Attempt | undefined): readonly MeasuredTurn[] =>
    asked.flatMap((row) => pick(row)?.turns ?? []);
  const sums = Array.from({ length: asked.length === 0 ? 0 : runs }, (_, run) =>
    sumUp(turnsOf(({ after }) => after[run])),
  );
  return { before: sumUp(turnsOf(({ before }) => before)), now: spread(sums) };
}

function spread(figures: readonly Figures[]): Spread | undefined {
  if (figures.length === 0) return undefined;
  return { least: combine(figures, Math.min), most: combine(figures, Math.max) };
}

function combine(all: readonly Figures[], choose: (...values: number[]) => number): Figures {
  const of = (figure: (figures: Figures) => number): number => choose(...all.map(figure));
  const tokens = all.flatMap(({ tokens: count = [] }) => count);
  const prices = all.flatMap(({ usd = [] }) => usd);
  return {
    turns: of(({ turns }) => turns),
    words: of(({ words }) => words),
    promptBytes: of(({ promptBytes }) => promptBytes),
    ...(tokens.length > 0 && { tokens: choose(...tokens) }),
    ...(prices.length > 0 && { usd: choose(...prices) }),
    milliseconds: of(({ milliseconds }) => milliseconds),
  };
}
