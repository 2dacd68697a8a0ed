import type { SentText } from '../../coordinator/Conversation.js';
import type { ConversationEvent } from '../../models/ConversationEvent.js';
import type { Step, Telling } from '../../presentation/Telling.js';

/** One way of writing a conversation down while it happens. */
export interface Printer {
  /** `step` is what the event does to the telling. */
  take(event: ConversationEvent, step: Step): void;
  takePrompt?(sent: SentText): void;
  /** Nothing more will happen. */
  end(telling: Telling): void;
}

/** A stream, and where it is a terminal how wide that is. */
export type PrintStream = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };

/** Where a printer writes: results to one stream, everything else to the other. */
export interface PrintStreams {
  readonly stdout: PrintStream;
  readonly stderr: PrintStream;
}
