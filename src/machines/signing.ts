import { createHash } from 'node:crypto';
import type { SessionChoice, TurnTimeLimits } from '../agents/AgentAdapter.js';
import type { SessionTotals } from '../models/AgentEvent.js';
import { isSignedBy, type PublicKeyText, type SigningKey } from '../utils/ed25519.js';

/** The newest form of requests that this Huddle knows. */
export const REQUEST_VERSION = 1;

/** A turn that a worker is asked to run: text and limits, nothing about what is started. */
export interface TurnAsk {
  readonly v: number;
  /** Random id of the shared store: a request of one counts in no other. */
  readonly store: string;
  readonly conversation: string;
  readonly turn: string;
  /** Name of the member as routing folds it. */
  readonly member: string;
  /** The type that the prompt was made for; the worker's own entry says what is started. */
  readonly agentType: string;
  readonly workerRole: string;
  readonly prompt: string;
  readonly systemText?: string | undefined;
  readonly limits: TurnTimeLimits;
  readonly session: SessionChoice;
  readonly sessionTotals?: SessionTotals | undefined;
  /** Epoch milliseconds; not run after that. */
  readonly expires: number;
}

export interface SignedAsk extends TurnAsk {
  readonly key: PublicKeyText;
  /** Base64url, over `bytesToSign`. */
  readonly signature: string;
}

export function signAsk(ask: TurnAsk, key: SigningKey): SignedAsk {
  return { ...ask, key: key.publicKey, signature: key.sign(bytesToSign(ask)) };
}

/** Whether all of a request is as the owner of its key signed it. Which key that may be is not decided here. */
export function isIntact({ key, signature, ...ask }: SignedAsk): boolean {
  return isSignedBy(key, bytesToSign(ask), signature);
}

/**
 * Everything of a request, in one order and spelling. The first word keeps a signature from meaning anything elsewhere;
 * an absent part is null, so that no part can take the place of another.
 */
function bytesToSign(ask: TurnAsk): Uint8Array {
  const { v, store, conversation, turn, member, agentType, workerRole, expires } = ask;
  const { limits, session, sessionTotals: totals, prompt, systemText } = ask;
  const parts = [
    [v, store, conversation, turn, member, agentType, workerRole, expires],
    [hashText(prompt), systemText === undefined ? null : hashText(systemText)],
    [limits.idleMilliseconds, limits.totalMilliseconds],
    session.kind === 'new' ? [session.kind] : [session.kind, session.sessionId, markOf(session)],
    totals && [totals.inputTokens, totals.cachedInputTokens, totals.outputTokens, totals.usd ?? null],
  ];
  return Buffer.from(`huddle turn request\n${JSON.stringify(parts.map((part) => part ?? null))}`);
}

function markOf(session: Exclude<SessionChoice, { kind: 'new' }>): string | null {
  return session.kind === 'fork' ? (session.at ?? null) : null;
}

/** Hashes the text as JSON, in which also halves of characters are told apart. */
function hashText(text: string): string {
  return createHash('sha256').update(JSON.stringify(text)).digest('hex');
}
