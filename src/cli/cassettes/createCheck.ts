import { type ProbeResult, probeCommand } from '../../agents/process/probeCommand.js';
import { describeFailure } from '../../catalogue/tellings.js';
import { words } from '../../catalogue/words.js';
import { explainLookup } from '../../models/knownPrograms.js';
import type { FailureFacts } from '../../models/TurnOutcome.js';
import type { CheckedAttempt, CheckResult } from '../../replay/askAgain.js';
import { findCommand } from '../../utils/findCommand.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';
import type { CliContext } from '../start/CliContext.js';
import { UsageError } from '../start/reportError.js';
import { describeAttempt } from './printReplay.js';

const MINUTE = 60_000;
const WORD = /"(?<double>[^"]*)"|'(?<single>[^']*)'|\S+/gu;
/** Words that only a shell understands. */
const OF_SHELL = /^(?:[|&;<>].*|\d?>.*|.*[;`]|\$\(.*)$/u;

export interface CheckSettings {
  readonly trustedPrograms?: readonly string[] | undefined;
  readonly minutes: number;
}

/**
 * Makes a check of a command: one program, started without a shell as members' programs are, in the folder where it was
 * typed. Throws UsageError if there is no such program, before anything is asked.
 */
export function createCheck(
  line: string,
  { trustedPrograms = [], minutes }: CheckSettings,
  context: CliContext,
): (attempt: CheckedAttempt) => Promise<CheckResult> {
  const { env, workingFolder, stop } = context;
  const command = splitWords(line);
  const [program = ''] = command;
  const lookup = findCommand(program, { path: env.PATH, workingFolder, trustedPrograms });
  if (lookup.kind !== 'found') throw new UsageError(explain(explainLookup(program, lookup)));
  const request = { command, args: [], environment: env, workingFolder, trustedPrograms };
  return async ({ question, before, after }) => {
    const input = { question, before: describeAttempt(before), after: describeAttempt(after) };
    const result = await probeCommand({
      ...request,
      stdin: `${JSON.stringify(input)}\n`,
      milliseconds: minutes * MINUTE,
      signal: stop.signal,
    });
    return judge(result, stop.signal.aborted);
  };
}

function judge(result: ProbeResult, isStopped: boolean): CheckResult {
  if (result.kind === 'failed') {
    return { ok: false, line: explain(result.failure), problem: 'not-started' };
  }
  if (result.kind === 'timed-out')
    return { ok: false, line: '', problem: isStopped ? 'stopped' : 'timed-out' };
  const { exit, stdout, stderr } = result;
  return { ok: exit.code === 0, line: firstLine(stdout) || firstLine(stderr) };
}

function explain(failure: FailureFacts): string {
  return words.joining.sentence(sanitizeToOneLine(describeFailure('--check', failure).what));
}

/** The first line with something on it, safe to show. */
function firstLine(text: string): string {
  return sanitizeToOneLine(/\S.*/u.exec(text)?.[0] ?? '');
}

function splitWords(line: string): readonly string[] {
  const parts = [...line.matchAll(WORD)].map(({ 0: word, groups }) => {
    const quoted = groups?.double ?? groups?.single;
    if (quoted === undefined && OF_SHELL.test(word))
      throw new UsageError(words.replay.badCheck(sanitizeToOneLine(word)));
    return quoted ?? word;
  });
  if (parts.length === 0) throw new UsageError(words.replay.emptyCheck);
  return parts;
}
