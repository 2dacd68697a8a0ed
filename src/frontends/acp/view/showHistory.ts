import type { SessionUpdate } from '@agentclientprotocol/sdk/unstable';
import type { RecordedEvent } from '../../../models/ConversationEvent.js';
import { HistoryFold } from './HistoryFold.js';
import { splitLong } from './textChunk.js';
import type { ViewOptions, ViewTarget } from './ViewTarget.js';

/** Shows a stored conversation as it is read: nothing more is read before the client has taken what was. */
export async function showHistory(
  events: AsyncIterable<RecordedEvent>,
  target: ViewTarget,
  { folder }: ViewOptions,
): Promise<void> {
  const fold = new HistoryFold(folder);
  const show = async (updates: readonly SessionUpdate[]): Promise<void> => {
    for (const update of updates) for (const part of splitLong(update)) await target.update(part);
  };
  for await (const event of events) await show(fold.take(event));
  await show(fold.end());
}
