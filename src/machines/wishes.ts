import type { MessageSource } from '../models/ConversationMessage.js';
import { HuddleError } from '../models/errors.js';
import { sanitizeSource } from '../routing/teamMembers.js';
import { formatDecided, formatSaid } from '../store/postgres/proofs.js';
import { utf8Length } from '../utils/bytes.js';

/** Largest body of a wish, in bytes of UTF-8; the database refuses more. */
const MOST_BYTES = 4 * 1024 ** 2;

/** Request of a follower to the process that holds a conversation. */
export type Wish =
  | { readonly kind: 'say'; readonly content: string; readonly via?: MessageSource | undefined }
  | { readonly kind: 'cancel'; readonly drop: boolean }
  | { readonly kind: 'skip-look' | 'pause' | 'resume' | 'retry' }
  | { readonly kind: 'rename'; readonly title: string }
  | { readonly kind: 'decide'; readonly requestId: string; readonly verdict: 'allow' | 'deny' };

/** A wish as the store keeps it. */
export interface WrittenWish {
  readonly kind: string;
  readonly body: string;
}

/** Throws WISH_TOO_LARGE. */
export function encodeWish(wish: Wish): WrittenWish {
  const { kind } = wish;
  const body = bodyOf(wish);
  const bytes = utf8Length(body);
  if (bytes > MOST_BYTES) throw new HuddleError('WISH_TOO_LARGE', { bytes, maxBytes: MOST_BYTES });
  return { kind, body };
}

/** The body of a wish; of one that proves what a person said or decided as the store reads it again. */
function bodyOf(wish: Wish): string {
  if (wish.kind === 'say') return formatSaid(wish.content, wish.via);
  if (wish.kind === 'decide') return formatDecided(wish.requestId, wish.verdict);
  const { kind: _, ...rest } = wish;
  return JSON.stringify(rest);
}

/** Null if it is not a wish that this version knows: other roles write what they like. */
export function decodeWish({ kind, body }: WrittenWish): Wish | null {
  const { content, via, drop, title, requestId, verdict } = parseObject(body);
  switch (kind) {
    case 'say':
      return typeof content === 'string' ? { kind, content, ...readSource(via) } : null;
    case 'cancel':
      return { kind, drop: drop === true };
    case 'skip-look':
    case 'pause':
    case 'resume':
    case 'retry':
      return { kind };
    case 'rename':
      return typeof title === 'string' ? { kind, title } : null;
    case 'decide':
      return typeof requestId === 'string' && (verdict === 'allow' || verdict === 'deny')
        ? { kind, requestId, verdict }
        : null;
    default:
      return null;
  }
}

/** Anything that is not a source a person types by themselves counts as a program's: it grants less. */
function readSource(via: unknown): { readonly via?: MessageSource } {
  if (via === undefined) return {};
  const { kind, name } = Object(via) as Readonly<Record<string, unknown>>;
  return { via: sanitizeSource({ kind: kind === 'acp' ? 'acp' : 'mcp', name: String(name) }) };
}

/** The reason why a wish was refused, as the store keeps it. */
export function encodeRefusal(error: unknown): string {
  const { code, facts } = error instanceof HuddleError ? error : { code: 'WISH_NOT_TAKEN', facts: {} };
  return JSON.stringify({ code, facts });
}

/** The same error on the machine of the role that asked. The holder wrote it, so nothing in it is taken for granted. */
export function decodeRefusal(refusal: string): HuddleError {
  const { code, facts } = parseObject(refusal);
  try {
    if (typeof code === 'string' && typeof facts === 'object' && facts !== null)
      return new HuddleError(code as 'WISH_NOT_TAKEN', facts);
  } catch {
    // No error that this version knows, or without the facts of it.
  }
  return new HuddleError('WISH_NOT_TAKEN', {});
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}
