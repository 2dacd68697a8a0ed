import type { ConversationState } from '../conversation/ConversationState.js';
import { HuddleError } from '../models/errors.js';
import type { MemberId } from '../models/ids.js';
import type { AgentMember, HumanMember, Team } from '../models/Team.js';
import { foldName } from '../utils/foldName.js';

export function agentsOf({ members }: Team): AgentMember[] {
  return members.filter((member) => member.type === 'ai');
}

function peopleOf({ members }: Team): HumanMember[] {
  return members.filter((member) => member.type === 'human');
}

export function findAgent(team: Team, id: MemberId | null): AgentMember | undefined {
  return agentsOf(team).find((agent) => agent.id === id);
}

/** The person who spoke last; the first one of the team before anybody has. */
export function lastHumanOf(
  team: Team,
  { lastHuman }: Pick<ConversationState, 'lastHuman'>,
): HumanMember | undefined {
  const people = peopleOf(team);
  return people.find(({ id }) => id === lastHuman) ?? people[0];
}

/** The person who is to be quoted: by name, or the first one of the team. */
export function requireHuman(team: Team, name: string | undefined): HumanMember {
  const people = peopleOf(team);
  const speaker =
    name === undefined ? people[0] : people.find((person) => foldName(person.name) === foldName(name));
  if (speaker !== undefined) return speaker;
  const names = people.map((person) => person.name);
  throw new HuddleError('UNKNOWN_SPEAKER', { name: name ?? '', people: names });
}

export function requireAgent(team: Team, id: MemberId): AgentMember {
  const agent = findAgent(team, id);
  if (agent !== undefined) return agent;
  throw new TypeError(`A turn was queued for ${id}, who is no agent of this team`);
}
