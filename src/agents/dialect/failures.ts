import type { SessionTotals, TurnUsage } from '../../models/AgentEvent.js';
import type { FailureFacts } from '../../models/TurnOutcome.js';
import { isAmount, isTokenCount, NO_TOKENS } from '../../models/usageFigures.js';
import type { Dialect, FailedVerdict } from './Dialect.js';
import { fieldOf, textOf, toOneLine } from './records.js';

/** A failure as the agent reported it, with what its dialect knows. */
export interface ReportedFailure {
  readonly message: string;
  /** HTTP status, where the agent says it apart from the message. */
  readonly status?: number;
  /** The dialect knows by other means that it is about the login. */
  readonly isAuth?: boolean;
}

const DETAIL_LENGTH = 500;

/** Reasons of failures, by what the vendors write; the first that fits counts. */
const reasons = [
  [/too long|context (?:window|length)|context_length|token count|prompt_too_long/i, 'prompt-too-long'],
  [/selected model|model[_ ]not[_ ]found|unknown model|model .{0,80}does not exist/i, 'unknown-model'],
  [/\b429\b|rate.?limit|quota|too many requests/i, 'rate-limited'],
  [/\b5\d\d\b|high demand|overloaded|timed out|disconnected|terminated/i, 'outage'],
  [/maximum number of turns|max_turns|budget/i, 'agent-limit'],
] as const;

/** Whether a service cannot answer just now. */
export function isOutage({ reason }: FailureFacts): boolean {
  return reason === 'outage' || reason === 'rate-limited';
}

/** Sorts a failure that the agent reported: login or anything else. */
export function failedWith({ message, isAuth = false, ...reported }: ReportedFailure): FailedVerdict {
  const status = reported.status ?? statusIn(message);
  const words = sentenceIn(message);
  const detail = words === '' ? {} : { detail: words };
  if (isAuth || status === 401 || status === 403)
    return {
      ok: false,
      failure: { code: 'AUTH', reason: 'login-needed', ...detail, ...(status !== undefined && { status }) },
    };
  const reason = reasons.find(([pattern]) => pattern.test(`${status ?? ''} ${words}`))?.[1];
  return { ok: false, failure: { code: 'AGENT_ERROR', reason: reason ?? 'agent-error', ...detail } };
}

/** The meaning of a line on stderr, for failures that are reported nowhere else. */
type ExitExplanation = readonly [pattern: RegExp, failure: FailureFacts];

/** Explains an exit by the first pattern that is found on stderr, with the line that was found. */
export function createExitExplainer(
  explanations: readonly ExitExplanation[],
): NonNullable<Dialect['explainExit']> {
  return ({ stderr }) => {
    for (const [pattern, failure] of explanations) {
      const line = stderr.split('\n').find((candidate) => pattern.test(candidate));
      // Every failure in a table may have a detail.
      if (line !== undefined) return { ...failure, detail: toOneLine(line, DETAIL_LENGTH) } as FailureFacts;
    }
    return undefined;
  };
}

/** The message of an error that is a record or the message itself. */
export function messageOf(error: unknown): string {
  return textOf(error, 'message') ?? (typeof error === 'string' ? error : '');
}

/** The HTTP status in a sentence like `unexpected status 401 Unauthorized` or a body like `"code":401`. */
export function statusIn(message: string): number | undefined {
  const found = /\b(?:status|code|error)"?[: ]{1,2}(?<status>[45]\d\d)\b/i.exec(message)?.groups?.status;
  return found === undefined ? undefined : Number(found);
}

/** The sentence to show people, from an agent's words about its failure. */
export function sentenceIn(message: string): string {
  return toOneLine(innerMessage(message), DETAIL_LENGTH);
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

/**
 * A reported number of tokens: 0 if it is absent, NaN if it cannot be true. NaN passes through every sum it goes into, so
 * that nothing that was worked out from it counts; see `checkUsage`.
 */
export function tokensOf(report: unknown, key: string): number {
  const figure = fieldOf(report, key) ?? 0;
  return isTokenCount(figure) ? figure : Number.NaN;
}

/** A reported amount of money: absent, or as above. */
export function amountOf(report: unknown, key: string): number | undefined {
  const figure = fieldOf(report, key) ?? undefined;
  return figure === undefined || isAmount(figure) ? figure : Number.NaN;
}

/** A usage without money, figure by figure. */
export function eachToken(count: (kind: Exclude<keyof TurnUsage, 'usd'>) => number): TurnUsage {
  return {
    inputTokens: count('inputTokens'),
    cachedInputTokens: count('cachedInputTokens'),
    outputTokens: count('outputTokens'),
  };
}

/** The tokens of two requests together. */
export function addUsage(one: TurnUsage, other: TurnUsage): TurnUsage {
  return eachToken((kind) => one[kind] + other[kind]);
}

/** Cumulative counts to compare the next ones with: of each the last one that could be true. */
export function believedTotals(totals: SessionTotals, before: SessionTotals = NO_TOKENS): SessionTotals {
  return eachToken((kind) => (Number.isNaN(totals[kind]) ? before[kind] : totals[kind]));
}

/** The totals of a session after one more turn, for agents that count over the whole session nothing but money. */
export function addToTotals(
  before: SessionTotals | undefined,
  usage: TurnUsage,
  totalUsd: number,
): SessionTotals {
  const totals = addUsage(before ?? NO_TOKENS, usage);
  return { ...believedTotals(totals, before), usd: Number.isNaN(totalUsd) ? before?.usd : totalUsd };
}

/** The part of a cumulative figure that is new. A count that went back has started again from nothing. */
export function sinceTotals(total: number, before: number | undefined): number {
  if (before === undefined || total < before) return total;
  // Money comes as decimal fractions; a difference must not show the binary ones.
  return Number((total - before).toFixed(9));
}
