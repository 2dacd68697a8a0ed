import type { AgentManager } from '../agents/AgentManager.js';
import type { MemberMemory } from '../conversation/memberMemory.js';
import type { MemberSession, Origin } from '../conversation/memberSession.js';
import type { Notice, QueuedTurn, RecordedEvent } from '../models/ConversationEvent.js';
import { HuddleError } from '../models/errors.js';
import type { ConversationId, MemberId } from '../models/ids.js';
import type { AgentMember, Team } from '../models/Team.js';
import { findAgent } from '../routing/teamMembers.js';
import type { Store } from '../store/Store.js';

export interface ExamineOptions {
  readonly team: Team;
  readonly agents: Pick<AgentManager, 'canFork'>;
  /** The store that has the originals. */
  readonly store: Pick<Store, 'read'>;
}

/** An inherited session of a member whose turn comes. */
interface Heir {
  readonly member: AgentMember;
  readonly session: MemberSession;
  readonly origin: Origin;
}

/**
 * Finds the members of these turns whose inherited sessions cannot be copied as they were at the fork: they start a new one,
 * with the whole prompt. Undefined: no session is inherited.
 */
export function findUnforkable(
  turns: readonly QueuedTurn[],
  memory: MemberMemory,
  options: ExamineOptions,
): Promise<readonly Notice[]> | undefined {
  const heirs = turns.flatMap(({ memberId }): Heir[] => {
    const member = findAgent(options.team, memberId);
    const session = memory.sessions.get(memberId);
    if (member?.memory !== 'session' || session?.inherited === undefined) return [];
    return [{ member, session, origin: session.inherited }];
  });
  return heirs.length === 0 ? undefined : examineAll(heirs, options);
}

async function examineAll(heirs: readonly Heir[], options: ExamineOptions): Promise<readonly Notice[]> {
  const notices: Notice[] = [];
  for (const heir of heirs)
    if (!(await canCopy(heir, options)))
      notices.push({ type: 'notice', code: 'session-not-forked', memberId: heir.member.id });
  return notices;
}

/** At a mark whatever came after it; at its end only as long as that is where the fork was made. */
async function canCopy(heir: Heir, { agents, store }: ExamineOptions): Promise<boolean> {
  const { member, session } = heir;
  // That of a copy of the folder is known there only, and the fork has copies of its own.
  if (session.copy || !agents.canFork(member)) return false;
  const owner = await findOwner(heir, store);
  return owner !== undefined && (session.mark !== undefined || !owner.hasGrown);
}

/** A conversation that a session belongs to. */
interface SessionOwner {
  /** Turns ran in it after the fork. */
  readonly hasGrown: boolean;
}

/** Follows forks of forks back to the conversation in which the session was made. Undefined: it is gone, or of no known one. */
async function findOwner(
  { member, session, origin }: Heir,
  store: Pick<Store, 'read'>,
): Promise<SessionOwner | undefined> {
  const visited = new Set<ConversationId>();
  for (let place: Origin | undefined = origin; place !== undefined && !visited.has(place.from); ) {
    visited.add(place.from);
    const found = await orGone(() => readUses(store, place as Origin, member.id, session.sessionId));
    if (found === undefined || found.lastUse === 0) return undefined;
    // What was imported belongs to a conversation elsewhere.
    if (found.origin === undefined) return found.lastUse > found.restoredSeq ? found : undefined;
    place = { ...found.origin, upTo: Math.min(place.upTo, found.origin.upTo) };
  }
  return undefined;
}

interface SessionUses extends SessionOwner {
  /** The last fact up to the fork that tells of the session; 0 without one. */
  readonly lastUse: number;
  /** It was inherited there as well. */
  readonly origin?: Origin;
  readonly restoredSeq: number;
}

async function readUses(
  store: Pick<Store, 'read'>,
  { from, upTo }: Origin,
  memberId: MemberId,
  sessionId: string,
): Promise<SessionUses> {
  const reader = await store.read(from);
  try {
    let [lastUse, hasGrown, isLeft] = [0, false, false];
    let origin: Origin | undefined;
    for await (const event of reader.read()) {
      if (event.type === 'conversation-forked' && lastUse > 0)
        origin = { from: event.from, upTo: event.upTo };
      if (!('memberId' in event) || event.memberId !== memberId) continue;
      const isUsed = sessionIn(event) === sessionId;
      if (event.seq <= upTo) lastUse = isUsed ? event.seq : lastUse;
      else {
        // Of a turn that has only started nothing else is known than that it continues the latest session.
        if (event.type === 'turn-start') isLeft ||= event.prompt.session === 'new';
        const continues = event.type === 'turn-start' && event.prompt.session === 'resume' && !isLeft;
        hasGrown ||= isUsed || continues;
      }
    }
    return { lastUse, hasGrown, origin, restoredSeq: reader.restoredSeq ?? 0 };
  } finally {
    await reader.close();
  }
}

function sessionIn(event: RecordedEvent): string | undefined {
  if (event.type === 'turn-end') return event.sessionId;
  return event.type === 'turn-activity' && event.event.type === 'session' ? event.event.sessionId : undefined;
}

/** Undefined if the store has it no longer, or not as it was written. */
async function orGone<Value>(read: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof HuddleError && GONE.has(error.code)) return undefined;
    throw error;
  }
}

const GONE: ReadonlySet<string> = new Set(['UNKNOWN_CONVERSATION', 'STORE_DAMAGED', 'STORE_NEWER']);
