import type { ConversationState } from '../conversation/ConversationState.js';
import { listAllowed } from '../conversation/recording.js';
import { concludeRecord } from '../files/recorder/filesFacts.js';
import type { ConversationFact, FilesRecorded, RecordedEvent } from '../models/ConversationEvent.js';
import type { TurnId } from '../models/ids.js';
import type { Team } from '../models/Team.js';
import { findAgent } from '../routing/teamMembers.js';
import type { Cassette } from './openCassette.js';

/** A record of turns as it was found then, and what follows from it for the team of now. */
export function recordTurns(
  fact: FilesRecorded & RecordedEvent,
  { events, starts }: Pick<Cassette, 'events' | 'starts'>,
  team: Team,
  state: ConversationState,
): ConversationFact[] {
  const { v: _v, seq: _seq, at: _at, type: _type, by, copyOf, isLate, overlaps, ...found } = fact;
  const turnIds = by.kind === 'turns' ? by.turnIds : [];
  const turns = turnIds.map((turnId) => {
    const start = starts.get(turnId);
    return {
      turnId,
      member: start && findAgent(team, start.memberId),
      reported: reportedBy(turnId, turnIds, fact, events),
      allowed: listAllowed(events, turnId),
    };
  });
  const files = found.files.map(({ isReported: _, ...file }) => file);
  const record = { copyOf, isLate, overlaps, turns };
  return concludeRecord({ kind: 'recorded', ...found, files }, record, team, state);
}

/** The files of a record that the agent of a turn named itself: paths there may begin with the folder, which is not known. */
function reportedBy(
  turn: TurnId,
  turnIds: readonly TurnId[],
  { files }: FilesRecorded,
  events: readonly RecordedEvent[],
): ReadonlySet<string> {
  const reported = files.flatMap(({ path, isReported }) => (isReported ? path : []));
  if (turnIds.length === 1 || reported.length === 0) return new Set(reported);
  const named = events.flatMap((event) =>
    event.type === 'turn-activity' && event.turnId === turn && event.event.type === 'file-change'
      ? event.event.path.replaceAll('\\', '/')
      : [],
  );
  return new Set(reported.filter((path) => named.some((name) => name === path || name.endsWith(`/${path}`))));
}
