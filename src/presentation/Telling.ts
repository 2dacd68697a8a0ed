import { type ConversationState, INITIAL_STATE } from '../conversation/ConversationState.js';
import type { ConversationStart, MemberSummary } from '../models/ConversationEvent.js';
import type { TurnId } from '../models/ids.js';
import { findMember } from '../models/Team.js';
import type { Block, PermissionRecord, ShownMember } from './Block.js';
import { isOpen, type LiveTurn } from './LiveTurn.js';

/** The knowledge needed to tell a conversation, and what of it still changes: folded from its events. */
export interface Telling {
  /** Absent until the first event of the conversation was told. */
  readonly start?: ConversationStart;
  readonly members: readonly ShownMember[];
  readonly conversation: ConversationState;
  readonly task: string | null;
  readonly turns: readonly LiveTurn[];
  readonly toolCount: number;
  /** Number of requests that people were asked to decide: a number is never given twice. */
  readonly questionCount: number;
  /** Number of files that the first look at the folder has seen; null if none is under way. */
  readonly filesSeen: number | null;
  /** Roles of a shared store of which it was told that something of theirs is left out. */
  readonly leftOut: readonly string[];
}

/** The effect of an event: the telling after it, and the blocks it adds. */
export interface Step {
  readonly telling: Telling;
  readonly blocks: readonly Block[];
}

export const NEW_TELLING: Telling = {
  members: [],
  conversation: INITIAL_STATE,
  task: null,
  turns: [],
  toolCount: 0,
  questionCount: 0,
  filesSeen: null,
  leftOut: [],
};

export function showMembers<Member extends MemberSummary>(
  members: readonly Member[],
): readonly (Member & ShownMember)[] {
  const agents = members.filter(({ type }) => type === 'ai');
  return members.map((member) => ({ ...member, place: agents.indexOf(member) }));
}

/** The member with this id; a person of that name if there is none. */
export function memberOf(telling: Pick<Telling, 'members'>, id: string, name = id): ShownMember {
  return findMember(telling, id) ?? { id: id as ShownMember['id'], name, type: 'human', place: -1 };
}

/** Looks up the names of members. */
export function namesIn(telling: Pick<Telling, 'members'>): (memberId: string) => string {
  return (memberId) => memberOf(telling, memberId).name;
}

/** A permission request that waits for a person. */
export type OpenPermission = PermissionRecord & { readonly number: number };

/** The requests that wait for a person, in the order in which they came. */
export function openPermissions({ turns }: Pick<Telling, 'turns'>): readonly OpenPermission[] {
  return turns
    .flatMap(({ permissions }) => permissions)
    .filter((request): request is OpenPermission => isOpen(request))
    .sort((one, other) => one.number - other.number);
}

export function findTurn(telling: Telling, turnId: TurnId): LiveTurn | undefined {
  return telling.turns.find((turn) => turn.turnId === turnId);
}

export function replaceTurn(telling: Telling, turn: LiveTurn): Telling {
  const turns = telling.turns.map((other) => (other.turnId === turn.turnId ? turn : other));
  return { ...telling, turns };
}

export function removeTurn(telling: Telling, turnId: TurnId): Telling {
  return { ...telling, turns: telling.turns.filter((turn) => turn.turnId !== turnId) };
}

/** The telling as it will be when someone continues: these turns are interrupted, and what is queued waits for a person. */
export function withoutCutOff<Told extends Pick<Telling, 'turns' | 'conversation'>>(
  told: Told,
  cutOff: readonly Pick<LiveTurn, 'turnId'>[],
): Told {
  if (cutOff.length === 0) return told;
  const { turns, conversation } = told;
  const { running, unfinished, queue, pause } = conversation;
  const isOver = ({ turnId }: Pick<LiveTurn, 'turnId'>) => cutOff.some((turn) => turn.turnId === turnId);
  const interrupted = running.filter(isOver).map((turn) => ({ turn, kind: 'interrupted' as const }));
  return {
    ...told,
    turns: turns.filter((turn) => !isOver(turn)),
    conversation: {
      ...conversation,
      running: running.filter((turn) => !isOver(turn)),
      unfinished: [...unfinished, ...interrupted],
      pause: queue.length > 0 ? (pause ?? { kind: 'reopened' }) : pause,
    },
  };
}
