import { findNamedAgentType, lacksPrice, type NamedAgentType, priceNameOf } from '../models/knownPrograms.js';
import type { ModelPrice } from '../models/Team.js';
import type { TeamProblem } from '../models/TeamProblem.js';
import { DEFAULT_MAX_BYTES } from '../models/textLimits.js';
import { utf8Length } from '../utils/bytes.js';
import { foldName } from '../utils/foldName.js';
import { findNameFault } from './memberName.js';
import { formatPointer } from './parseTeamFile.js';
import type { InstructionFile, InstructionFiles } from './readRegularFile.js';
import { listPrices, MAX_MEMBERS, MIN_MAX_BYTES, PROGRAM_FIELDS, type TeamFile } from './teamSchema.js';

/** A team as far as the schema could read it: what is wrong is as the file has it, so nothing is known of any field. */
export type TeamDraft = Draft<TeamFile>;

type Draft<Value> = { readonly [Field in keyof Value]?: unknown };
type AgentFile = Extract<TeamFile['members'][number], { type: 'ai' }>;
type MemberDraft = Draft<AgentFile> & { readonly index: number };

interface CheckOptions {
  /** A person is expected to take part. */
  readonly interactive: boolean;
  readonly instructionFiles: InstructionFiles;
}

type TeamCheck = (team: TeamDraft, options: CheckOptions) => readonly TeamProblem[];

/** Checks across several fields. Each is independent and ignores fields that are already wrong. */
export const TEAM_CHECKS: readonly TeamCheck[] = [
  checkMembers,
  checkNames,
  checkCommands,
  checkOutputs,
  checkToolLists,
  checkChecks,
  checkRecord,
  checkFallback,
  checkInstructionFiles,
  checkSystemText,
];

/** The instruction files that members of a team file name, each once. */
export function instructionFilesOf(file: unknown): ReadonlySet<string> {
  const paths = membersOf(fields<'members'>(file)).map(({ instructionFile }) => instructionFile);
  return new Set(paths.filter((path) => typeof path === 'string').filter((path) => path !== ''));
}

/** The entries of the list of members, of any type. */
function membersOf({ members }: TeamDraft): readonly MemberDraft[] {
  if (!Array.isArray(members)) return [];
  return members.slice(0, MAX_MEMBERS).map((member: object, index) => ({ ...member, index }));
}

function checkMembers(team: TeamDraft, { interactive }: CheckOptions): TeamProblem[] {
  if (!knowsMembers(team)) return [];
  const members = membersOf(team);
  const problem = (code: 'NO_MEMBERS' | 'NO_AGENT' | 'NO_HUMAN'): TeamProblem[] => [
    { code, pointer: '/members', value: undefined },
  ];
  if (members.length === 0) return problem('NO_MEMBERS');
  if (!members.some(isAgent)) return problem('NO_AGENT');
  if (interactive && !members.some(({ type }) => type === 'human')) return problem('NO_HUMAN');
  return [];
}

/** Compared as routing compares them, so that every `[NEXT: name]` means one member. */
function checkNames(team: TeamDraft): TeamProblem[] {
  const firstByFold = new Map<string, { readonly name: string; readonly index: number }>();
  return membersOf(team).flatMap(({ index, name: written }): TeamProblem[] => {
    if (typeof written !== 'string') return [];
    // The schema does so only in a member whose type it knows.
    const name = written.normalize('NFC');
    const pointer = memberField(index, 'name');
    const fault = findNameFault(name);
    if (fault !== undefined) return [{ ...fault, pointer, value: name }];
    const first = firstByFold.get(foldName(name));
    if (first !== undefined) return [{ code: 'NAME_TAKEN', pointer, value: name, first }];
    firstByFold.set(foldName(name), { name, index });
    return [];
  });
}

function checkCommands(team: TeamDraft): TeamProblem[] {
  return agentsOf(team).flatMap(({ index, agentType, command, runsOn }) => {
    const named = namedType(agentType);
    // The program of a member that runs elsewhere is known there.
    if (named === undefined || named.command !== undefined || (command ?? runsOn) !== undefined) return [];
    const pointer = memberField(index, 'command');
    return [{ code: 'COMMAND_MISSING', pointer, value: undefined, agentType: named.info.type }];
  });
}

/** Every other type has an output of its own. */
function checkOutputs(team: TeamDraft): TeamProblem[] {
  return agentsOf(team).flatMap(({ index, agentType, output }) => {
    const named = namedType(agentType);
    if (typeof output !== 'string' || named === undefined || named.info.hasOutputChoice) return [];
    const pointer = memberField(index, 'output');
    return [{ code: 'OUTPUT_UNSUPPORTED', pointer, value: output, label: named.label }];
  });
}

/** A list that no program keeps to would be worse than none. */
function checkToolLists(team: TeamDraft): TeamProblem[] {
  return agentsOf(team).flatMap((agent) => {
    const named = namedType(agent.agentType);
    if (named === undefined || named.info.hasToolLists) return [];
    const lists = (['allow', 'deny'] as const).filter((list) => isFilledList(agent[list]));
    return lists.map((list) => ({
      code: 'TOOL_LIST_UNSUPPORTED',
      pointer: memberField(agent.index, list),
      value: undefined,
      label: named.label,
    }));
  });
}

/** A check passes or fails by its exit code; the other types have none to go by. */
function checkChecks(team: TeamDraft): TeamProblem[] {
  return agentsOf(team).flatMap(({ index, agentType, check }) => {
    const named = namedType(agentType);
    if (check !== true || named === undefined || named.info.canCheck) return [];
    return [{ code: 'CHECK_UNSUPPORTED', pointer: memberField(index, 'check'), value: check }];
  });
}

/** A copy is made, and a check started, from what was recorded. */
function checkRecord(team: TeamDraft): TeamProblem[] {
  const { record } = fields<'record'>(team.files);
  if (record !== false) return [];
  return agentsOf(team).flatMap(({ index, workspace, check }) => {
    const needing = [
      { field: 'workspace', value: workspace, needs: workspace === 'copy' },
      { field: 'check', value: check, needs: check === true },
    ].filter(({ needs }) => needs);
    return needing.map(
      ({ field, value }): TeamProblem => ({
        code: 'NEEDS_RECORD',
        pointer: memberField(index, field),
        value,
      }),
    );
  });
}

/** With one agent, the next agent in the round is itself. */
function checkFallback(team: TeamDraft): TeamProblem[] {
  const [agent, ...others] = agentsOf(team);
  const { fallback } = fields<'fallback'>(team.routing);
  if (!knowsMembers(team) || fallback !== 'round-robin' || agent === undefined || others.length > 0)
    return [];
  const name = typeof agent.name === 'string' ? agent.name : `members[${agent.index}]`;
  return [{ code: 'FALLBACK_CYCLE', pointer: '/routing/fallback', value: fallback, agent: name }];
}

function checkInstructionFiles(team: TeamDraft, { instructionFiles }: CheckOptions): TeamProblem[] {
  return agentsOf(team).flatMap(({ index, instructionFile }) => {
    if (typeof instructionFile !== 'string' || instructionFile === '') return [];
    const file = instructionFiles.get(instructionFile) ?? NOT_READ;
    if (file.ok) return [];
    const { ok: _, ...fault } = file;
    return [{ ...fault, pointer: memberField(index, 'instructionFile'), value: instructionFile }];
  });
}

const NOT_READ: InstructionFile = { ok: false, code: 'INSTRUCTION_FILE_UNREADABLE', fault: 'not-read' };

/** System text is never cut, so it may take at most half of the budget. Named is the larger of its two parts. */
function checkSystemText(team: TeamDraft, { instructionFiles }: CheckOptions): TeamProblem[] {
  const maxBytes = Math.floor(maxBytesOf(team) / 2);
  return agentsOf(team).flatMap(({ index, systemInstruction, instructionFile }) => {
    const file = typeof instructionFile === 'string' ? instructionFiles.get(instructionFile) : undefined;
    const ownBytes = utf8Length(joinInstruction(systemInstruction));
    const fileBytes = file?.ok ? utf8Length(file.text) : 0;
    const bytes = ownBytes + fileBytes;
    if (bytes <= maxBytes) return [];
    const field = ownBytes >= fileBytes ? 'systemInstruction' : 'instructionFile';
    const pointer = memberField(index, field);
    return [{ code: 'SYSTEM_TEXT_TOO_LARGE', pointer, value: undefined, bytes, maxBytes }];
  });
}

/**
 * Fields beside `runsOn` that are the worker's to say, written out or not as the default. They are looked for in the file
 * itself: a team that was read has all of them.
 */
export function findFieldsOfWorkers(file: unknown): TeamProblem[] {
  return agentsOf(fields<'members'>(file)).flatMap((agent) => {
    const { index, runsOn } = agent;
    if (typeof runsOn !== 'string') return [];
    return WORKER_FIELDS.filter((field) => agent[field] !== undefined).map((field) => ({
      code: 'OF_THE_WORKER',
      pointer: memberField(index, field),
      value: undefined,
      runsOn,
    }));
  });
}

const WORKER_FIELDS = [...PROGRAM_FIELDS, 'workspace', 'check'] as const;

/** Text, or a list of lines. */
export function joinInstruction(instruction: unknown): string {
  const lines: readonly unknown[] = Array.isArray(instruction) ? instruction : [instruction];
  return lines.filter((line) => typeof line === 'string').join('\n');
}

/** Members whose spending a limit on money cannot see. Not an error: the limit still holds for the others. */
export function findUnpricedMembers(
  { members, limits, prices }: TeamFile,
  known: readonly ModelPrice[] = [],
): TeamProblem[] {
  if (limits.usd === undefined || limits.tokens !== undefined) return [];
  const all = [...listPrices(prices), ...known];
  return members.flatMap((member, index) => {
    if (member.type !== 'ai' || !lacksPrice(member, all)) return [];
    const { name, model } = member;
    const pointer = model === undefined ? memberField(index) : memberField(index, 'model');
    const priceName = priceNameOf(member);
    const value = model ?? name;
    return [{ code: 'PRICE_UNKNOWN', pointer, value, priceName }];
  });
}

function agentsOf(team: TeamDraft): readonly MemberDraft[] {
  return membersOf(team).filter(isAgent);
}

/** In a file with problems the type is as it was written. */
function isAgent({ type }: MemberDraft): boolean {
  return type === 'ai' || type === 'agent';
}

/** There is a list of members and each is a human or an agent. */
function knowsMembers(team: TeamDraft): boolean {
  const isKnown = (member: MemberDraft): boolean => member.type === 'human' || isAgent(member);
  return Array.isArray(team.members) && membersOf(team).every(isKnown);
}

function namedType(agentType: unknown): NamedAgentType | undefined {
  return typeof agentType === 'string' ? findNamedAgentType(agentType) : undefined;
}

function isFilledList(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0;
}

function maxBytesOf({ context }: TeamDraft): number {
  const { maxBytes } = fields<'maxBytes'>(context);
  return typeof maxBytes === 'number' && maxBytes >= MIN_MAX_BYTES ? maxBytes : DEFAULT_MAX_BYTES;
}

function fields<Field extends string>(value: unknown): { readonly [field in Field]?: unknown } {
  return typeof value === 'object' && value !== null ? value : {};
}

function memberField(index: number, ...field: readonly string[]): string {
  return formatPointer(['members', index, ...field]);
}
