import { counted } from '../catalogue/counted.js';
import { describeDecision } from '../catalogue/decisions.js';
import { english } from '../catalogue/english.js';
import { explainFailure } from '../catalogue/failures.js';
import type { Spending } from '../conversation/usage.js';
import type { PauseReason, RecordedUsage, TurnResult } from '../models/ConversationEvent.js';
import { formatFixed, formatNumber } from '../utils/formatNumber.js';
import type { PermissionUse } from './Transcript.js';

/** `2026-11-15 02:12:09 UTC`. */
export function formatTime(at: number): string {
  const time = new Date(at);
  if (Number.isNaN(time.getTime())) return String(at);
  return `${time.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** `0.4 s`, `59.9 s`, `2 min 5 s`: how long a turn took. */
export function formatTurnTime(milliseconds: number): string {
  const tenths = Math.round(milliseconds / 100);
  if (tenths < 600) return `${formatFixed(tenths / 10, 1)} s`;
  const seconds = Math.round(milliseconds / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

export function formatUsage(usage: RecordedUsage): string {
  const { inputTokens, outputTokens } = usage;
  return `${counted(formatNumber(inputTokens), 'token')} in, ${formatNumber(outputTokens)} out, ${formatPrice(usage)}`;
}

function formatPrice({ usd, price }: RecordedUsage): string {
  if (usd === undefined) return 'price unknown';
  return `${formatMoney(usd)}${price === 'estimated' ? ' (estimated)' : ''}`;
}

/** Below a cent what there is of it. */
export function formatMoney(usd: number): string {
  return `$${formatFixed(usd, usd > 0 && usd < 0.01 ? 4 : 2)}`;
}

/** A sum of nothing but unknown prices is not zero. */
export function formatSpent({ usd, prices, turns }: Spending): string {
  return prices.unknown === turns ? '' : formatMoney(usd);
}

/** What is to be known about a sum: which part of it is an estimate, and which is missing. */
export function describePrices({ prices }: Spending): string {
  const { reported, estimated, unknown } = prices;
  return [
    ...(reported > 0 ? [`${reported} reported`] : []),
    ...(estimated > 0 ? [`${estimated} estimated`] : []),
    ...(unknown > 0 ? [`${unknown} unknown`] : []),
  ].join(', ');
}

/** How a turn ended, for all that did not become a message. */
export function describeResult(result: TurnResult): string {
  switch (result.kind) {
    case 'completed':
      return 'replied with nothing';
    case 'failed':
      return `failed: ${explainFailure(result.failure).what}`;
    case 'cancelled':
      return 'was stopped';
    case 'timed-out':
      return `was stopped after ${formatTurnTime(result.milliseconds)} (${result.limit} limit)`;
    case 'interrupted':
      return 'was interrupted';
  }
}

export function describePause(reason: PauseReason): string {
  switch (reason.kind) {
    case 'asked':
      return 'Paused.';
    case 'reopened':
      return 'Opened again.';
    case 'cancelled':
      return 'Stopped.';
    case 'limit':
      return `Paused at a limit: ${english.limits[reason.limit](reason.max)}.`;
  }
}

/** What came of a request for leave. */
export function describePermission(
  { decision, by }: PermissionUse,
  nameOf: (memberId: string) => string,
): string {
  if (decision === undefined || by === undefined) return english.decisions.words.cancelled;
  return describeDecision({ decision, by }, nameOf);
}

/** What had arrived of an answer that was not completed. */
export function draftOf(result: TurnResult): string {
  return result.kind === 'completed' ? '' : result.draft;
}
