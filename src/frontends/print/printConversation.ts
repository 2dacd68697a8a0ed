import type { Conversation } from '../../coordinator/Conversation.js';
import type { ConversationEvent } from '../../models/ConversationEvent.js';
import { applyEvent, type ConversationView, EMPTY_VIEW } from '../view.js';
import type { Printer } from './Printer.js';

export interface PrintOptions {
  readonly message: string;
  readonly printer: Printer;
}

/** Says one thing, prints what comes of it, and is done when nothing more will happen. Closes the conversation. */
export async function printConversation(
  conversation: Conversation,
  { message, printer }: PrintOptions,
  signal: AbortSignal,
): Promise<ConversationView> {
  let view = EMPTY_VIEW;
  const take = (event: ConversationEvent): void => {
    view = applyEvent(view, event);
    printer.take(event, view);
  };
  const stop = (): void => {
    conversation.cancel();
    // What keeps it from closing is said by `settled`, which is awaited below.
    conversation.close().catch(() => undefined);
  };

  for (const event of conversation.history()) take(event);
  const unsubscribe = conversation.subscribe(take);
  signal.addEventListener('abort', stop, { once: true });
  try {
    if (!signal.aborted) conversation.send(message);
    await conversation.settled();
  } finally {
    signal.removeEventListener('abort', stop);
    await conversation.close();
    unsubscribe();
    printer.end(view);
  }
  return view;
}
