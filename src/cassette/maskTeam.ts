import type { Member, Team } from '../models/Team.js';
import { createMask, type Mask, type MaskedPlace } from './maskText.js';

/** A team with the texts that a masked recording of it has, so that its prompts, settings and decisions compare. */
export function maskTeam(team: Team, place: MaskedPlace): Team {
  const mask = createMask({ ...place, names: team.members.flatMap(({ id, name }) => [id, name]) });
  return {
    ...team,
    task: team.task && mask(team.task),
    members: team.members.map((member) => maskMember(member, mask)),
  };
}

function maskMember(member: Member, mask: Mask): Member {
  const maskText = (text: string | undefined): string | undefined => text && mask(text);
  if (member.type === 'human') return { ...member, title: maskText(member.title) };
  return {
    ...member,
    title: maskText(member.title),
    systemInstruction: maskText(member.systemInstruction),
    instructionFileText: maskText(member.instructionFileText),
    model: maskText(member.model),
    allow: member.allow.map(mask),
    deny: member.deny.map(mask),
    command: member.command?.map(mask),
  };
}
