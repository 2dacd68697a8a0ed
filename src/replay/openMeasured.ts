import type { Conversation } from '../coordinator/Conversation.js';
import { ConversationMeasure } from './ConversationMeasure.js';

/** Works with a conversation while it is measured, stops its turns when the signal comes, and closes it. */
export async function openMeasured(
  conversation: Conversation,
  signal: AbortSignal,
  work: (measure: ConversationMeasure) => Promise<void>,
): Promise<void> {
  const measure = new ConversationMeasure();
  const stop = (): void => {
    // `settled`, which the work awaits, reports what keeps it from stopping.
    conversation.cancel().catch(() => undefined);
  };
  signal.addEventListener('abort', stop, { once: true });
  let unsubscribe: (() => void) | undefined;
  try {
    for await (const event of conversation.history()) measure.take(event);
    unsubscribe = conversation.subscribe((event) => {
      if ('seq' in event) measure.take(event);
    });
    await work(measure);
  } finally {
    signal.removeEventListener('abort', stop);
    await conversation.close();
    unsubscribe?.();
  }
}
