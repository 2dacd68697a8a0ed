import type { ConversationState } from '../conversation/ConversationState.js';
import type { Phase } from '../conversation/questions.js';
import type { ConversationEvent, RecordedEvent } from '../models/ConversationEvent.js';
import type { ConversationMessage } from '../models/ConversationMessage.js';
import type { ConversationId } from '../models/ids.js';
import type { Team } from '../models/Team.js';

/** A running conversation, as front ends and library users hold it. */
export interface Conversation {
  readonly id: ConversationId;
  readonly team: Team;
  /**
   * Says something as a person (the first one of the team unless named) and sets the team going. Kept when it returns;
   * when it throws, nothing was said.
   */
  send(content: string, options?: { readonly as?: string }): ConversationMessage;
  /** Stops the running turns, keeps their drafts, and pauses. */
  cancel(): void;
  /** Lets the running turns finish, then waits. */
  pause(): void;
  /** Goes on after a pause; the counter of the limit that was reached starts anew. */
  resume(): void;
  /** Asks again for the turns that did not complete since a person last spoke, each under a new id; says how many. */
  retry(): number;
  /**
   * Answers what an agent asks leave for (`permission-request`), as a person of the team. Throws
   * UNKNOWN_PERMISSION_REQUEST when nobody waits for that answer, for instance because somebody else was faster.
   */
  decide(requestId: string, verdict: 'allow' | 'deny', options?: { readonly as?: string }): void;
  /** Everything that was recorded until now, from the beginning. */
  history(): Iterable<RecordedEvent>;
  /** Every event from now on, in order. Returns the function that ends the subscription. */
  subscribe(listener: (event: ConversationEvent) => void): () => void;
  snapshot(): ConversationSnapshot;
  /**
   * Resolves when nothing runs and nothing will run by itself. Rejects when the log could not be written; the
   * conversation then goes no further, and `send` throws the same error.
   */
  settled(): Promise<Phase>;
  /** Stops what runs and lets go of the log. */
  close(): Promise<void>;
}

/** How things stand at one moment. */
export interface ConversationSnapshot {
  /** Everything that follows from its facts, messages apart. */
  readonly state: ConversationState;
  readonly phase: Phase;
  /** In a conversation that was opened again: as many as prompts can need. All of them are in `history`. */
  readonly messages: readonly ConversationMessage[];
  readonly teamTask: string | null;
}

/** Exactly what one turn was sent. */
export interface SentText {
  readonly memberName: string;
  readonly prompt: string;
  /** System text beside the prompt, for agents that take it so. */
  readonly systemFlag?: string;
}
