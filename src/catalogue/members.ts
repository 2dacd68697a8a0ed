import { findAgentType } from '../models/AgentConfig.js';
import type { MemberSummary } from '../models/ConversationEvent.js';
import { isHeldToPermission } from '../models/knownPrograms.js';
import type { Member } from '../models/Team.js';
import { english } from './english.js';

const words = english.telling;

/** What a member is: `human`, or the name of an agent's program. */
export function memberKind({ agentType }: MemberSummary): string {
  return agentType === undefined ? words.human : (findAgentType(agentType)?.label ?? agentType);
}

/** What a member is and is called besides its name: `Claude Code`, `Architect`. */
export function kindAndTitle(member: MemberSummary): readonly string[] {
  const { title } = member;
  const kind = memberKind(member);
  return title === undefined || title === kind ? [kind] : [kind, title];
}

/** The mark of an agent that nothing confines; it stands wherever that agent speaks. */
export function marksOf({ permission }: MemberSummary): readonly string[] {
  return permission === 'full' ? [words.unsandboxed] : [];
}

/** What an agent may do, or that nothing keeps it from anything. */
export function rightsOf(member: Member): readonly string[] {
  if (member.type === 'human') return [];
  const isHeld = member.permission === 'full' || isHeldToPermission(member);
  return [isHeld ? words.permissions[member.permission] : words.notHeld];
}
