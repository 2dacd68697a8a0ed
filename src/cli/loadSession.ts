import { applyToStanding, INITIAL_STANDING, type Standing } from '../coordinator/standing.js';
import type { MemberSummary } from '../models/ConversationEvent.js';
import type { ConversationReader } from '../store/Store.js';
import type { ConversationSummary } from '../store/summary.js';
import { createNames } from '../transcript/markdown.js';

/** A stored conversation as commands need it: who is in it and where it stands. */
export interface StoredSession {
  readonly summary: ConversationSummary;
  readonly members: readonly MemberSummary[];
  readonly standing: Standing;
  readonly nameOf: (memberId: string) => string;
}

/** Whether there is something to run: turns that did not complete, or that wait. */
export function hasWork({ standing: { memory, state } }: StoredSession): boolean {
  return memory.openTurns.length + memory.unfinished.length + state.queue.length > 0;
}

/** Reads the whole log. Throws StoreDamagedError. */
export function loadSession({
  reader,
  summary,
}: {
  readonly reader: ConversationReader;
  readonly summary: ConversationSummary;
}): StoredSession {
  let standing = INITIAL_STANDING;
  let members: readonly MemberSummary[] = [];
  for (const event of reader.read()) {
    if (event.type === 'conversation-start') members = event.team.members;
    standing = applyToStanding(standing, event);
  }
  return { summary, members, standing, nameOf: createNames(members) };
}
