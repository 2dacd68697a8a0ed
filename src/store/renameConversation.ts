import { describeRenaming } from '../conversation/describeRenaming.js';
import type { ConversationId } from '../models/ids.js';
import { numberFacts } from './numberFacts.js';
import type { Store } from './Store.js';

/** Names a conversation that no process has open; it keeps its place in the list. Rejects with ConversationLockedError. */
export async function renameConversation(store: Store, id: ConversationId, title: string): Promise<void> {
  const fact = describeRenaming(title);
  const log = await store.open(id, { inPlace: true });
  try {
    // An imported copy that was never continued stays one, although it has one more event.
    const isUntouched = log.restoredSeq === log.lastSeq;
    if (isUntouched) await log.restore(numberFacts([fact], log.lastSeq, Date.now()));
    else log.append([fact]);
    await log.kept();
  } finally {
    await log.close();
  }
}
