import type { MessageSource } from '../models/ConversationMessage.js';
import { HuddleError } from '../models/errors.js';
import { sanitizeSource } from '../routing/teamMembers.js';
import { formatDecided, formatSaid } from '../store/postgres/proofs.js';
import { utf8Length } from '../utils/bytes.js';

/** Largest body of a command, in bytes of UTF-8; the database refuses more. */
const MOST_BYTES = 4 * 1024 ** 2;

/** Request of a follower to the process that holds a conversation. */
export type HolderCommand =
  | { readonly kind: 'say'; readonly content: string; readonly via?: MessageSource | undefined }
  | { readonly kind: 'cancel'; readonly drop: boolean }
  | { readonly kind: 'skip-look' | 'pause' | 'resume' | 'retry' }
  | { readonly kind: 'rename'; readonly title: string }
  | { readonly kind: 'decide'; readonly requestId: string; readonly verdict: 'allow' | 'deny' };

/** A command as the store has it, which calls it a wish. */
export interface WrittenCommand {
  readonly kind: string;
  readonly body: string;
}

/** Throws WISH_TOO_LARGE. */
export function encodeCommand(command: HolderCommand): WrittenCommand {
  const { kind } = command;
  const body = bodyOf(command);
  const bytes = utf8Length(body);
  if (bytes > MOST_BYTES) throw new HuddleError('WISH_TOO_LARGE', { bytes, maxBytes: MOST_BYTES });
  return { kind, body };
}

/** The body of a command; of one that proves what a person said or decided as the store reads it again. */
function bodyOf(command: HolderCommand): string {
  if (command.kind === 'say') return formatSaid(command.content, command.via);
  if (command.kind === 'decide') return formatDecided(command.requestId, command.verdict);
  const { kind: _, ...rest } = command;
  return JSON.stringify(rest);
}

/** Null if it is not a command that this version knows: other roles write what they like. */
export function decodeCommand({ kind, body }: WrittenCommand): HolderCommand | null {
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

/** The reason why a command was refused, as the store keeps it. */
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
