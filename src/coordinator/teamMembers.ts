import { english } from '../catalogue/english.js';
import { HuddleError } from '../models/errors.js';
import type { MemberId } from '../models/ids.js';
import type { AgentMember, HumanMember, Member, Team } from '../models/Team.js';
import { foldName } from '../utils/foldName.js';
import type { ConversationState } from './ConversationState.js';

export function agentsOf({ members }: Team): AgentMember[] {
  return members.filter((member) => member.type === 'ai');
}

function peopleOf({ members }: Team): HumanMember[] {
  return members.filter((member) => member.type === 'human');
}

export function findMember({ members }: Team, id: MemberId | null): Member | undefined {
  return members.find((member) => member.id === id);
}

/** The person who spoke last; the first one of the team before anybody has. */
export function lastHumanOf(
  team: Team,
  { lastHuman }: Pick<ConversationState, 'lastHuman'>,
): Member | undefined {
  return findMember(team, lastHuman) ?? peopleOf(team)[0];
}

/** The person who is to be quoted: by name, or the first one of the team. */
export function requireHuman(team: Team, name: string | undefined): HumanMember {
  const people = peopleOf(team);
  const speaker =
    name === undefined ? people[0] : people.find((person) => foldName(person.name) === foldName(name));
  if (speaker !== undefined) return speaker;
  const names = people.map((person) => person.name);
  throw new HuddleError('UNKNOWN_SPEAKER', english.unknownSpeaker(name, names));
}

export function requireAgent(team: Team, id: MemberId): AgentMember {
  const member = findMember(team, id);
  if (member?.type === 'ai') return member;
  throw new TypeError(`A turn was queued for ${id}, who is no agent of this team`);
}
