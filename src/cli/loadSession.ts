import type { Standing } from '../conversation/standing.js';
import { loadStanding } from '../coordinator/loadConversation.js';
import type { MemberSummary } from '../models/ConversationEvent.js';
import { findMember } from '../models/findMember.js';
import type { ConversationReader } from '../store/Store.js';
import type { ConversationSummary } from '../store/summary.js';

/** A stored conversation as commands need it: who is in it and where it stands. */
export interface StoredSession {
  readonly summary: ConversationSummary;
  readonly members: readonly MemberSummary[];
  readonly standing: Standing;
  readonly nameOf: (memberId: string) => string;
}

/** Reads the beginning of the log and as much of its end as will do. Throws StoreDamagedError. */
export function loadSession({
  reader,
  summary,
}: {
  readonly reader: ConversationReader;
  readonly summary: ConversationSummary;
}): StoredSession {
  const [start] = reader.read(1, 1);
  const members = start?.type === 'conversation-start' ? start.team.members : [];
  const nameOf = (id: string) => findMember({ members }, id)?.name ?? id;
  return { summary, members, standing: loadStanding(reader), nameOf };
}
