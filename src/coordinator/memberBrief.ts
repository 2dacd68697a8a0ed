import { createHash } from 'node:crypto';
import type { ContextOptions } from '../context/types.js';
import { findAcpAgent } from '../models/AcpAgents.js';
import { type AgentType, findAgentType } from '../models/AgentConfig.js';
import type { BriefChanged, MemberBrief } from '../models/ConversationEvent.js';
import type { MemberId } from '../models/ids.js';
import type { AgentMember, Team } from '../models/Team.js';
import { agentsOf } from '../routing/teamMembers.js';
import { writePreamble } from './preamble.js';

/** What a team file says about a member's prompts, put together. */
export function createBrief(team: Team, member: AgentMember): MemberBrief {
  const { instructionFileText } = member;
  const promptsOf = findPromptType(member);
  return {
    agentName: member.name,
    agentType: member.agentType,
    ...(promptsOf !== undefined && { promptsOf }),
    systemInstruction: [writePreamble(member, team), member.systemInstruction ?? ''].join('\n\n'),
    ...(instructionFileText !== undefined && { instructionFileText }),
    memory: member.memory,
    window: member.window,
    visibility: member.visibility,
    guard: team.context.guard,
    memberNames: team.members.map(({ name }) => name),
    maxBytes: team.context.maxBytes,
  };
}

/** By whose layout the prompts of a member are made. */
export function promptTypeOf({ promptsOf, agentType }: MemberBrief): AgentType {
  return promptsOf ?? agentType;
}

/** Agents that speak ACP differ in where system text goes. */
function findPromptType({ agentType, command = [] }: AgentMember): AgentType | undefined {
  return findAgentType(agentType)?.isAcp ? findAcpAgent(command)?.promptsOf : undefined;
}

/** What a member sees by its brief. */
export function viewOptions(brief: MemberBrief): ContextOptions {
  return {
    systemInstruction: brief.systemInstruction,
    instructionFileText: brief.instructionFileText,
    windowSizeOverride: brief.window,
    maxBytesOverride: brief.maxBytes,
    visibility: brief.visibility,
    agentName: brief.agentName,
    guard: brief.guard,
    memberNames: brief.memberNames,
  };
}

/** The briefs of a team that are not as they were recorded last. */
export function findChangedBriefs(
  team: Team,
  known: ReadonlyMap<MemberId, Pick<BriefChanged, 'sha256'>>,
): BriefChanged[] {
  return agentsOf(team)
    .map((member) => recordBrief(member.id, createBrief(team, member)))
    .filter(({ memberId, sha256 }) => known.get(memberId)?.sha256 !== sha256);
}

function recordBrief(memberId: MemberId, brief: MemberBrief): BriefChanged {
  const { systemInstruction, instructionFileText = '' } = brief;
  return {
    type: 'brief-changed',
    memberId,
    brief,
    sha256: hash(brief),
    systemSha256: hash([systemInstruction, instructionFileText]),
  };
}

function hash(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}
