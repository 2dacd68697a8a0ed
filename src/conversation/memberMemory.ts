import type {
  ConversationFact,
  ConversationForked,
  Notice,
  ProfileChanged,
  TurnEnd,
} from '../models/ConversationEvent.js';
import type { Speaker } from '../models/ConversationMessage.js';
import type { MemberId } from '../models/ids.js';
import type { Agenda } from './Agenda.js';
import { type MemberSession, type SessionProfile, type SessionTurn, sessionAfter } from './memberSession.js';

/** Knowledge about members beyond one turn, folded from the facts. */
export interface MemberMemory {
  readonly profiles: ReadonlyMap<MemberId, KnownProfile>;
  /** Sessions of members with session memory. */
  readonly sessions: ReadonlyMap<MemberId, MemberSession>;
  /** Names of all speakers, also of those who have left the team. */
  readonly speakerNames: readonly string[];
}

/** The profile and the settings of a member, as they were recorded last. */
export type KnownProfile = Pick<ProfileChanged, 'sha256' | 'settings'> &
  Pick<ProfileChanged['profile'], 'agentType'> &
  SessionProfile;

export const NO_MEMORY: MemberMemory = {
  profiles: new Map(),
  sessions: new Map(),
  speakerNames: [],
};

/** Applies a fact, before which these turns were running. */
export function remember(
  memory: MemberMemory,
  fact: ConversationFact,
  { running }: Pick<Agenda, 'running'>,
): MemberMemory {
  switch (fact.type) {
    case 'profile-changed':
      return rememberProfile(memory, fact);
    case 'message-added':
      return rememberSpeaker(memory, fact.message.speaker);
    case 'turn-end': {
      const start = running.find(({ turnId }) => turnId === fact.turnId);
      return start === undefined ? memory : { ...memory, sessions: rememberSession(memory, start, fact) };
    }
    case 'task-changed':
      return forgetTask(memory);
    case 'conversation-forked':
      return inheritSessions(memory, fact);
    case 'notice':
      return forgetInherited(memory, fact);
    default:
      return memory;
  }
}

/** A session belongs to the agent it was made with. */
function rememberProfile({ sessions, profiles, ...rest }: MemberMemory, fact: ProfileChanged): MemberMemory {
  const { memberId, sha256, systemSha256, profile, settings } = fact;
  const { memory, agentType } = profile;
  const known = { sha256, systemSha256, memory, agentType, settings };
  const before = profiles.get(memberId);
  const isOther = before !== undefined && before.agentType !== agentType;
  return {
    ...rest,
    profiles: new Map(profiles).set(memberId, known),
    sessions: isOther ? withSession(sessions, memberId, undefined) : sessions,
  };
}

/** No session was sent the task that counts now. */
function forgetTask(memory: MemberMemory): MemberMemory {
  const sessions = Array.from(
    memory.sessions,
    ([memberId, { knowsTask: _, ...session }]) => [memberId, session] as const,
  );
  return { ...memory, sessions: new Map(sessions) };
}

/** The sessions so far belong to the original, which continues in them. */
function inheritSessions(memory: MemberMemory, { from, upTo }: ConversationForked): MemberMemory {
  const inherited = { from, upTo };
  const sessions = Array.from(
    memory.sessions,
    ([memberId, session]) => [memberId, { ...session, inherited }] as const,
  );
  return { ...memory, sessions: new Map(sessions) };
}

/** A session that belongs to the original, and of which no copy is taken. */
function forgetInherited(memory: MemberMemory, notice: Notice): MemberMemory {
  if (notice.code !== 'session-not-forked') return memory;
  return { ...memory, sessions: withSession(memory.sessions, notice.memberId, undefined) };
}

function rememberSpeaker(memory: MemberMemory, { roleName }: Speaker): MemberMemory {
  const { speakerNames } = memory;
  if (speakerNames.includes(roleName)) return memory;
  return { ...memory, speakerNames: [...speakerNames, roleName] };
}

function rememberSession(
  { profiles, sessions }: MemberMemory,
  start: SessionTurn,
  end: TurnEnd,
): MemberMemory['sessions'] {
  const { memberId } = end;
  const profile = profiles.get(memberId);
  const known = sessions.get(memberId);
  const after = profile && sessionAfter(known, start, end, profile);
  return after === known ? sessions : withSession(sessions, memberId, after);
}

function withSession(
  sessions: MemberMemory['sessions'],
  memberId: MemberId,
  session: MemberSession | undefined,
): MemberMemory['sessions'] {
  const rest = new Map(sessions);
  if (session === undefined) rest.delete(memberId);
  else rest.set(memberId, session);
  return rest;
}
