import { english } from '../catalogue/english.js';
import type { ConversationFact, Notice, QueuedTurn } from '../models/ConversationEvent.js';
import type { MemberId, MessageId, TurnId } from '../models/ids.js';
import type { AgentMember, HumanMember, Member, Team } from '../models/Team.js';
import { type ResolvedAddressees, resolveAddressees } from '../routing/addressees.js';
import type { ParsedMessage } from '../routing/MessageRouter.js';
import { foldName } from '../utils/foldName.js';
import type { ConversationState } from './ConversationState.js';

/** Where a message goes, decided before it is stored. */
export interface Route {
  /** Members named in the message, for everybody to see. */
  readonly addressees: readonly Member[];
  /** What follows from the message once it has its id: task, notices, turns, waiting for a person. */
  followUp(messageId: MessageId): ConversationFact[];
}

/** Reads what a message wants to happen next against the team and the state. Pure. */
export function routeMessage(
  parsed: ParsedMessage,
  speaker: Member,
  team: Team,
  state: ConversationState,
): Route {
  const resolved = resolveAddressees(parsed.addressees, {
    members: team.members,
    speaker,
    lastHuman: findMember(team, state.lastHuman),
    maxAddressees: team.limits.addressees,
  });
  const named = resolved.members;
  const targets = named.length > 0 ? named : fallbackFor(speaker, team, state);
  const agents = targets.filter((member) => member.type === 'ai');
  const people = targets.filter((member) => member.type === 'human');
  return {
    addressees: named,
    followUp: (messageId) => [
      ...(parsed.teamTask === null ? [] : [{ type: 'task-changed', task: parsed.teamTask } as const]),
      ...describeProblems(parsed, resolved, speaker, team).map((notice) => ({ ...notice, messageId })),
      ...queueTurns(agents, speaker, messageId, team, state),
      ...awaitPeople(people, named.length > 0),
      ...(targets.length === 0 ? [notice('no-agent', english.noAgent())] : []),
    ],
  };
}

/** Who gets a message that names nobody: from a person, the agent that spoke last; from an agent, as the team says. */
function fallbackFor(speaker: Member, team: Team, state: ConversationState): readonly Member[] {
  const agents = team.members.filter((member): member is AgentMember => member.type === 'ai');
  if (speaker.type === 'human') return present(findMember(team, state.lastAgent) ?? agents[0]);
  if (team.routing.fallback === 'round-robin') {
    const next = agents[(agents.indexOf(speaker) + 1) % agents.length];
    return present(next === speaker ? lastHumanOf(team, state) : next);
  }
  return present(lastHumanOf(team, state));
}

function lastHumanOf(team: Team, state: ConversationState): Member | undefined {
  const people = team.members.filter((member): member is HumanMember => member.type === 'human');
  return findMember(team, state.lastHuman) ?? people[0];
}

function findMember(team: Team, id: MemberId | null): Member | undefined {
  return team.members.find((member) => member.id === id);
}

function present<Value>(value: Value | undefined): Value[] {
  return value === undefined ? [] : [value];
}

/** Turns for the agents that are not waiting already, as many as the queue has room for. */
function queueTurns(
  agents: readonly AgentMember[],
  speaker: Member,
  messageId: MessageId,
  team: Team,
  state: ConversationState,
): ConversationFact[] {
  const { fanout } = team.routing;
  const isFannedOut = agents.length > 1 && fanout !== 'sequential';
  // Who waits already will see this message as well.
  const waiting = new Set(
    state.queue.filter(({ about }) => about === undefined).map(({ memberId }) => memberId),
  );
  const wanted = isFannedOut ? agents : agents.filter(({ id }) => !waiting.has(id));
  const room = Math.max(0, team.limits.queue - state.queue.length);
  const turnIds = wanted.map((_, index) => `turn-${state.turnCount + index + 1}` as TurnId);
  const turns = wanted.slice(0, room).map(
    ({ id }, index): QueuedTurn => ({
      turnId: turnIds[index] as TurnId,
      memberId: id,
      triggeredBy: messageId,
      ...(isFannedOut && { about: messageId }),
      ...(isFannedOut && fanout === 'blind' && { blindRound: turnIds[0] as TurnId }),
    }),
  );
  const refused = wanted.slice(room).map(({ name }) => name);
  return [
    ...(turns.length === 0
      ? []
      : [{ type: 'turns-queued', turns, place: speaker.type === 'human' ? 'front' : 'back' } as const]),
    ...(refused.length === 0 ? [] : [notice('queue-full', english.queueFull(team.limits.queue, refused))]),
  ];
}

function awaitPeople(people: readonly Member[], named: boolean): ConversationFact[] {
  if (people.length === 0) return [];
  return [{ type: 'human-awaited', memberIds: people.map(({ id }) => id), named }];
}

function describeProblems(
  parsed: ParsedMessage,
  resolved: ResolvedAddressees,
  speaker: Member,
  team: Team,
): Notice[] {
  const { addressees: max } = team.limits;
  const refused = resolved.refused.map(({ name }) => name);
  return [
    ...resolved.unknown.map(({ name, nearest }) =>
      notice('unknown-addressee', english.unknownAddressee(name, nearest)),
    ),
    ...(resolved.namesSelf ? [notice('self-addressed', english.selfAddressed(speaker.name))] : []),
    ...(refused.length > 0
      ? [notice('too-many-addressees', english.tooManyAddressees(max + refused.length, max, refused))]
      : []),
    ...(parsed.ignoredMarkers.length > 0
      ? [notice('marker-in-open-fence', english.markerInOpenFence())]
      : []),
    ...(claimsAnother(parsed, speaker)
      ? [notice('claimed-from', english.claimedFrom(speaker.name, parsed.claimedFrom ?? ''))]
      : []),
    ...(speaker.type === 'ai' && parsed.namesTask
      ? [notice('task-from-agent', english.taskFromAgent(speaker.name))]
      : []),
  ];
}

/** The text says it is from somebody else than it is. */
export function claimsAnother({ claimedFrom }: ParsedMessage, speaker: Member): boolean {
  return claimedFrom !== null && foldName(claimedFrom) !== foldName(speaker.name);
}

function notice(code: Notice['code'], text: string): Notice {
  return { type: 'notice', code, text };
}
