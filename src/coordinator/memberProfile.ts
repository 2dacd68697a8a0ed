import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { ContextOptions } from '../context/types.js';
import type { MemberMemory } from '../conversation/memberMemory.js';
import { baseName, findAcpAgent } from '../models/AcpAgents.js';
import { type AgentType, findAgentType } from '../models/AgentConfig.js';
import type { MemberProfile, MemberSettings, ProfileChanged } from '../models/ConversationEvent.js';
import type { MemberId } from '../models/ids.js';
import type { AgentMember, FileSettings, Team } from '../models/Team.js';
import { agentsOf } from '../routing/teamMembers.js';
import { writePreamble } from './preamble.js';

/** Puts together all that a team file says about a member's prompts. */
export function createProfile(team: Team, member: AgentMember): MemberProfile {
  const { instructionFileText } = member;
  const promptsOf = findPromptType(member);
  const tellFiles = extentOfTelling(team.files);
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
    ...(tellFiles !== 'nothing' && { tellFiles }),
  };
}

/** The extent to which members are told of changed files. */
function extentOfTelling({ record = true, tell = 'names' }: FileSettings = {}): FileExtent {
  return record ? tell : 'nothing';
}

type FileExtent = NonNullable<FileSettings['tell']>;

/** By whose layout the prompts of a member are made. */
export function promptTypeOf({ promptsOf, agentType }: MemberProfile): AgentType {
  return promptsOf ?? agentType;
}

/** Agents that speak ACP differ in where system text goes. */
function findPromptType({ agentType, command = [] }: AgentMember): AgentType | undefined {
  return findAgentType(agentType)?.isAcp ? findAcpAgent(command)?.promptsOf : undefined;
}

/** Options of a member's view by its profile; field by field, since that of an imported log may hold others. */
export function viewOptions(profile: MemberProfile): ContextOptions {
  return {
    systemInstruction: profile.systemInstruction,
    instructionFileText: profile.instructionFileText,
    windowSizeOverride: profile.window,
    maxBytesOverride: profile.maxBytes,
    visibility: profile.visibility,
    agentName: profile.agentName,
    guard: profile.guard,
    memberNames: profile.memberNames,
  };
}

/** The profiles and settings of a team that are not as they were recorded last. */
export function findChangedProfiles(team: Team, known: MemberMemory['profiles']): ProfileChanged[] {
  return agentsOf(team)
    .map((member) => ({
      ...recordProfile(member.id, createProfile(team, member)),
      settings: describeSettings(member),
    }))
    .filter(({ memberId, sha256, settings }) => {
      const last = known.get(memberId);
      return last?.sha256 !== sha256 || !isDeepStrictEqual(settings, last.settings);
    });
}

/** The fact that a member has this profile. */
export function recordProfile(memberId: MemberId, profile: MemberProfile): ProfileChanged {
  const { systemInstruction, instructionFileText = '' } = profile;
  return {
    type: 'profile-changed',
    memberId,
    profile,
    sha256: hash(profile),
    systemSha256: hash([systemInstruction, instructionFileText]),
  };
}

function hash(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}

/** Describes what a member's agent can do, for the log. A default is the same, be it written in the team file or not. */
export function describeSettings(member: AgentMember): MemberSettings {
  const { model, permission, allow, deny, env, credentials = [], command, output, workspace, check } = member;
  return {
    ...(model !== undefined && { model }),
    permission,
    allow: [...allow],
    deny: [...deny],
    env,
    ...(credentials.length > 0 && { credentials: [...credentials] }),
    ...(command !== undefined && { command: describeWords(command) }),
    ...(output === 'json-lines' && { output }),
    ...(workspace === 'copy' && { workspace }),
    ...(check && { check }),
  };
}

/** Logs are exported and committed, and the words of a command may hold secrets: its program is named, the rest is a hash. */
function describeWords(command: readonly string[]): NonNullable<MemberSettings['command']> {
  const sha256 = createHash('sha256').update(JSON.stringify(command)).digest('hex');
  return { program: baseName(command[0] ?? ''), sha256 };
}
