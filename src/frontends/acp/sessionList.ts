import type { SessionInfo } from '@agentclientprotocol/sdk/unstable';
import { words } from '../../catalogue/words.js';
import type { ConversationSummary } from '../../store/summary.js';
import { invalidRequest } from './invalidRequest.js';

/** A saved conversation as clients list it. */
export function describeListed(summary: ConversationSummary): SessionInfo {
  const { id, folder = '/', title, changedAt, state, turns, teamName } = summary;
  return {
    sessionId: id,
    cwd: folder,
    title,
    updatedAt: new Date(changedAt).toISOString(),
    _meta: { huddle: { state, turns, team: teamName } },
  };
}

/** The place in the list at which a page begins. Throws if the cursor is none of ours. */
export function readCursor(cursor: string | null | undefined): number | undefined {
  if (cursor == null) return undefined;
  if (!/^\d{1,15}$/u.test(cursor)) throw invalidRequest(words.acp.badCursor);
  return Number(cursor);
}
