import { ContextManager } from '../context/ContextManager.js';
import type { ContextSnapshot } from '../context/types.js';
import type { ConversationFact, MemberSummary, RecordedEvent } from '../models/ConversationEvent.js';
import type { ConversationMessage } from '../models/ConversationMessage.js';
import type { ConversationId, MemberId } from '../models/ids.js';
import type { Store } from '../store/Store.js';
import type { AnyIterable } from '../utils/AnyIterable.js';

/** Makes what ContextManager.importSnapshot takes: the messages of a log and the task at its end. */
export async function exportSnapshot(events: AnyIterable<RecordedEvent>): Promise<ContextSnapshot> {
  const messages: ConversationMessage[] = [];
  let teamTask: string | null = null;
  let timestamp = 0;
  for await (const event of events) {
    timestamp = event.at;
    if (event.type === 'message-added') messages.push(event.message);
    if (event.type === 'task-changed') teamTask = event.task;
  }
  return { messages, teamTask, timestamp, version: 1 };
}

/**
 * Saves a snapshot of any origin as a new conversation, after checking all of it.
 *
 * @throws {@link InvalidSnapshotError} (as a rejection); nothing was saved.
 * @throws {@link ConversationExistsError} (as a rejection) if the store has this `id`.
 */
export async function importSnapshot(
  store: Store,
  id: ConversationId,
  snapshot: unknown,
  clock: () => number = Date.now,
): Promise<void> {
  const context = new ContextManager({ logger: {}, clock });
  // Of any form until it has been read.
  context.importSnapshot(snapshot as ContextSnapshot);
  const messages = context.getMessages();
  const teamTask = context.getTeamTask();
  const facts: ConversationFact[] = [
    {
      type: 'conversation-start',
      conversationId: id,
      team: { name: '', members: speakersOf(messages) },
      isRehearsal: false,
    },
    ...(teamTask === null ? [] : [{ type: 'task-changed', task: teamTask } as const]),
    ...messages.map((message) => ({ type: 'message-added', message }) as const),
  ];
  await store.createWhole(id, { added: facts });
}

/** A snapshot knows no team, only who spoke. */
function speakersOf(messages: readonly ConversationMessage[]): MemberSummary[] {
  const speakers = new Map<string, MemberSummary>();
  for (const { speaker } of messages) {
    const { roleId, roleName: name, roleTitle: title, type } = speaker;
    if (type === 'system' || speakers.has(roleId)) continue;
    speakers.set(roleId, { id: roleId as MemberId, name, type, title });
  }
  return [...speakers.values()];
}
