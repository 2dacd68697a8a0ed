import type { FailureFacts } from '../../models/TurnOutcome.js';
import { failedWith } from '../dialect/failures.js';
import { fieldOf, listOf, numberOf, textOf, toOneLine } from '../dialect/records.js';

const AUTH_REQUIRED = -32000;
const WAYS_LENGTH = 300;

/** Reads an agent's error, sent instead of a result. The SDK's own look the same: code, message, data. */
export function readRequestError(error: unknown): FailureFacts {
  const message = textOf(error, 'message') ?? (error instanceof Error ? error.message : '');
  const details = detailsIn(fieldOf(error, 'data'));
  return failedWith({
    message: details === undefined || details === message ? message : `${message}: ${details}`,
    isAuth: isAuthRequired(error),
  }).failure;
}

/** Whether an error is what the agent answered; otherwise there was no answer. */
export function isAnswer(error: unknown): boolean {
  return numberOf(error, 'code') !== undefined;
}

/** Whether an agent says that the user has to log in. */
export function isAuthRequired(error: unknown): boolean {
  return numberOf(error, 'code') === AUTH_REQUIRED;
}

/** The ways to log in, in the words of the agent. */
export function loginWaysIn(initialized: unknown): string | undefined {
  const ways = listOf(initialized, 'authMethods').flatMap(
    (method) => textOf(method, 'description') ?? textOf(method, 'name') ?? [],
  );
  return ways.length === 0 ? undefined : toOneLine(ways.join('; '), WAYS_LENGTH);
}

function detailsIn(data: unknown): string | undefined {
  if (typeof data === 'string') return data;
  return textOf(data, 'details') ?? textOf(data, 'message') ?? textOf(fieldOf(data, 'error'), 'message');
}
