import { z } from 'zod';
import { USAGE } from '../models/schema/agentEvents.js';
import { isPublicKeyText } from '../utils/ed25519.js';
import { REQUEST_VERSION, type SignedAsk } from './signing.js';

/** The largest request, report or batch of reports, in bytes. */
export const MOST_BYTES = 4 * 1024 ** 2;

const milliseconds = z.number().positive().max(Number.MAX_SAFE_INTEGER);

const askSchema = z.strictObject({
  v: z.literal(REQUEST_VERSION),
  store: z.string(),
  conversation: z.string(),
  turn: z.string(),
  member: z.string(),
  agentType: z.string(),
  workerRole: z.string(),
  prompt: z.string(),
  systemText: z.string().optional(),
  limits: z.strictObject({ idleMilliseconds: milliseconds, totalMilliseconds: milliseconds }),
  session: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('new') }),
    z.strictObject({ kind: z.literal('resume'), sessionId: z.string().min(1) }),
    z.strictObject({ kind: z.literal('fork'), sessionId: z.string().min(1), at: z.string().optional() }),
  ]),
  sessionTotals: z.strictObject(USAGE).optional(),
  expires: z.number(),
  key: z.string().refine(isPublicKeyText),
  signature: z.string(),
});

export type ReadAsk =
  | { readonly kind: 'request'; readonly request: SignedAsk }
  | { readonly kind: 'newer'; readonly found: number }
  | { readonly kind: 'unreadable' };

/** Text of a request → request. Anyone may have written it. */
export function readAsk(text: string): ReadAsk {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Not even JSON: it comes from no Huddle.
    return { kind: 'unreadable' };
  }
  const found = versionOf(value);
  if (found !== undefined && found > REQUEST_VERSION) return { kind: 'newer', found };
  const parsed = askSchema.safeParse(value);
  return parsed.success ? { kind: 'request', request: parsed.data as SignedAsk } : { kind: 'unreadable' };
}

function versionOf(value: unknown): number | undefined {
  if (typeof value !== 'object' || value === null || !('v' in value)) return undefined;
  return Number.isSafeInteger(value.v) ? (value.v as number) : undefined;
}
