import type { RecordedEvent } from '../../../models/ConversationEvent.js';
import type { ViewTarget } from './ViewTarget.js';

/** Shows a stored conversation, as it is read, waiting for the client. */
export async function showHistory(
  events: AsyncIterable<RecordedEvent>,
  target: ViewTarget,
  _options: { folder: string },
): Promise<void> {
  for await (const event of events) {
    if (event.type !== 'message-added') continue;
    const { content: text, speaker } = event.message;
    const sessionUpdate = speaker.type === 'human' ? 'user_message_chunk' : 'agent_message_chunk';
    await target.update({ sessionUpdate, content: { type: 'text', text } });
  }
}
