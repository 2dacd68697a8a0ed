import type { ConversationFact, TurnEnd } from '../models/ConversationEvent.js';
import { applyFact, type ConversationState, INITIAL_STATE } from './ConversationState.js';
import { type MemberMemory, NO_MEMORY, remember } from './memberMemory.js';
import { NO_CHANGES, type RecentChanges, rememberChanges } from './recentChanges.js';
import { NO_RECORDING, noteRecording, type Recording } from './recording.js';

/** Everything that follows from a log, but for the messages themselves. */
export interface ConversationStatus {
  readonly state: ConversationState;
  readonly memory: MemberMemory;
  readonly changes: RecentChanges;
  readonly recording: Recording;
  readonly teamTask: string | null;
}

export const INITIAL_STATUS: ConversationStatus = {
  state: INITIAL_STATE,
  memory: NO_MEMORY,
  changes: NO_CHANGES,
  recording: NO_RECORDING,
  teamTask: null,
};

export function applyToStatus(status: ConversationStatus, fact: ConversationFact): ConversationStatus {
  const state = applyFact(status.state, fact);
  return {
    state,
    memory: remember(status.memory, fact, status.state),
    changes: rememberChanges(status.changes, fact, state.turns),
    recording: noteRecording(status.recording, fact, state.turns),
    teamTask: fact.type === 'task-changed' ? fact.task : status.teamTask,
  };
}

/** Whether a turn that did not complete ends its session, because it is unknown what that holds of it. */
export function endsSession(status: ConversationStatus, end: TurnEnd): boolean {
  const { profiles, sessions } = status.memory;
  const { memberId } = end;
  if (profiles.get(memberId)?.memory !== 'session' || !sessions.has(memberId)) return false;
  return !applyToStatus(status, end).memory.sessions.has(memberId);
}

/** Goes up when the form below or the meaning of a fact changes; an older status is rebuilt from the log. */
const STATUS_VERSION = 13;

/** As plain data, for a checkpoint. */
export function encodeStatus({ state, memory, changes, recording, teamTask }: ConversationStatus): unknown {
  return {
    version: STATUS_VERSION,
    state,
    memory: { ...memory, profiles: [...memory.profiles], sessions: [...memory.sessions] },
    changes: { ...changes, lastTurns: [...changes.lastTurns], names: [...changes.names] },
    recording,
    teamTask,
  };
}

/** Back from plain data, which the store has checked to be what was saved; null when it is of another version or form. */
export function decodeStatus(value: unknown): ConversationStatus | null {
  const { version, state, memory, changes, recording, teamTask } = (value ?? {}) as EncodedStatus;
  if (version !== STATUS_VERSION) return null;
  return {
    state,
    memory: { ...memory, profiles: new Map(memory.profiles), sessions: new Map(memory.sessions) },
    changes: { ...changes, lastTurns: new Map(changes.lastTurns), names: new Map(changes.names) },
    recording,
    teamTask,
  };
}

/** The same fields, with the entries of maps in their place. */
type Encoded<Value> = {
  readonly [Key in keyof Value]: Value[Key] extends ReadonlyMap<infer Name, infer Item>
    ? readonly (readonly [Name, Item])[]
    : Value[Key];
};

interface EncodedStatus extends Omit<ConversationStatus, 'memory' | 'changes'> {
  readonly version: number;
  readonly changes: Encoded<RecentChanges>;
  readonly memory: Encoded<MemberMemory>;
}
