import type { TurnFailure, TurnOutcome } from '../../models/TurnOutcome.js';
import { lastBytes, truncateToBytes } from '../../utils/bytes.js';
import { redactSecrets, secretValues } from '../../utils/redact.js';
import { sanitizeForTerminal, sanitizeToOneLine } from '../../utils/sanitize.js';
import type { Dialect, DialectFailure, Verdict } from '../dialect/Dialect.js';
import type { Environment } from './environment.js';
import type { ExitInfo } from './spawnAgent.js';
import type { Expiry } from './turnTimers.js';

const TAIL_LINES = 10;
const TAIL_BYTES = 2048;
const MESSAGE_BYTES = 1024;
const COMMAND_BYTES = 120;

/** Why we ended a turn before the agent did. */
export type StopReason =
  | { readonly kind: 'cancelled' }
  | ({ readonly kind: 'timed-out' } & Expiry)
  | { readonly kind: 'refused'; readonly status: number };

/** Whom a failure is about, and what must not be shown in it. */
export interface TurnIdentity {
  readonly memberName: string;
  readonly command: readonly string[];
  /** What to do when the login is refused. */
  readonly loginHint: string;
  /** Holds the secrets. */
  readonly environment: Environment;
}

/** All that is known when a turn is over. */
export interface TurnFacts {
  readonly stopReason: StopReason | undefined;
  readonly verdict: Verdict | undefined;
  /** Missing when the process is still there. */
  readonly exit: ExitInfo | undefined;
  readonly text: string;
  readonly draft: string;
  readonly skippedLines: number;
  readonly badSample: string | undefined;
  readonly stderr: string;
}

/** What judging needs to know of the way an agent talks. */
type Judged = Pick<Dialect, 'output' | 'explainExit'>;

/** How a turn ended. What the agent said decides; the exit code does so only where there are no records. */
export function judgeTurn(facts: TurnFacts, dialect: Judged, identity: TurnIdentity): TurnOutcome {
  const { stopReason } = facts;
  if (stopReason?.kind === 'cancelled') return { kind: 'cancelled', draft: facts.draft };
  if (stopReason?.kind === 'timed-out') {
    const { limit, milliseconds } = stopReason;
    return { kind: 'timed-out', limit, milliseconds, draft: facts.draft };
  }
  const failure = findFailure(facts, dialect, identity);
  if (failure === undefined) return { kind: 'completed', text: facts.text };
  return { kind: 'failed', failure: describeFailure(failure, identity, facts.stderr), draft: facts.draft };
}

/** A failure as people see it: one line that names the member and its command, nothing secret, nothing that moves the cursor. */
export function describeFailure(failure: DialectFailure, identity: TurnIdentity, stderr = ''): TurnFailure {
  const secrets = secretValues(identity.environment);
  const clean = (text: string): string =>
    truncateToBytes(sanitizeToOneLine(redactSecrets(text, secrets)), MESSAGE_BYTES);
  const stderrTail = lastLines(sanitizeForTerminal(redactSecrets(stderr, secrets)));
  return {
    code: failure.code,
    message: clean(`${identity.memberName} (${describeCommand(identity)}): ${failure.message}`),
    hint: clean(failure.hint),
    ...(stderrTail === '' ? {} : { stderrTail }),
  };
}

/** The command as people know it; the rest of a long one would hide what went wrong. */
export function describeCommand({ command }: TurnIdentity): string {
  return truncateToBytes(command.join(' '), COMMAND_BYTES);
}

/** How a process ended, in words; `undefined` when it ended well. */
export function describeExit(exit: ExitInfo): string | undefined {
  if (exit.signal !== null) return `killed by ${exit.signal}`;
  return exit.code === 0 ? undefined : `exit code ${exit.code}`;
}

function findFailure(facts: TurnFacts, dialect: Judged, identity: TurnIdentity): DialectFailure | undefined {
  const { stopReason, verdict } = facts;
  if (stopReason?.kind === 'refused') return refusedLogin(stopReason.status, identity);
  if (verdict?.ok === false) return verdict.failure;
  if (dialect.output === 'plain-text' && hasAnswered(facts)) return undefined;
  if (facts.skippedLines > 0 && facts.draft === '') return linesTooLong(facts.skippedLines);
  if (verdict?.ok) return undefined;
  const explained = dialect.explainExit?.({ exitCode: facts.exit?.code ?? undefined, stderr: facts.stderr });
  return explained ?? (dialect.output === 'plain-text' ? badExit(facts) : noFinalEvent(facts));
}

/** A program that ends by itself has answered with what it printed: failing tests are what the team needs to see. */
export function hasAnswered({ exit, text }: Pick<TurnFacts, 'exit' | 'text'>): boolean {
  return exit?.code === 0 || (typeof exit?.code === 'number' && text.trim() !== '');
}

function refusedLogin(status: number, { loginHint }: TurnIdentity): DialectFailure {
  return { code: 'AUTH', message: `the service refused the login (HTTP ${status})`, hint: loginHint };
}

function linesTooLong(count: number): DialectFailure {
  return {
    code: 'LINE_TOO_LONG',
    message: `${count} ${count === 1 ? 'line' : 'lines'} of output too long to read, and no text came otherwise`,
    hint: 'Ask for a shorter answer, or for one in a file.',
  };
}

function badExit({ exit }: TurnFacts): DialectFailure {
  const message = exit === undefined ? 'closed its output and did not exit' : (describeExit(exit) ?? 'ended');
  const code = typeof exit?.code === 'number' ? 'AGENT_ERROR' : 'NO_FINAL_EVENT';
  return { code, message, hint: 'Run the command by hand to see why.' };
}

function noFinalEvent({ exit, badSample }: TurnFacts): DialectFailure {
  const ending = exit === undefined ? 'closed its output' : `ended (${describeExit(exit) ?? 'exit code 0'})`;
  const printed = badSample === undefined ? '' : `; it printed: ${badSample}`;
  return {
    code: 'NO_FINAL_EVENT',
    message: `${ending} without saying that its turn is complete${printed}`,
    hint: 'Send the message again to go on.',
  };
}

function lastLines(text: string): string {
  return lastBytes(text.trimEnd().split('\n').slice(-TAIL_LINES).join('\n'), TAIL_BYTES);
}
