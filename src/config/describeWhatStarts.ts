import { findAgentType } from '../models/AgentConfig.js';
import { isHeldToPermission } from '../models/knownPrograms.js';
import type { AgentMember, Team } from '../models/Team.js';
import { quoteText } from '../utils/quoteText.js';

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

/** A few lines for the trust question. Every word of the team file is quoted, since no person vouches for it yet. */
export function formatWhatStarts(programs: readonly StartedProgram[]): string {
  return programs.map(formatProgram).join('\n');
}

function formatProgram(program: StartedProgram): string {
  const details: ReadonlyArray<readonly [label: string, values: readonly string[]]> = [
    ['model', program.model === undefined ? [] : [program.model]],
    ['allowed', program.allow],
    ['denied', program.deny],
    ['instruction file', program.instructionFile === undefined ? [] : [program.instructionFile]],
  ];
  return [
    `${quoteText(program.member)} runs ${quoteWords(program.command)}`,
    `  ${describePermission(program)}, environment ${program.env}`,
    ...details
      .filter(([, values]) => values.length > 0)
      .map(([label, values]) => `  ${label} ${quoteWords(values)}`),
  ].join('\n');
}

function describePermission({ permission, isHeldToPermission: isHeld }: StartedProgram): string {
  return isHeld || permission === 'full' ? `permission ${permission}` : 'runs as you (no sandbox)';
}

/** In full: a question about trust must not leave out the end of a command. */
function quoteWords(words: readonly string[]): string {
  return words.map(quoteText).join(' ');
}
