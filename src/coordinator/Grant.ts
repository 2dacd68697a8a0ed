import type { ConversationFact } from '../models/ConversationEvent.js';
import type { Claim } from '../store/Store.js';
import type { Conversation } from './Conversation.js';

/** The role of a shared store that a verb is called for, and the command of it that is done. */
export interface Grant {
  readonly by: string;
  readonly claim?: Claim;
}

/** A conversation that this process decides and writes; others speak in it as well, through whoever holds it. */
export interface DecidingConversation extends Conversation {
  /** Calls one verb for a role. Front ends never do: they speak for the person in front of them. */
  actFor<Value>(grant: Grant, verb: () => Promise<Value>): ActedFor<Value>;
  /** The reason why nothing more can be recorded; null: none. */
  readonly failure: { readonly error: unknown } | null;
  /** Records facts for a command that no verb does. They count at once and are told when they are durable. */
  record(facts: readonly ConversationFact[]): void;
}

/** A verb that was called for a role. */
export interface ActedFor<Value> {
  readonly result: Promise<Value>;
  /** The command was taken with what was recorded. False: nothing was. */
  readonly isTaken: boolean;
}

/** Facts with the role that said what people say in them. */
export function signFacts(
  facts: readonly ConversationFact[],
  grant: Grant | null,
): readonly ConversationFact[] {
  if (grant === null) return facts;
  const { by } = grant;
  return facts.map((fact) =>
    fact.type === 'message-added' && fact.message.speaker.type !== 'ai' ? { ...fact, by } : fact,
  );
}
