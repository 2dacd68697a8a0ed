import type {
  ConversationFact,
  PermissionDecided,
  TurnActivity,
  TurnStart,
} from '../models/ConversationEvent.js';
import type { NotRecorded } from '../models/FileChange.js';
import type { MemberId, TurnId } from '../models/ids.js';
import { findRecentTurn, MOST_RECENT_TURNS, type RecentTurns } from './turnIndex.js';

/** Turns and the folders they work in, as far as records of files need to know them. Folded from the facts. */
export interface Recording {
  /** Turns whose changes are in no record yet; the newest of them. */
  readonly unrecorded: readonly PlacedTurn[];
  /** Reasons of `files-not-recorded` that people were told. */
  readonly reasons: readonly NotRecorded[];
}

/** A turn, and the member in whose copy it works. Without that: in the working folder. */
export interface PlacedTurn {
  readonly turnId: TurnId;
  readonly memberId: MemberId;
  readonly copyOf?: MemberId | undefined;
  /** Changes of files that it asked for permission to make. */
  readonly asked?: readonly AskedChange[] | undefined;
}

/** A change of files that an agent asked for permission to make. */
export interface AskedChange {
  readonly requestId: string;
  /** As the request names them: relative to the folder of the turn, or absolute. */
  readonly paths: readonly string[];
  /** Something is done to a folder, with all that is in it. */
  readonly isWhole: boolean;
  /** A person allowed it, or the team file did. */
  readonly isAllowed?: boolean;
}

export const NO_RECORDING: Recording = { unrecorded: [], reasons: [] };

/** Applies one more fact; `turns` are those of the same moment. */
export function noteRecording(recording: Recording, fact: ConversationFact, turns: RecentTurns): Recording {
  const { unrecorded, reasons } = recording;
  switch (fact.type) {
    case 'turn-start':
      return startTurn(recording, fact, turns);
    case 'turn-activity':
      return noteAsked(recording, fact);
    case 'permission-decided':
      return noteDecided(recording, fact);
    case 'files-recorded':
      return { ...recording, unrecorded: unrecorded.filter(({ copyOf }) => copyOf !== fact.copyOf) };
    case 'notice':
      if (fact.code !== 'files-not-recorded' || reasons.includes(fact.reason)) return recording;
      return { ...recording, reasons: [...reasons, fact.reason] };
    case 'conversation-start':
    case 'conversation-forked':
    case 'message-added':
    case 'task-changed':
    case 'title-changed':
    case 'profile-changed':
    case 'turns-queued':
    case 'turns-dropped':
    case 'turn-end':
    case 'waiting-for-human':
    case 'conversation-pause':
    case 'conversation-resume':
      return recording;
  }
}

/** The changes that a turn asked for and was allowed to make, by its events. */
export function listAllowed(events: readonly ConversationFact[], turn: TurnId): readonly AskedChange[] {
  const { unrecorded } = events
    .filter((event) => event.type !== 'files-recorded' && 'turnId' in event && event.turnId === turn)
    .reduce((recording, event) => noteRecording(recording, event, []), NO_RECORDING);
  return unrecorded.flatMap(allowedTo);
}

export function allowedTo({ asked = [] }: PlacedTurn): readonly AskedChange[] {
  return asked.filter(({ isAllowed }) => isAllowed);
}

/** The kinds of tools that change files; a command may do anything, whatever files it names. */
const CHANGING: ReadonlySet<string> = new Set(['edit', 'delete', 'move']);

function noteAsked(recording: Recording, { turnId, event }: TurnActivity): Recording {
  if (event.type !== 'permission-request') return recording;
  const { requestId = '', kind = '', command, paths = [] } = event;
  if (!CHANGING.has(kind) || command !== undefined || paths.length === 0) return recording;
  const change: AskedChange = { requestId, paths, isWhole: kind !== 'edit' };
  return withAsked(recording, turnId, (asked) => [...asked, change]);
}

function noteDecided(recording: Recording, { turnId, requestId, decision }: PermissionDecided): Recording {
  if (decision !== 'allowed') return recording;
  const allow = (change: AskedChange): AskedChange =>
    change.requestId === requestId ? { ...change, isAllowed: true } : change;
  return withAsked(recording, turnId, (asked) => asked.map(allow));
}

function withAsked(
  recording: Recording,
  turnId: TurnId,
  update: (asked: readonly AskedChange[]) => readonly AskedChange[],
): Recording {
  const unrecorded = recording.unrecorded.map((turn) =>
    turn.turnId === turnId ? { ...turn, asked: update(turn.asked ?? []) } : turn,
  );
  return { ...recording, unrecorded };
}

/** Bounded for conversations in which nothing is recorded. */
function startTurn(
  recording: Recording,
  { turnId, memberId, runsOn }: TurnStart,
  turns: RecentTurns,
): Recording {
  if (runsOn !== undefined) return recording;
  const { copyOf } = findRecentTurn(turns, turnId) ?? {};
  const unrecorded = [...recording.unrecorded, { turnId, memberId, copyOf }];
  return { ...recording, unrecorded: unrecorded.slice(-MOST_RECENT_TURNS) };
}
