import type { Conversation } from '../../coordinator/Conversation.js';
import type { ConversationEvent } from '../../models/ConversationEvent.js';
import { applyToView, type ConversationView, EMPTY_VIEW } from '../view.js';
import type { Printer } from './Printer.js';

export interface PrintOptions {
  /** Says or asks for what sets the conversation going. */
  readonly begin: (conversation: Conversation) => Promise<unknown>;
  readonly printer: Printer;
  /** Events up to this number were there before and are not printed again. */
  readonly knownSeq?: number;
}

/**
 * Sets a conversation going, prints what comes of it, and is done when nothing more will happen. Closes it. What was
 * said and done before counts for who is there, not for how this ends.
 */
export async function printConversation(
  conversation: Conversation,
  { begin, printer, knownSeq = 0 }: PrintOptions,
  signal: AbortSignal,
): Promise<ConversationView> {
  let view = EMPTY_VIEW;
  const take = (event: ConversationEvent): void => {
    view = applyToView(view, event);
    if (!('seq' in event) || event.seq > knownSeq) printer.take(event, view);
  };
  const stop = (): void => {
    // What keeps it from stopping is said by `settled`, which is awaited below.
    conversation.cancel().catch(() => undefined);
    conversation.close().catch(() => undefined);
  };

  for await (const event of conversation.history()) {
    take(event);
    // At once and not in the end: lists that are copied with every event would make long conversations wait.
    view = { ...view, messages: [], turns: [], permissions: [] };
  }
  const unsubscribe = conversation.subscribe(take);
  signal.addEventListener('abort', stop, { once: true });
  try {
    if (!signal.aborted) await begin(conversation);
    await conversation.settled();
  } finally {
    signal.removeEventListener('abort', stop);
    await conversation.close();
    unsubscribe();
    printer.end(view);
  }
  return view;
}
