import { baseName } from '../../models/AcpAgents.js';
import type { AgentEvent } from '../../models/AgentEvent.js';
import type { FailureFacts, Login, TurnFailure, TurnOutcome } from '../../models/TurnOutcome.js';
import { lastBytes, truncateToBytes } from '../../utils/bytes.js';
import { redactSecrets, secretValues } from '../../utils/redact.js';
import { sanitizeForTerminal, sanitizeToOneLine } from '../../utils/sanitize.js';
import type { Dialect, Verdict } from '../dialect/Dialect.js';
import type { Environment } from './environment.js';
import type { ExitInfo } from './spawnAgent.js';
import type { Expiry } from './turnTimers.js';

const TAIL_LINES = 10;
const TAIL_BYTES = 2048;
const DETAIL_BYTES = 1024;

/** The reason why we ended a turn before the agent did. */
export type StopReason =
  | { readonly kind: 'cancelled' }
  | ({ readonly kind: 'timed-out' } & Expiry)
  | { readonly kind: 'refused'; readonly status: number };

/** The member and program a failure is about, and the secrets that must not be shown in it. */
export interface TurnIdentity {
  readonly memberName: string;
  readonly command: readonly string[];
  /** The way to log in, if known. */
  readonly login?: Login;
  /** Holds secrets. */
  readonly environment: Environment;
  /** Secrets besides those of the environment. */
  readonly secrets?: readonly string[];
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

/** The part of a dialect that judging needs. */
type Judged = Pick<Dialect, 'output' | 'explainExit'>;

/** Judges how a turn ended: by what the agent reported; by the exit code only if there are no records. */
export function judgeTurn(facts: TurnFacts, dialect: Judged, identity: TurnIdentity): TurnOutcome {
  const { stopReason } = facts;
  if (stopReason && stopReason.kind !== 'refused') return { ...stopReason, draft: facts.draft };
  const failure = findFailure(facts, dialect);
  if (failure === undefined) return complete(facts, dialect);
  return { kind: 'failed', failure: sealFailure(failure, identity, facts.stderr), draft: facts.draft };
}

/** Completes a turn, with the exit code if that was waited for: not where a final record decides. */
function complete({ text, exit }: TurnFacts, { output }: Judged): TurnOutcome {
  const { exitCode } = output === 'plain-text' ? exitFacts(exit) : {};
  return { kind: 'completed', text, ...(exitCode !== undefined && { exitCode }) };
}

/** A failure as it is recorded: with what was run, nothing secret in it, nothing that moves the cursor, no text too long. */
export function sealFailure(failure: FailureFacts, identity: TurnIdentity, stderr = ''): TurnFailure {
  const { environment, login } = identity;
  const secrets = [...secretValues(environment), ...(identity.secrets ?? [])];
  const clean = (value: unknown): unknown =>
    typeof value === 'string'
      ? truncateToBytes(sanitizeToOneLine(redactSecrets(value, secrets)), DETAIL_BYTES)
      : value;
  const lines = sanitizeForTerminal(redactSecrets(stderr, secrets)).trimEnd().split('\n');
  const stderrTail = lastBytes(lines.slice(-TAIL_LINES).join('\n'), TAIL_BYTES);
  const facts = Object.entries(failure).map(([name, value]) => [name, clean(value)]);
  return {
    // The same fields, the texts in them cleaned.
    ...(Object.fromEntries(facts) as FailureFacts),
    ...(failure.reason === 'login-needed' && login && { login }),
    command: clean(describeProgram(identity)) as string,
    ...(stderrTail !== '' && { stderrTail }),
  };
}

/** The program by its name: other words of a command may hold secrets, and logs are exported and committed. */
export function describeProgram({ command }: TurnIdentity): string {
  return baseName(command[0] ?? '');
}

/** The exit code or the signal a process ended with; neither, while it is still there. */
export function exitFacts(exit: ExitInfo | undefined): { exitCode?: number; signal?: string } {
  if (exit?.signal) return { signal: exit.signal };
  return typeof exit?.code === 'number' ? { exitCode: exit.code } : {};
}

function findFailure(facts: TurnFacts, dialect: Judged): FailureFacts | undefined {
  const { stopReason, verdict, skippedLines: lines } = facts;
  if (stopReason?.kind === 'refused')
    return { code: 'AUTH', reason: 'login-needed', status: stopReason.status };
  if (verdict?.ok === false) return verdict.failure;
  if (dialect.output === 'plain-text' && hasAnswered(facts)) return undefined;
  if (lines > 0 && facts.draft === '') return { code: 'LINE_TOO_LONG', reason: 'line-too-long', lines };
  if (verdict?.ok) return undefined;
  const explained = dialect.explainExit?.({ exitCode: facts.exit?.code ?? undefined, stderr: facts.stderr });
  return explained ?? (dialect.output === 'plain-text' ? badExit(facts) : noFinalEvent(facts));
}

/** A program that ends by itself has answered with what it printed: failing tests are what the team needs to see. */
export function hasAnswered({ exit, text }: Pick<TurnFacts, 'exit' | 'text'>): boolean {
  return exit?.code === 0 || (typeof exit?.code === 'number' && text.trim() !== '');
}

function badExit({ exit }: TurnFacts): FailureFacts {
  const code = typeof exit?.code === 'number' ? 'AGENT_ERROR' : 'NO_FINAL_EVENT';
  return { code, reason: 'bad-exit', ...exitFacts(exit) };
}

function noFinalEvent({ exit, badSample }: TurnFacts): FailureFacts {
  const detail = badSample === undefined ? {} : { detail: badSample };
  return { code: 'NO_FINAL_EVENT', reason: 'no-final-event', ...exitFacts(exit), ...detail };
}

/** Masks secrets in what an agent reports of trouble that did not end its turn; any other event stays as it is. */
export function maskTrouble<Event extends AgentEvent>(event: Event, identity: TurnIdentity): Event {
  if (event.type !== 'error' && event.type !== 'retry') return event;
  const secrets = [...secretValues(identity.environment), ...(identity.secrets ?? [])];
  return { ...event, message: redactSecrets(event.message, secrets) };
}
