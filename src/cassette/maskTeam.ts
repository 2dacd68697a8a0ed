import type { AgentMember, Member, Team } from '../models/Team.js';
import { createMask, type Mask, type MaskedPlace } from './maskText.js';

/** A team with the texts that a masked recording of it has, so that its prompts, settings and decisions compare. */
export function maskTeam(team: Team, place: MaskedPlace): Team {
  const mask = createMask({ ...place, names: team.members.flatMap(({ id, name }) => [id, name]) });
  return {
    ...team,
    ...(team.task !== undefined && { task: mask(team.task) }),
    members: team.members.map((member) => maskMember(member, mask)),
  };
}

function maskMember(member: Member, mask: Mask): Member {
  const titled = { ...member, ...(member.title !== undefined && { title: mask(member.title) }) };
  if (titled.type === 'human') return titled;
  const { allow, deny, command } = titled;
  return {
    ...titled,
    ...maskTexts(titled, mask),
    allow: allow.map(mask),
    deny: deny.map(mask),
    ...(command !== undefined && { command: command.map(mask) }),
  };
}

/** Single texts of a member. */
const TEXTS = ['systemInstruction', 'instructionFileText', 'model'] as const;

function maskTexts(member: AgentMember, mask: Mask): Partial<Record<(typeof TEXTS)[number], string>> {
  return Object.fromEntries(
    TEXTS.flatMap((field) => {
      const text = member[field];
      return text === undefined ? [] : [[field, mask(text)]];
    }),
  );
}
