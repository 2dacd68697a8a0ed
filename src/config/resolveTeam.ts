import { normalizeAgentType } from '../models/AgentConfig.js';
import type { MemberId } from '../models/ids.js';
import type { Member, ModelPrice, Team } from '../models/Team.js';
import { foldName } from '../utils/foldName.js';
import type { InstructionFiles } from './readInstructionFile.js';
import { describeIssue, findUnreadPrice } from './schemaProblems.js';
import type { TeamProblem } from './TeamProblem.js';
import { findUnpricedMembers, joinInstruction, TEAM_CHECKS, type TeamDraft } from './teamChecks.js';
import { listPrices, type TeamFile, teamSchema } from './teamSchema.js';

export interface ResolveOptions {
  /** A person is expected to take part; without one such a team is refused. */
  readonly interactive?: boolean;
  /** Texts of the instruction files, by the path as the team file has it. */
  readonly instructionFiles?: InstructionFiles;
  /** Prices that are known besides those of the file. */
  readonly prices?: readonly ModelPrice[];
}

export type TeamResult =
  | { readonly ok: true; readonly team: Team; readonly warnings: readonly TeamProblem[] }
  | { readonly ok: false; readonly problems: readonly TeamProblem[] };

/** The value of a team file → a team, or everything that is wrong with it. Never throws. */
export function resolveTeam(file: unknown, options: ResolveOptions = {}): TeamResult {
  const { interactive = false, instructionFiles = new Map(), prices } = options;
  const acrossFields: TeamProblem[] = [];
  const checkAcross = (team: TeamDraft): void => {
    acrossFields.push(...TEAM_CHECKS.flatMap((check) => check(team, { interactive, instructionFiles })));
  };
  const parsed = teamSchema.superRefine(checkAcross, { when: isObject }).safeParse(file);
  const problems = [
    ...(parsed.error?.issues ?? []).flatMap((issue) => describeIssue(file, issue)),
    ...acrossFields,
    ...findUnreadPrice(file),
  ];
  if (!parsed.success || problems.length > 0) return { ok: false, problems };
  const { data } = parsed;
  return { ok: true, team: createTeam(data, instructionFiles), warnings: findUnpricedMembers(data, prices) };
}

/** Whether checks across fields can run: on any object, so that all problems are reported at once. */
function isObject({ value }: { readonly value: unknown }): boolean {
  return typeof value === 'object' && value !== null;
}

function createTeam(file: TeamFile, instructionFiles: InstructionFiles): Team {
  const { name, task, members, routing, limits, prices, context } = file;
  return {
    name,
    task,
    members: members.map((member) => createMember(member, instructionFiles)),
    routing,
    limits,
    prices: listPrices(prices),
    context,
  };
}

function createMember(member: TeamFile['members'][number], instructionFiles: InstructionFiles): Member {
  const id = createMemberId(member.name);
  if (member.type === 'human') return { ...member, id };
  const { agentType, systemInstruction, instructionFile = '', ...rest } = member;
  const file = instructionFiles.get(instructionFile);
  return {
    ...rest,
    id,
    agentType: normalizeAgentType(agentType),
    ...(systemInstruction !== undefined && { systemInstruction: joinInstruction(systemInstruction) }),
    ...(file?.ok && { instructionFile: file.path, instructionFileText: file.text }),
  };
}

/** The only maker of member ids: unique in a valid team, and the same however the name is spelt. */
function createMemberId(name: string): MemberId {
  return foldName(name) as MemberId;
}
