import { findAgentType } from '../models/AgentConfig.js';
import { isHeldToPermission } from '../models/knownPrograms.js';
import type { AgentMember, Team } from '../models/Team.js';

/** A program that a team runs, and what it is given. */
export type StartedProgram = MemberProgram | SetupProgram;

/** The program of a member. */
export interface MemberProgram
  extends Pick<
    AgentMember,
    'agentType' | 'model' | 'permission' | 'allow' | 'deny' | 'env' | 'instructionFile' | 'check'
  > {
  readonly member: string;
  /** Program and the arguments the team file adds; those of the permission come on top. */
  readonly command: readonly string[];
  /** Otherwise the permission is a word, and the program runs with the rights of the user. */
  readonly isHeldToPermission: boolean;
}

/** The program that prepares new copies, by the field that names it. */
export interface SetupProgram {
  readonly field: 'files.setup';
  readonly command: readonly string[];
}

/** A member whose turns other machines are asked for. */
export interface RemoteMember {
  readonly member: string;
  /** The role of the workers that are asked. */
  readonly runsOn: string;
}

/** The members that run on other machines: they start nothing here, and are asked with the key of this machine. */
export function describeWhatIsAsked({ members }: Team): readonly RemoteMember[] {
  return members.flatMap((member) =>
    member.type === 'ai' && member.runsOn !== undefined ? { member: member.name, runsOn: member.runsOn } : [],
  );
}

/** Everything that starts here and that a person has to know before trusting a folder. */
export function describeWhatStarts({ members, files }: Team): readonly StartedProgram[] {
  const setup = files?.setup;
  return [
    ...members
      .filter((member) => member.type === 'ai')
      .filter(({ runsOn }) => runsOn === undefined)
      .map(describeMember),
    ...(setup === undefined ? [] : [{ field: 'files.setup', command: setup } as const]),
  ];
}

function describeMember(member: AgentMember): MemberProgram {
  const { name, agentType, model, permission, allow, deny, env, instructionFile, check } = member;
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
    ...(check && { check }),
  };
}
