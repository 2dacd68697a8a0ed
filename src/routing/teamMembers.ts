import type { ConversationState } from '../conversation/ConversationState.js';
import type { MessageSource } from '../models/ConversationMessage.js';
import { HuddleError } from '../models/errors.js';
import type { MemberId } from '../models/ids.js';
import type { AgentMember, HumanMember, Team } from '../models/Team.js';
import { foldName } from '../utils/foldName.js';

export function agentsOf({ members }: Pick<Team, 'members'>): AgentMember[] {
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

/** A program that asks the team. It is no member; what its message says is done, but grants nothing. */
export interface AskingProgram {
  readonly type: 'system';
  readonly id: MemberId;
  readonly name: string;
  readonly title?: undefined;
}

/** Longest name of a program that is shown whole. */
const MAX_PROGRAM_NAME = 64;

/** Source of a message with a name that can be shown anywhere: any program may call itself anything. */
export function sanitizeSource({ kind, name }: MessageSource): MessageSource {
  const safe = name.replace(/[^\w.]+/g, '-').slice(0, MAX_PROGRAM_NAME);
  return { kind, name: safe.replace(/^-+|-+$/g, '') || 'unknown' };
}

/** The speaker of a message: what comes through MCP speaks for itself, everything else for a person. */
export function requireSpeaker(
  team: Team,
  { as, via }: { readonly as?: string | undefined; readonly via?: MessageSource | undefined },
): HumanMember | AskingProgram {
  if (via?.kind !== 'mcp') return requireHuman(team, as);
  // No member can have this name: a colon is in none.
  const name = `${via.kind}:${via.name}`;
  return { type: 'system', id: name as MemberId, name };
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
