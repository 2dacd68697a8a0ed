import type { ConversationState } from '../conversation/ConversationState.js';
import type { ParsedMessage } from '../markers/parseMessage.js';
import type { ConversationFact, Notice, WaitingForHuman } from '../models/ConversationEvent.js';
import type { MessageId } from '../models/ids.js';
import type { Member, Team } from '../models/Team.js';
import { foldName } from '../utils/foldName.js';
import { type ResolvedAddressees, resolveAddressees } from './addressees.js';
import { queueTurns } from './queueTurns.js';
import { type AskingProgram, agentsOf, findAgent, lastHumanOf } from './teamMembers.js';

/** Unknown names a notice has; a message may hold thousands. */
const NAMES_TOLD = 5;

/** Recipients of a message, decided before it is saved. */
export interface Route {
  /** Members named in the message, for everybody to see. */
  readonly addressees: readonly Member[];
  /** A person sets the task and names no one but themselves: nothing has to run for it. */
  readonly isAside: boolean;
  /** Derives the facts that follow from a message with its id: task, notices, turns, waiting for a person. */
  followUp(messageId: MessageId): ConversationFact[];
}

/** Reads what a message wants to happen next against the team and the state. Pure. */
export function routeMessage(
  parsed: ParsedMessage,
  speaker: Member | AskingProgram,
  team: Team,
  state: ConversationState,
): Route {
  const resolved = resolveAddressees(parsed.addressees, {
    members: team.members,
    speaker,
    lastHuman: lastHumanOf(team, state),
    maxAddressees: team.limits.addressees,
  });
  const named = resolved.members;
  const targets = named.length > 0 ? named : present(fallbackFor(parsed, speaker, team, state));
  const agents = targets.filter((member) => member.type === 'ai');
  const people = targets.filter((member) => member.type === 'human');
  return {
    addressees: named,
    isAside: parsed.teamTask !== null && resolved.namesSelf && named.length + resolved.unknown.length === 0,
    followUp: (messageId) => [
      ...(parsed.teamTask === null ? [] : [{ type: 'task-changed', task: parsed.teamTask } as const]),
      ...findProblems(parsed, resolved, speaker, { messageId, max: team.limits.addressees }),
      ...queueTurns(agents, { speaker, messageId }, team, state),
      ...awaitPeople(people, named.length > 0),
      ...(targets.length === 0 ? [{ type: 'notice', code: 'no-agent', messageId } as const] : []),
    ],
  };
}

/** A turn that left no message leaves it to the person who spoke last. */
export function awaitLastHuman(team: Team, state: ConversationState): WaitingForHuman[] {
  return awaitPeople(present(lastHumanOf(team, state)), false);
}

/** Whether the text claims to be from another member than it is. */
export function claimsAnother({ claimedFrom }: ParsedMessage, speaker: Member | AskingProgram): boolean {
  return claimedFrom !== null && foldName(claimedFrom) !== foldName(speaker.name);
}

/**
 * Picks the recipient of a message that names no other member: never a check, which runs by itself. A person's, or a program's, goes to the
 * agent that spoke last, but never to another one than was meant: with a name that no member has, the person is asked again.
 * An agent's goes where the team says.
 */
function fallbackFor(
  parsed: ParsedMessage,
  speaker: Member | AskingProgram,
  team: Team,
  state: ConversationState,
): Member | undefined {
  const agents = agentsOf(team).filter(({ check }) => !check);
  if (speaker.type !== 'ai') {
    if (parsed.addressees.length > 0) return speaker.type === 'human' ? speaker : lastHumanOf(team, state);
    return findAgent(team, state.lastAgent) ?? agents[0];
  }
  const next = agents[(agents.indexOf(speaker) + 1) % agents.length];
  const goesRound = team.routing.fallback === 'round-robin' && next !== speaker;
  return goesRound ? next : lastHumanOf(team, state);
}

function awaitPeople(people: readonly Member[], named: boolean): WaitingForHuman[] {
  if (people.length === 0) return [];
  return [{ type: 'waiting-for-human', memberIds: people.map(({ id }) => id), named }];
}

function findProblems(
  parsed: ParsedMessage,
  { unknown, namesSelf, refused }: ResolvedAddressees,
  speaker: Member | AskingProgram,
  { messageId, max }: { readonly messageId: MessageId; readonly max: number },
): Notice[] {
  const about = { type: 'notice', messageId } as const;
  const bySpeaker = { ...about, memberId: speaker.id };
  const more = unknown.length - NAMES_TOLD;
  const notices: (Notice | false)[] = [
    unknown.length > 0 && {
      ...about,
      code: 'unknown-addressee',
      unknown: unknown.slice(0, NAMES_TOLD),
      more: more > 0 ? more : undefined,
    },
    // A person who sets the task names themselves so that no one replies.
    namesSelf && parsed.teamTask === null && { ...bySpeaker, code: 'self-addressed' },
    refused.length > 0 && {
      ...about,
      code: 'too-many-addressees',
      max,
      memberIds: refused.map(({ id }) => id),
    },
    parsed.ignoredMarkers.length > 0 && { ...about, code: 'marker-in-open-fence' },
    claimsAnother(parsed, speaker) && {
      ...bySpeaker,
      code: 'claimed-from',
      claimed: parsed.claimedFrom ?? '',
    },
    speaker.type !== 'human' && parsed.namesTask && { ...bySpeaker, code: 'task-from-agent' },
  ];
  return notices.filter((notice) => notice !== false);
}

function present<Value>(value: Value | undefined): Value[] {
  return value === undefined ? [] : [value];
}
