import type { ConversationStatus } from '../../conversation/ConversationStatus.js';
import { loadStatus } from '../../coordinator/loadConversation.js';
import type { MemberSummary } from '../../models/ConversationEvent.js';
import { namesIn, showMembers } from '../../presentation/Telling.js';
import type { ConversationReader } from '../../store/Store.js';
import type { ConversationSummary } from '../../store/summary.js';
import { toArray } from '../../utils/AnyIterable.js';

/** A stored conversation as commands need it: who is in it and where it stands. */
export interface StoredSession {
  readonly summary: ConversationSummary;
  readonly members: readonly MemberSummary[];
  readonly status: ConversationStatus;
  readonly nameOf: (memberId: string) => string;
}

/** Reads the beginning of the log and as much of its end as will do. Throws StoreDamagedError. */
export async function loadSession({
  reader,
  summary,
}: {
  readonly reader: ConversationReader;
  readonly summary: ConversationSummary;
}): Promise<StoredSession> {
  const [start] = await toArray(reader.read(1, 1));
  const members = start?.type === 'conversation-start' ? start.team.members : [];
  // At once, so that a log without members is found here.
  const nameOf = namesIn({ members: showMembers(members) });
  return { summary, members, status: await loadStatus(reader), nameOf };
}
