import type { ConversationState } from '../conversation/ConversationState.js';
import { listAllowed } from '../conversation/recording.js';
import { TurnIndex } from '../conversation/turnIndex.js';
import { concludeRecord } from '../files/recorder/filesFacts.js';
import type { ConversationFact, FilesRecorded, RecordedEvent } from '../models/ConversationEvent.js';
import type { TurnId } from '../models/ids.js';
import type { Team } from '../models/Team.js';
import { findAgent } from '../routing/teamMembers.js';

/** A record of turns as it was found then, and what follows from it for the team of now. */
export function recordTurns(
  fact: FilesRecorded,
  team: Team,
  state: ConversationState,
  events: readonly RecordedEvent[],
): ConversationFact[] {
  const { type: _, by, copyOf, isLate, overlaps, ...found } = withoutPlace(fact);
  const turnIds = by.kind === 'turns' ? by.turnIds : [];
  const index = new TurnIndex();
  for (const event of events) index.note(event);
  const turns = turnIds.map((turnId) => {
    const memberId = index.find(turnId)?.memberId;
    return {
      turnId,
      member: memberId === undefined ? undefined : findAgent(team, memberId),
      reported: reportedBy(turnId, turnIds, fact, events),
      allowed: listAllowed(events, turnId),
    };
  });
  const files = found.files.map(({ isReported: _reported, ...file }) => file);
  return concludeRecord(
    { kind: 'recorded', ...found, files },
    { copyOf, isLate, overlaps, turns },
    team,
    state,
  );
}

function withoutPlace(fact: FilesRecorded): FilesRecorded {
  const { v: _v, seq: _seq, at: _at, ...rest } = fact as RecordedEvent & FilesRecorded;
  return rest;
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
