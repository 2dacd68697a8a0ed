import type { ConversationId } from '../models/ids.js';

const SAFE_ID = /^[A-Za-z0-9-]{1,64}$/;

/** Whether a conversation can be kept under this id: 1 to 64 letters, digits and hyphens. */
export function isSafeId(id: string): id is ConversationId {
  return SAFE_ID.test(id);
}
