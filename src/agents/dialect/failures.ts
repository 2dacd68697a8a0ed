import type { DialectFailure, Verdict } from './Dialect.js';
import { fieldOf, textOf } from './records.js';
import { toOneLine } from './summarizeValue.js';

/** What an agent said about its failure, and what its dialect knows. */
export interface FailureFacts {
  readonly message: string;
  /** HTTP status, where the agent says it apart from the message. */
  readonly status?: number;
  /** The dialect knows by other means that it is about the login. */
  readonly isAuth?: boolean;
  readonly loginHint: string;
}

const messageLength = 500;

const tooMany = /\b429\b|rate.?limit|quota|too many requests/i;
const outage = /\b5\d\d\b|high demand|overloaded|timed out|disconnected|terminated/i;

/** What to do next, by what the vendors write; the first that fits counts. */
const hints: ReadonlyArray<readonly [RegExp, string]> = [
  [
    /too long|context (?:window|length)|context_length|token count|prompt_too_long/i,
    'Lower the window of this member or context.maxBytes, then send the message again.',
  ],
  [
    /selected model|model[_ ]not[_ ]found|unknown model|model .{0,80}does not exist/i,
    'Check the model of this member in the team file.',
  ],
  [tooMany, 'Wait and send the message again, or ask another member.'],
  [outage, 'The service has a problem that is usually short: send the message again.'],
  [
    /maximum number of turns|max_turns|budget/i,
    "This is one of the agent's own limits: raise it there or ask for less.",
  ],
];
/** Of a session that is gone. A conversation does this by itself, and then says so instead. */
export const sessionUnknownHint = 'Send the whole conversation in a new session.';

const generalHint = 'Send the message again; if it fails again, run the command by hand to see more.';

/** Whether an agent speaks of a service that cannot answer just now. */
export function isOutage(message: string): boolean {
  return tooMany.test(message) || outage.test(message);
}

/** Sorts a failure that the agent reported: login or anything else. */
export function failedWith(facts: FailureFacts): Extract<Verdict, { ok: false }> {
  const message = sentenceIn(facts.message) || 'The agent gave no reason.';
  const status = facts.status ?? statusIn(facts.message);
  const failure: DialectFailure =
    facts.isAuth || isAuthStatus(status)
      ? { code: 'AUTH', message, hint: facts.loginHint }
      : { code: 'AGENT_ERROR', message, hint: hintFor(`${status ?? ''} ${message}`) };
  return { ok: false, failure };
}

/** What a line on stderr means, for the failures that are said nowhere else. */
export interface ExitExplanation {
  readonly pattern: RegExp;
  readonly code: DialectFailure['code'];
  readonly hint: string;
}

/** The first explanation whose pattern is in the output; its message is the line that was found. */
export function explainByTable(
  explanations: readonly ExitExplanation[],
  stderr: string,
): DialectFailure | undefined {
  for (const { pattern, code, hint } of explanations) {
    const line = stderr.split('\n').find((candidate) => pattern.test(candidate));
    if (line !== undefined) return { code, message: toOneLine(line, messageLength), hint };
  }
  return undefined;
}

function isAuthStatus(status: number | undefined): boolean {
  return status === 401 || status === 403;
}

/** The HTTP status in a sentence like `unexpected status 401 Unauthorized` or a body like `"code":401`. */
export function statusIn(message: string): number | undefined {
  const found = /\b(?:status|code|error)"?[: ]{1,2}(?<status>[45]\d\d)\b/i.exec(message)?.groups?.status;
  return found === undefined ? undefined : Number(found);
}

function hintFor(message: string): string {
  return hints.find(([pattern]) => pattern.test(message))?.[1] ?? generalHint;
}

/** What a person is told of an agent's words about its failure. */
export function sentenceIn(message: string): string {
  return toOneLine(innerMessage(message), messageLength);
}

/** Vendors wrap the body of an HTTP error into their message; people want the sentence inside. */
function innerMessage(message: string): string {
  const start = message.indexOf('{');
  const end = message.lastIndexOf('}');
  if (start < 0 || end < start) return message;
  try {
    return textOf(fieldOf(JSON.parse(message.slice(start, end + 1)), 'error'), 'message') ?? message;
  } catch {
    // Braces, but no JSON between them: an ordinary sentence.
    return message;
  }
}
