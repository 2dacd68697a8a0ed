import { findAgentType } from '../models/AgentConfig.js';
import type { AgentMember, Member, Team } from '../models/Team.js';
import { PREAMBLES, type PreambleText } from './preambleText.js';

/** Writes what every agent is told about itself, the team and the rules, in the language of the team. Short, since it is never cut. */
export function writePreamble(member: AgentMember, team: Team): string {
  const text = PREAMBLES[team.language ?? 'en'];
  const others = team.members.filter((other) => other !== member);
  const people = others.filter((other) => other.type === 'human').map((other) => other.name);
  const example = others.find(({ type }) => type === 'ai') ?? others[0];
  return [
    text.identity(describe(member, text), team.name),
    ...(others.length > 0 ? [text.others(others.map((other) => introduce(other, text)))] : []),
    text.handOff(example?.name, team.routing.fallback),
    text.rules,
    ...(people.length > 0 ? [text.people(people)] : []),
    ...text.reply,
  ].join('\n');
}

function describe({ name, title }: Member, text: PreambleText): string {
  return title === undefined ? name : text.described(name, [title]);
}

function introduce(member: Member, text: PreambleText): string {
  const kind = member.type === 'human' ? text.human : labelOf(member);
  return text.described(member.name, [...new Set([member.title ?? kind, kind])]);
}

function labelOf({ agentType }: AgentMember): string {
  return findAgentType(agentType)?.label ?? agentType;
}
