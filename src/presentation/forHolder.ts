import type { ConversationEvent } from '../models/ConversationEvent.js';

/** An event as the process reads it that holds the conversation, or follows it: for the holder itself it continues here. */
export function forHolder(event: ConversationEvent, isHolder: boolean): ConversationEvent {
  if (!isHolder || event.type !== 'notice' || event.code !== 'lease-taken-over') return event;
  const { continuedBy: _itself, ...notice } = event;
  return notice;
}
