import { findAgentType } from '../models/AgentConfig.js';
import { isHeldToPermission } from '../models/knownPrograms.js';
import type { AgentMember, Team } from '../models/Team.js';

/** A program that a team runs, and what it is given. */
export interface StartedProgram
  extends Pick<
    AgentMember,
    'agentType' | 'model' | 'permission' | 'allow' | 'deny' | 'env' | 'instructionFile'
  > {
  readonly member: string;
  /** Program and the arguments the team file adds; those of the permission come on top. */
  readonly command: readonly string[];
  /** Otherwise the permission is a word, and the program runs with the rights of the user. */
  readonly isHeldToPermission: boolean;
}

/** Everything a person has to know before trusting a folder. */
export function describeWhatStarts(team: Team): readonly StartedProgram[] {
  return team.members.filter((member) => member.type === 'ai').map(describeMember);
}

function describeMember(member: AgentMember): StartedProgram {
  const { name, agentType, model, permission, allow, deny, env, instructionFile } = member;
  const command = member.command ?? findAgentType(agentType)?.command ?? [];
  return {
    member: name,
    agentType,
    command,
    model,
    permission,
    isHeldToPermission: isHeldToPermission(member),
    allow,
    deny,
    env,
    instructionFile,
  };
}
