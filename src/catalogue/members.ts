import { findAgentType } from '../models/AgentConfig.js';
import type { MemberSummary } from '../models/ConversationEvent.js';
import { isHeldToPermission, mayBeHeld, programLabel } from '../models/knownPrograms.js';
import type { AgentMember, Member } from '../models/Team.js';
import { words as spoken, type WordsOf } from './words.js';

/** A member of a team, or what a log keeps of it. */
type SomeMember = MemberSummary & Partial<Pick<AgentMember, 'command'>>;

/** The kind of a member: `human`, or the name of an agent's program. */
export function memberKind({ agentType, command }: SomeMember, words: WordsOf<'telling'> = spoken): string {
  if (agentType === undefined) return words.telling.human;
  const label = programLabel({ agentType, command });
  return label === findAgentType(agentType)?.label ? (words.telling.kinds[agentType] ?? label) : label;
}

/** The kind and the title of a member: `Claude Code`, `Architect`. */
export function kindAndTitle(member: SomeMember, words: WordsOf<'telling'> = spoken): readonly string[] {
  return withTitle(memberKind(member, words), member);
}

/** The same of a member as a log has it: no command tells which program speaks ACP. */
export function kindAndTitleInLog(
  member: MemberSummary,
  words: WordsOf<'telling'> = spoken,
): readonly string[] {
  const { agentType } = member;
  if (agentType === undefined) return withTitle(words.telling.human, member);
  return withTitle(words.telling.kinds[agentType] ?? findAgentType(agentType)?.label ?? agentType, member);
}

function withTitle(kind: string, { title }: SomeMember): readonly string[] {
  return title === undefined || title === kind ? [kind] : [kind, title];
}

/** The mark of an agent that nothing confines; it stands wherever that agent speaks. */
export function marksOf(
  { permission }: MemberSummary,
  words: WordsOf<'telling'> = spoken,
): readonly string[] {
  return permission === 'full' ? [words.telling.unsandboxed] : [];
}

/** The word for a member that runs after every change. */
export function dutiesOf(
  { check }: Pick<MemberSummary, 'check'>,
  words: WordsOf<'telling'> = spoken,
): readonly string[] {
  return check ? [words.telling.check] : [];
}

/** The permission of an agent, or that nothing holds it to one; before it, what sets its turns apart from others'. */
export function rightsOf(
  member: Member,
  words: WordsOf<'telling' | 'elsewhere'> = spoken,
): readonly string[] {
  if (member.type === 'human') return [];
  // What it may do is for the worker to say.
  if (member.runsOn !== undefined) return [words.elsewhere.runsOn(member.runsOn)];
  return [
    ...dutiesOf(member, words),
    ...(member.workspace === 'copy' ? [words.telling.ownCopy] : []),
    describeRights({ ...member, isHeld: isHeldToPermission(member) }, words),
  ];
}

/** Facts that decide how far an agent can go. */
interface Rights extends Pick<AgentMember, 'agentType' | 'permission'> {
  /** Something holds its program to its permission. */
  readonly isHeld: boolean;
}

/** The words for what an agent may do, the same wherever it is told. One that nothing holds runs as the user; over ACP it can ask before. */
export function describeRights(
  { agentType, permission, isHeld }: Rights,
  words: WordsOf<'telling'> = spoken,
): string {
  const { permissions, notHeld, shouldAsk } = words.telling;
  if (isHeld || permission === 'full') return permissions[permission];
  return findAgentType(agentType)?.isAcp ? shouldAsk[permission] : notHeld;
}

/** The same of a member as a log has it. */
export function rightsInLog(
  { permission, agentType = '', isHeld }: MemberSummary,
  words: WordsOf<'telling'> = spoken,
): readonly string[] {
  if (permission === undefined) return [];
  return [describeRights({ agentType, permission, isHeld: isHeld !== false && mayBeHeld(agentType) }, words)];
}

/** Facts that introduce a member: its program, its rights, and its model, if the team file names one. */
export function introductionOf(
  member: Member,
  words: WordsOf<'telling' | 'elsewhere'> = spoken,
): readonly string[] {
  const kind = memberKind(member, words);
  const model = member.type === 'ai' && member.model !== undefined ? [member.model] : [];
  // A member that has the name of its program for a title needs it only once.
  return [...(member.title === kind ? [] : [kind]), ...rightsOf(member, words), ...model];
}
