import { formatCount, formatDuration, formatMoney } from '../../catalogue/formats.js';
import { describeFailure, describePause } from '../../catalogue/tellings.js';
import { words } from '../../catalogue/words.js';
import { cutToWidth } from '../../frontends/lines/formatTable.js';
import type { Paint } from '../../frontends/lines/paint.js';
import { type Attempt, type Figures, speakersOf, sumUp } from '../../replay/Attempt.js';
import type { CheckResult, ReplayResult, ReplayRow } from '../../replay/Replay.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';

export interface ReplayTableOptions {
  readonly paint: Paint;
  /** Width of the screen; undefined: any. */
  readonly columns: number | undefined;
  /** Rows are turns. */
  readonly byTurn: boolean;
}

/** A message may be a file. */
const HEAD_WIDTH = 120;

/** The figures in the order of their columns. */
const FIGURES = ['words', 'prompt', 'tokens', 'cost', 'time'] as const;

export type FigureName = (typeof FIGURES)[number];

const FORMATS: Readonly<Record<FigureName, (figures: Figures) => string>> = {
  words: ({ words: count }) => formatCount(count),
  prompt: ({ promptBytes }) => formatCount(promptBytes),
  // What is unknown is not zero.
  tokens: ({ tokens }) => (tokens === undefined ? '' : formatCount(tokens)),
  cost: ({ usd }) => (usd === undefined ? '' : formatMoney(usd)),
  time: ({ milliseconds }) => formatDuration(milliseconds, { short: true }),
};

/** The figures of which anything is known; agents that are commands report no tokens, for instance. */
export function figuresIn({ rows }: ReplayResult): readonly FigureName[] {
  const sums = rows.flatMap(({ before, after }) => [before, ...after].map(({ turns }) => sumUp(turns)));
  return FIGURES.filter((name) => sums.some((figures) => formatFigure(name, figures) !== ''));
}

export function formatFigure(name: FigureName, figures: Figures): string {
  return FORMATS[name](figures);
}

/** The members that spoke, if they were the same in all runs. */
export function formatSpeakers(attempts: readonly Attempt[]): string {
  return formatAlike(attempts.map((attempt) => formatNames(speakersOf(attempt))));
}

/** The members that the last answer hands off to. */
export function formatHandoff(attempts: readonly Attempt[]): string {
  return formatAlike(attempts.map(({ turns }) => formatNames(turns.at(-1)?.handoff ?? [])));
}

/** The result: `done`, or of several runs `2/3 done`. */
export function formatResult(attempts: readonly Attempt[]): string {
  const { results } = words.replay;
  const found = attempts.map(({ result }) => results[result]);
  const [first = ''] = found;
  const same = found.filter((result) => result === first).length;
  return same === found.length ? first : `${same}/${found.length} ${first}`;
}

/** The heading of a row: `msg-1  Is it done?`. */
export function headRow({ id, question }: ReplayRow): string {
  return cutToWidth(`${sanitizeToOneLine(id)}  ${sanitizeToOneLine(question)}`, HEAD_WIDTH);
}

/** Lines about what the figures of some runs do not tell, each once: pauses, people who are waited for, failures. */
export function notesOf(attempts: readonly Attempt[]): readonly string[] {
  return [...new Set(attempts.flatMap(explainAttempt))];
}

function explainAttempt({ turns, pause, waitingFor, notRun }: Attempt): readonly string[] {
  return [
    ...turns.flatMap(({ member, failure }) =>
      failure === undefined ? [] : describeFailure(member, failure).what,
    ),
    ...(pause === null ? [] : [describePause(pause)]),
    ...(notRun.length === 0 ? [] : [words.print.notRun(notRun)]),
    ...(waitingFor.length === 0 ? [] : [words.sessionStatus.awaited(waitingFor)]),
  ].map(sanitizeToOneLine);
}

/** The verdicts on one question; undefined if there is none. */
export function formatChecks(checks: readonly (CheckResult | undefined)[]): string | undefined {
  const given = checks.flatMap((check) => check ?? []);
  const [first] = given;
  if (first === undefined) return undefined;
  const telling = given.find(({ ok }) => !ok) ?? first;
  if (given.length === 1) return formatCheck(telling);
  const passed = given.filter(({ ok }) => ok).length;
  const line = telling.problem === undefined ? telling.line : formatCheck(telling);
  return words.replay.checksPassed(passed, given.length, line);
}

function formatCheck({ ok, line, problem }: CheckResult): string {
  const { passed, failed, checkProblems } = words.replay;
  if (problem !== undefined) return checkProblems[problem](line);
  return ok ? passed(line) : failed(line);
}

function formatNames(names: readonly string[]): string {
  return sanitizeToOneLine(words.joining.list(names));
}

function formatAlike(texts: readonly string[]): string {
  return new Set(texts).size > 1 ? words.replay.differs : (texts[0] ?? '');
}
