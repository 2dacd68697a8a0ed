import { superRefine } from 'zod/mini';
import type { MemberId } from '../models/ids.js';
import { findNamedAgentType } from '../models/knownPrograms.js';
import type { Member, ModelPrice, Team } from '../models/Team.js';
import type { TeamProblem } from '../models/TeamProblem.js';
import { foldName } from '../utils/foldName.js';
import { valueAt } from './parseTeamFile.js';
import type { InstructionFiles } from './readRegularFile.js';
import { describeIssue, findUnreadPrice } from './schemaProblems.js';
import {
  findFieldsOfWorkers,
  findUnpricedMembers,
  joinInstruction,
  TEAM_CHECKS,
  type TeamDraft,
} from './teamChecks.js';
import { listPrices, type TeamFile, teamSchema } from './teamSchema.js';

/** For a schema that reads one value: making code for it takes longer than reading without. */
const READ_ONCE = { jitless: true };

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

/**
 * Turns the value of a team file into a team, or lists everything that is wrong with it. Never throws, reads nothing.
 * For a team that is written in code, `defineTeam` has types.
 *
 * @param file Parsed JSON of any origin.
 *
 * @example
 * ```ts
 * const result = resolveTeam(JSON.parse(text));
 * if (!result.ok) for (const problem of result.problems) console.error(describeTeamProblem(problem));
 * ```
 */
export function resolveTeam(file: unknown, options: ResolveOptions = {}): TeamResult {
  const { interactive = false, instructionFiles = new Map(), prices } = options;
  const acrossFields: TeamProblem[] = [];
  const checkAcross = (team: TeamDraft): void => {
    acrossFields.push(...TEAM_CHECKS.flatMap((check) => check(team, { interactive, instructionFiles })));
  };
  const parsed = teamSchema.check(superRefine(checkAcross, { when: isObject })).safeParse(file, READ_ONCE);
  const problems = [
    ...(parsed.error?.issues ?? []).flatMap((issue) => describeIssue(file, issue)),
    ...acrossFields,
    ...findUnreadPrice(file),
    ...findFieldsOfWorkers(file),
  ].map((problem) => withMember(problem, file));
  if (!parsed.success || problems.length > 0) return { ok: false, problems };
  const { data } = parsed;
  const warnings = findUnpricedMembers(data, prices).map((problem) => withMember(problem, file));
  return { ok: true, team: createTeam(data, instructionFiles), warnings };
}

/** Names the member that a problem is of, if the file has a name for it. */
function withMember(problem: TeamProblem, file: unknown): TeamProblem {
  const index = /^\/members\/(\d+)/u.exec(problem.pointer)?.[1];
  const member = index === undefined ? undefined : valueAt(file, ['members', index, 'name']);
  return typeof member === 'string' && member !== '' ? { ...problem, member } : problem;
}

/** Whether checks across fields can run: on any object, so that all problems are reported at once. */
function isObject({ value }: { readonly value: unknown }): boolean {
  return typeof value === 'object' && value !== null;
}

function createTeam(file: TeamFile, instructionFiles: InstructionFiles): Team {
  const { $schema: _schema, version: _version, ...settings } = file;
  return {
    ...settings,
    members: settings.members.map((member) => createMember(member, instructionFiles)),
    prices: listPrices(settings.prices),
  };
}

function createMember(member: TeamFile['members'][number], instructionFiles: InstructionFiles): Member {
  const id = createMemberId(member.name);
  if (member.type === 'human') return { ...member, id };
  const { agentType, systemInstruction, instructionFile = '', ...rest } = member;
  const file = instructionFiles.get(instructionFile);
  const { info, command } = findNamedAgentType(agentType) ?? {};
  return {
    ...rest,
    id,
    agentType: info?.type ?? agentType,
    // A name of an ACP agent stands for its command; the other types know their own.
    ...(info?.isAcp && command && { command: rest.command ?? command }),
    ...(systemInstruction !== undefined && { systemInstruction: joinInstruction(systemInstruction) }),
    ...(file?.ok && { instructionFile: file.path, instructionFileText: file.text }),
  };
}

/** The only maker of member ids: unique in a valid team, and the same however the name is spelt. */
function createMemberId(name: string): MemberId {
  return foldName(name) as MemberId;
}
