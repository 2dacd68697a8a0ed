import { english } from '../../catalogue/english.js';
import { describeError } from '../../catalogue/errors.js';
import type { Catalogue, WordsOf } from '../../catalogue/words.js';
import { HuddleError } from '../../models/errors.js';
import { LANGUAGES } from '../../models/Language.js';
import type { WireError } from './wire.js';

/** Statuses of the refusals of the server itself, by code. */
export const REFUSALS = {
  INVALID_REQUEST: 400,
  NOT_LOGGED_IN: 401,
  WRONG_CODE: 401,
  WRONG_ORIGIN: 403,
  CROSS_SITE: 403,
  READ_ONLY: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  BODY_TOO_LARGE: 413,
  NOT_JSON: 415,
  WRONG_HOST: 421,
  TOO_MANY_WRONG_CODES: 429,
  HEADERS_TOO_LARGE: 431,
} as const;

export type RefusalCode = keyof typeof REFUSALS;

/** A refused request, without anything secret. */
export interface RefusalFacts {
  readonly status: number;
  readonly code: string;
  readonly method: string;
  readonly path: string;
  readonly host?: string | undefined;
  readonly origin?: string | undefined;
}

/** Beginnings and whole codes of errors of others, with their status. Any other of ours is 409: not as things are now. */
const STATUSES: readonly (readonly [code: RegExp, status: number])[] = [
  [/^UNKNOWN_PERMISSION_REQUEST$/u, 409],
  [/^UNKNOWN_/u, 404],
  [/^(?:EMPTY_MESSAGE|INVALID_\w+|TITLE_TOO_LONG)$/u, 400],
  [/^TOO_MANY_/u, 429],
  [/^STORE_|^(?:CANNOT_WRITE|DATA_FOLDER|FILE_LOCKED|READING_STOPPED)$/u, 503],
  // The system refuses: no space, no rights, too many files.
  [/^E[A-Z0-9]+$/u, 503],
  [/^UNEXPECTED$/u, 500],
];

export function createRefusal(code: RefusalCode, detail?: string): HuddleError {
  return new HuddleError(code, { detail });
}

/** The status of an answer that tells of an error. */
export function statusOf(code: string): number {
  if (Object.hasOwn(REFUSALS, code)) return REFUSALS[code as RefusalCode];
  return STATUSES.find(([pattern]) => pattern.test(code))?.[1] ?? 409;
}

/** The answer that tells of an error, with what to do where only the server knows. */
export function formatRefusal({ code, message }: WireError, { webDoor }: WordsOf<'webDoor'>): string {
  const hints: Readonly<Record<string, string>> = webDoor.hints;
  const hint = Object.hasOwn(hints, code) ? hints[code] : undefined;
  return JSON.stringify({ error: { code, message, hint } });
}

/** The answer to a request that nobody has read. */
export function formatOwnRefusal(code: RefusalCode, words: Catalogue): string {
  return formatRefusal({ code, message: describeError(createRefusal(code), words) }, words);
}

/** The sentences that a request asks for by its `Accept-Language`: the server's own unless its first name is one of ours. */
export async function catalogueOf(accepted: string | undefined, own: Catalogue): Promise<Catalogue> {
  const [first = ''] = (accepted ?? '').split(/[,;]/u);
  switch (LANGUAGES.find((language) => language === first.trim())) {
    case 'en':
      return english;
    case 'zh-CN':
      return (await import('../../catalogue/chinese.js')).chinese;
    default:
      return own;
  }
}
