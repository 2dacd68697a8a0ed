import type { StopReason } from '@agentclientprotocol/sdk/unstable';
import { describePause } from '../../../catalogue/tellings.js';
import { words } from '../../../catalogue/words.js';
import type { Phase } from '../../../conversation/questions.js';
import type { PauseReason } from '../../../models/ConversationEvent.js';

/** The reason why a prompt is over. Never `refusal`: clients take the user's message out of the thread for it. */
export function stopReasonOf(phase: Phase): StopReason {
  if (phase.kind !== 'paused') return 'end_turn';
  const { reason } = phase;
  if (reason.kind === 'cancelled') return 'cancelled';
  if (reason.kind !== 'limit') return 'end_turn';
  return reason.limit === 'tokens' ? 'max_tokens' : 'max_turn_requests';
}

/** The sentence of a pause that the team file asked for, and how to continue. */
export function describeStop(reason: PauseReason): string | undefined {
  const { toContinue, afterReader } = words.acpView;
  const { sentences } = words.joining;
  if (reason.kind === 'limit') return sentences([describePause(reason), toContinue]);
  return reason.kind === 'reader' ? sentences([describePause(reason), afterReader]) : undefined;
}
