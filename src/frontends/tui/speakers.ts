import { terminalEnglish } from '../../catalogue/terminal.js';
import type { MemberId } from '../../models/ids.js';
import type { Member } from '../../models/Team.js';

/** A member as the screen knows them: `place` counts agents in the order of the team file and picks their colour. */
export type ShownSpeaker =
  | { readonly type: 'human'; readonly name: string; readonly title?: string }
  | { readonly type: 'ai'; readonly name: string; readonly title?: string; readonly place: number };

export type Speakers = ReadonlyMap<MemberId, ShownSpeaker>;

export function createSpeakers(members: readonly Member[]): Speakers {
  const agents = members.filter(({ type }) => type === 'ai');
  return new Map(members.map((member) => [member.id, speakerOf(member, agents.indexOf(member))]));
}

function speakerOf(member: Member, place: number): ShownSpeaker {
  const { name, title } = member;
  if (member.type === 'human') return { type: 'human', name, ...(title !== undefined && { title }) };
  // Whoever may do everything is called so wherever they speak.
  const words = [title, member.permission === 'full' ? terminalEnglish.unsandboxed : undefined];
  const label = words.filter((word) => word !== undefined).join(' · ');
  return { type: 'ai', name, ...(label !== '' && { title: label }), place };
}
