import { words } from '../../catalogue/words.js';
import { edgeOf, hang } from '../../frontends/lines/PrefixedText.js';
import { createPaint } from '../../frontends/lines/paint.js';
import type { ReplayResult, ReplayRow } from '../../replay/Replay.js';
import { type CliContext, print, printJson, printPieces, say, stopOf } from '../start/CliContext.js';
import { describeReplay, type ReplayHeader } from './describeJson.js';
import { formatAnswerDiffs } from './replayDiff.js';
import { formatReplay } from './replayTable.js';

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

/** Whether a turn failed because it had no folder to work in. */
function isWithoutCopy({ after }: ReplayRow): boolean {
  return after.some(({ turns }) => turns.some(({ failure }) => failure?.reason === 'no-copy'));
}

function* withLineEnds(lines: Iterable<string>): Generator<string> {
  for (const line of lines) yield `${line}\n`;
}
