import type { ConversationState } from '../../conversation/ConversationState.js';
import type { Conversation, SentText } from '../../coordinator/Conversation.js';
import type { ConversationEvent, RecordedEvent } from '../../models/ConversationEvent.js';
import { HuddleError } from '../../models/errors.js';
import { NEW_TELLING, type Step, type Telling } from '../../presentation/Telling.js';
import { forHolder, tell } from '../../presentation/tell.js';
import type { AnyIterable } from '../../utils/AnyIterable.js';

export interface PrintOptions {
  /** Says or asks for what sets the conversation going. */
  readonly begin: (conversation: Conversation) => Promise<unknown>;
  readonly printer: Printer;
  /** Events up to this number were there before and are not printed again. */
  readonly knownSeq?: number;
}

/**
 * Sets a conversation going, prints what comes of it, and is done when nothing more will happen. Closes it, and says how
 * it stands then.
 */
export async function printConversation(
  conversation: Conversation,
  { begin, printer, knownSeq = 0 }: PrintOptions,
  signal: AbortSignal,
): Promise<ConversationState> {
  let telling = NEW_TELLING;
  const take = (event: ConversationEvent): void => {
    const step = tell(telling, forHolder(event, conversation.presence?.holder?.isHere === true));
    telling = step.telling;
    if (!('seq' in event) || event.seq > knownSeq) printer.take(event, step);
  };
  const stop = (): void => {
    // `settled`, which is awaited below, reports what keeps it from stopping.
    conversation.cancel().catch(() => undefined);
    conversation.close().catch(() => undefined);
  };

  for await (const event of conversation.history()) take(event);
  const unsubscribe = conversation.subscribe(take);
  signal.addEventListener('abort', stop, { once: true });
  try {
    if (!signal.aborted) await begin(conversation);
    await untilSettled(conversation);
  } finally {
    signal.removeEventListener('abort', stop);
    await conversation.close();
    unsubscribe();
    printer.end(telling);
  }
  return telling.conversation;
}

/** Resolves when nothing more will happen. Rejects with HOLDER_GONE when another process ran it, and runs it no more. */
async function untilSettled(conversation: Conversation): Promise<void> {
  const { presence, id } = conversation;
  let end: (() => void) | undefined;
  const gone = new Promise<never>((_resolve, reject) => {
    end = presence?.subscribe((news) => {
      if (news.kind === 'holder-gone' || news.kind === 'holder-left')
        reject(new HuddleError('HOLDER_GONE', { holder: news.role, id }));
    });
  });
  try {
    await Promise.race([conversation.settled(), gone]);
  } finally {
    end?.();
  }
}

/** Prints a conversation from its log. Nothing is under way in it: a turn is shown by what came of it, unless all is wanted. */
export async function replayConversation(
  events: AnyIterable<RecordedEvent>,
  printer: Printer,
): Promise<void> {
  let telling = NEW_TELLING;
  for await (const event of events) {
    const step = tell(telling, event);
    telling = step.telling;
    printer.take(event, step);
  }
  printer.end(telling);
}

/** A way of writing a conversation down while it happens. */
export interface Printer {
  /** `step` is what the event does to the telling. */
  take(event: ConversationEvent, step: Step): void;
  takePrompt?(sent: SentText): void;
  /** Nothing more will happen. */
  end(telling: Telling): void;
}
