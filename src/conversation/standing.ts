import type { ConversationFact, TurnEnd } from '../models/ConversationEvent.js';
import { applyFact, type ConversationState, INITIAL_STATE } from './ConversationState.js';
import { type MemberMemory, NO_MEMORY, remember } from './memberMemory.js';

/** Everything that follows from a log, but for the messages themselves. */
export interface Standing {
  readonly state: ConversationState;
  readonly memory: MemberMemory;
  readonly teamTask: string | null;
}

export const INITIAL_STANDING: Standing = { state: INITIAL_STATE, memory: NO_MEMORY, teamTask: null };

export function applyToStanding(standing: Standing, fact: ConversationFact): Standing {
  return {
    state: applyFact(standing.state, fact),
    memory: remember(standing.memory, fact, standing.state),
    teamTask: fact.type === 'task-changed' ? fact.task : standing.teamTask,
  };
}

/** Whether a turn that did not complete ends the session it ran in, because nobody can tell what that holds of it. */
export function endsSession(standing: Standing, end: TurnEnd): boolean {
  const { profiles, sessions } = standing.memory;
  const { memberId } = end;
  if (profiles.get(memberId)?.memory !== 'session' || !sessions.has(memberId)) return false;
  return !applyToStanding(standing, end).memory.sessions.has(memberId);
}

/** Goes up when the form below or the meaning of a fact changes; what is older is made anew from the log. */
const STANDING_VERSION = 7;

/** The field of the plain object that is written for a map. */
const ENTRIES = '$entries';

interface EncodedStanding {
  readonly version: number;
  readonly json: string;
}

/** As plain data, for a checkpoint. */
export function encodeStanding({ state, memory, teamTask }: Standing): EncodedStanding {
  const json = JSON.stringify({ state, memory, teamTask }, (_, value: unknown) =>
    value instanceof Map ? { [ENTRIES]: [...value] } : value,
  );
  return { version: STANDING_VERSION, json };
}

/** Back from plain data, which the store has checked to be what was saved; null when it is of another version. */
export function decodeStanding(value: unknown): Standing | null {
  const { version, json } = value as EncodedStanding;
  if (version !== STANDING_VERSION) return null;
  return JSON.parse(json, (_, field) => (field?.[ENTRIES] ? new Map(field[ENTRIES]) : field));
}
