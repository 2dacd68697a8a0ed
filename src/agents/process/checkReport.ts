import { constants } from 'node:os';
import type { TurnOutcome } from '../../models/TurnOutcome.js';
import { lastBytes, truncateToBytes, utf8Length } from '../../utils/bytes.js';
import { redactSecrets, secretValues } from '../../utils/redact.js';
import { sanitizeForTerminal, sanitizeToOneLine } from '../../utils/sanitize.js';
import { sealFailure, type TurnIdentity } from './judgeTurn.js';
import type { ExitInfo } from './spawnAgent.js';

/** Most of the output that is reported: its end, where failures are summed up. */
const REPORTED_BYTES = 16 * 1024;
/** So much is looked at for that, since lines that were written over go. */
const READ_BYTES = 8 * REPORTED_BYTES;

/** The exit codes of shells for a command that cannot be run, and for one that is not found: nothing was checked. */
const NOT_RUN: ReadonlySet<number> = new Set([126, 127]);

/** The rest of a long command would hide what went wrong. */
const COMMAND_BYTES = 120;

/** Everything that is known of a check that ended by itself. */
export interface EndedCheck {
  /** The turn whose changes it checked: `turn-4`. */
  readonly checks: string;
  readonly exit: ExitInfo;
  /** All that it printed, without escape sequences; of very much, beginning and end. */
  readonly output: string;
  /** Bytes that it printed. */
  readonly printedBytes: number;
}

/**
 * The outcome of a check: whatever its exit code, it has said whether the files are good, unless it could not run. The text is for the members, in
 * English like the rest of their prompts: the turn it checked, the command and its exit code, then the end of what it printed, in a fence, in
 * which no marker acts.
 */
export function reportCheck(
  { checks, exit, output, printedBytes }: EndedCheck,
  identity: TurnIdentity,
): TurnOutcome {
  const secrets = secretValues(identity.environment);
  const clean = (text: string): string => redactSecrets(text, secrets);
  const words = truncateToBytes(identity.command.join(' '), COMMAND_BYTES);
  const command = asCode(sanitizeToOneLine(clean(words)));
  const exitCode = exitCodeOf(exit);
  const seen = sanitizeForTerminal(clean(asSeen(lastBytes(output, READ_BYTES))))
    .replace(/^\s*\n/u, '')
    .trimEnd();
  const end = endOf(seen);
  if (NOT_RUN.has(exitCode)) {
    const detail = end === '' ? {} : { detail: end.slice(end.lastIndexOf('\n') + 1) };
    const failure = { code: 'SPAWN', reason: 'check-not-run', exitCode, ...detail } as const;
    return { kind: 'failed', failure: sealFailure(failure, identity), draft: end };
  }
  const verdict = exitCode === 0 ? 'passed' : 'failed';
  const result = `Check ${verdict} for ${checks}: ${command}, exit code ${exitCode}`;
  if (end === '') return { kind: 'completed', text: `${result}. It printed nothing.`, exitCode };
  const isWhole = end.length === seen.length && utf8Length(output) <= READ_BYTES;
  const leftOut = Math.max(1, printedBytes - utf8Length(end));
  const heading = isWhole ? result : `${result}. The first ${leftOut} bytes that it printed are left out`;
  const fence = '`'.repeat(Math.max(3, longestRun(end) + 1));
  return { kind: 'completed', text: `${heading}.\n\n${fence}text\n${end}\n${fence}`, exitCode };
}

/** As shells say it: a program that died of a signal has 128 and its number. */
function exitCodeOf({ code, signal }: ExitInfo): number {
  return code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
}

/** Output as a terminal shows it at last: what a carriage return wrote over is gone. */
function asSeen(output: string): string {
  return output
    .replaceAll('\r\n', '\n')
    .replace(/^.*\r(?!$)/gmu, '')
    .replaceAll('\r', '');
}

/** The last lines that fit; of a line that is too long, its end. */
function endOf(text: string): string {
  const end = lastBytes(text, REPORTED_BYTES);
  const lineStart = end.length < text.length ? end.indexOf('\n') + 1 : 0;
  return end.slice(lineStart);
}

function asCode(text: string): string {
  const fence = '`'.repeat(longestRun(text) + 1);
  return fence.length === 1 ? `${fence}${text}${fence}` : `${fence} ${text} ${fence}`;
}

/** Length of the longest run of backticks. */
function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/gu)].map(([run]) => run.length));
}
