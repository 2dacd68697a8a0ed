import { words } from '../../catalogue/words.js';
import { edgeOf, hang } from '../../frontends/lines/PrefixedText.js';
import { createPaint, type Paint, type Role } from '../../frontends/lines/paint.js';
import { type Attempt, type AttemptResult, lastAnswer, sumUp, totalsOf } from '../../replay/Attempt.js';
import type { ReplayResult, ReplayRow } from '../../replay/askAgain.js';
import { type DiffLine, diffLines, type SkippedLines } from '../../utils/diffLines.js';
import { sanitizeForTerminal, sanitizeToOneLine } from '../../utils/sanitize.js';
import { type CliContext, print, printJson, printPieces, say, stopOf } from '../start/CliContext.js';
import { EXIT_CODES } from '../start/exitCodes.js';
import { formatReplay } from './replayTable.js';

/** Facts about a replay that are not in its result. */
export interface ReplayHeader {
  /** Id of the recorded conversation. */
  readonly replayOf: string;
  readonly team: string;
  readonly mode: 'messages' | 'turns';
  /** Names of recorded members that are not in the team. */
  readonly missingMembers: readonly string[];
  /** Recorded turns that were not asked for. */
  readonly leftOut: readonly string[];
}

export interface PrintedReplay {
  readonly header: ReplayHeader;
  /** Number of times everything was to be asked. */
  readonly runs: number;
  readonly json?: boolean;
  readonly diff?: boolean;
}

/** Prints what a replay has done, also where it ended early, and where it is saved. */
export async function printReplay(
  result: ReplayResult,
  { header, runs, json, diff }: PrintedReplay,
  context: CliContext,
): Promise<void> {
  if (stopOf(context)?.isOutputGone) return;
  const { rows, stop, conversationIds } = result;
  const asked = rows.reduce((sum, { after }) => sum + after.length, 0);
  const tell = (line: string): void => say(context, hang(line, context.stderr));
  const paint = createPaint(context.stdout, context.env, context.settings.colours);
  if (json) printJson(context, describeReplay(header, result));
  else if (asked > 0) {
    const byTurn = header.mode === 'turns';
    print(context, formatReplay(result, { paint, columns: edgeOf(context.stdout), byTurn }));
    if (diff)
      await printPieces(context, withLineEnds(formatAnswerDiffs(result, paint)), { isHarmless: true });
  }
  if (rows.some(isWithoutCopy)) tell(words.replay.copiesFailed);
  if (stop !== null) tell(words.replay.stops[stop](asked, rows.length * runs));
  if (conversationIds.length > 0) tell(words.replay.saved(conversationIds));
  else if (asked > 0 && !json) tell(words.replay.notSaved);
}

function* withLineEnds(lines: Iterable<string>): Generator<string> {
  for (const line of lines) yield `${line}\n`;
}

/** Whether a turn failed because it had no folder to work in. */
function isWithoutCopy({ after }: ReplayRow): boolean {
  return after.some(({ turns }) => turns.some(({ failure }) => failure?.reason === 'no-copy'));
}

/** Everything that a replay found, for programs. */
function describeReplay(header: ReplayHeader, { rows, conversationIds, stop }: ReplayResult): object {
  return {
    ...header,
    stop,
    runs: conversationIds.map((conversationId) => ({ conversationId })),
    rows: rows.map(({ id, question, before, after, checks }) => ({
      id,
      question,
      before: describeAttempt(before),
      after: after.map(describeAttempt),
      checks: checks.map((check) => check ?? null),
    })),
    totals: totalsOf(rows),
  };
}

/** An attempt for programs: also checks are given it so. */
export function describeAttempt(attempt: Attempt): object {
  const { turns, ...ended } = attempt;
  const { turns: _, ...figures } = sumUp(turns);
  return { ...ended, answer: lastAnswer(attempt), ...figures, turns };
}

const ROLES: Readonly<Record<DiffLine['mark'], Role | undefined>> = {
  '-': 'bad',
  '+': 'good',
  ' ': undefined,
};

/** The answers of every question and every run, line by line against the recorded ones; safe to show. */
export function* formatAnswerDiffs({ rows }: ReplayResult, paint: Paint): Generator<string> {
  const { runTitle, same } = words.replay;
  for (const { id, before, after } of rows)
    for (const [index, attempt] of after.entries()) {
      const title = after.length > 1 ? runTitle(id, index + 1) : id;
      yield '';
      yield paint('strong', sanitizeToOneLine(title));
      const [old, now] = [writeAnswers(before), writeAnswers(attempt)];
      if (old === now) yield paint('faint', same);
      else for (const line of diffLines(old, now)) yield formatDiffLine(line, paint);
    }
}

function formatDiffLine(line: DiffLine | SkippedLines, paint: Paint): string {
  if ('skipped' in line) return paint('faint', words.replay.skippedLines(line.skipped));
  const text = sanitizeForTerminal(`${line.mark}${line.text}`);
  const role = ROLES[line.mark];
  return role === undefined ? text : paint(role, text);
}

/** Every answer under the name of its author. */
function writeAnswers({ turns }: Attempt): string {
  return turns
    .flatMap(({ member, answer }) =>
      answer === undefined ? [] : `${words.joining.heading(member)}\n${answer.trimEnd()}\n`,
    )
    .join('\n');
}

/** The results of attempts that make a replay fail, the most pressing first. */
const FAILURES: readonly (readonly [AttemptResult, number])[] = [
  ['not-logged-in', EXIT_CODES.notLoggedIn],
  ['agent-missing', EXIT_CODES.agentMissing],
  ['failed', EXIT_CODES.failed],
  ['timed-out', EXIT_CODES.failed],
  ['no-recipient', EXIT_CODES.failed],
];

/** By what came of it now: another answer is no failure, an unfinished turn or a failed check is one. */
export function exitCodeOfReplay({ rows, stop }: ReplayResult): number {
  if (stop === 'limit') return EXIT_CODES.limitReached;
  if (rows.some(({ checks }) => checks.some((check) => check?.ok === false))) return EXIT_CODES.failed;
  const results = new Set(rows.flatMap(({ after }) => after.map(({ result }) => result)));
  return FAILURES.find(([result]) => results.has(result))?.[1] ?? EXIT_CODES.done;
}
