import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { describeRights } from '../../catalogue/members.js';
import { words } from '../../catalogue/words.js';
import {
  describeWhatIsAsked,
  describeWhatStarts,
  type MemberProgram,
  type RemoteMember,
  type StartedProgram,
} from '../../config/describeWhatStarts.js';
import { readRegularFile } from '../../config/readRegularFile.js';
import {
  findChanges,
  findTrustedFolder,
  fingerprintTeam,
  type TeamChange,
  type TrustedFolder,
  TrustRecordError,
} from '../../config/trust.js';
import { findAgentType, type GrantingFile } from '../../models/AgentConfig.js';
import { HuddleError } from '../../models/errors.js';
import { credentialsOf } from '../../models/knownPrograms.js';
import type { Member, Team } from '../../models/Team.js';
import { agentsOf } from '../../routing/teamMembers.js';
import { findCommand, findRepository, isProjectProgram } from '../../utils/findCommand.js';
import { quoteText } from '../../utils/quoteText.js';
import { sanitizeForTerminal } from '../../utils/sanitize.js';
import type { CliContext } from '../start/CliContext.js';

const MAX_SETTINGS_BYTES = 1_000_000;

/** A team that is to run, and where. */
export interface TrustSubject {
  readonly team: Team;
  /** Folder of its team file; absent: it is made of what is installed. */
  readonly teamFolder?: string;
  readonly workingFolder: string;
  /** The file of a team that the user's configuration names, which is shown because it lies elsewhere. */
  readonly defaultTeamFile?: string;
}

/** Everything a person has to know about a team, and whether that person has said yes to it before. */
export interface TrustExamination {
  /** In the language that is spoken when it is read. */
  readonly question: string;
  /** The same without the names of variables. */
  readonly summary: string;
  /** Date on which it was trusted as it is now. */
  readonly trustedSince?: string;
  /** Programs inside the project that PATH leads to, and that are trusted or asked about. */
  readonly programs: readonly string[];
  /** Programs inside the project that the team names by their paths. */
  readonly named: readonly string[];
  /** The same that are started neither way, since there is another one. */
  readonly passedOver: readonly string[];
  /** Files of the project that give a member rights by themselves. */
  readonly grants: readonly string[];
  readonly filesOutside: readonly string[];
}

/** Looks a team up in what was trusted, and at the programs that it would start. Starts nothing. */
export async function examineTrust(subject: TrustSubject, context: CliContext): Promise<TrustExamination> {
  const { teamFolder, workingFolder } = subject;
  const team = await markProjectPrograms(subject, context);
  const place = await findTrustedFolder(workingFolder, context);
  const file = teamFolder === undefined ? undefined : await findTrustedFolder(teamFolder, context);
  const { programs, untrusted, passedOver, named } = findProjectPrograms(subject, place, context);
  const filesOutside = teamFolder === undefined ? [] : await findFilesOutside(teamFolder, team);
  const grants = await findGrants(team, workingFolder);
  const isTrusted =
    place !== undefined &&
    untrusted.length === 0 &&
    grants.every(({ file }) => place.grants.includes(file)) &&
    (teamFolder === undefined || file?.fingerprint === fingerprintTeam(subject.team));
  const started = describeWhatStarts(team);
  const describe = (variables: readonly string[]): string =>
    [
      describePlace(subject),
      ...(started.length === 0 ? [] : [formatWhatStarts(started)]),
      ...formatWhatIsAsked(describeWhatIsAsked(team)),
      ...variables,
      ...describePaths(teamFolder ?? workingFolder, { programs: untrusted, named, filesOutside }),
      ...new Set(grants.map(describeGrant)),
      ...describeDifference(file, subject.team),
    ].join('\n');
  return {
    programs: [...programs, ...untrusted],
    passedOver,
    named,
    grants: [...new Set(grants.map(({ file }) => file))],
    filesOutside,
    ...(isTrusted && { trustedSince: (file ?? place).date.slice(0, 10) }),
    get question() {
      return describe(describeVariables(team));
    },
    get summary() {
      return describe([]);
    },
  };
}

/** Finds the programs inside the project that PATH leads to. Of those passed over there is another one elsewhere. */
function findProjectPrograms(
  { team, workingFolder }: TrustSubject,
  place: TrustedFolder | undefined,
  { env }: CliContext,
): Record<'programs' | 'untrusted' | 'passedOver' | 'named', readonly string[]> {
  const programs = place?.programs ?? [];
  const lookFor = { path: env.PATH, workingFolder, trustedPrograms: programs };
  const names = describeWhatStarts(team).map(({ command: [name = ''] }) => name);
  const lookups = names.map((name) => findCommand(name, lookFor));
  const named = names.filter((name) => name.includes('/') && isProjectProgram(name, lookFor));
  const passed = (isFound: boolean): readonly string[] => [
    ...new Set(
      lookups.flatMap(({ kind, passedOver }) =>
        passedOver !== undefined && (kind === 'found') === isFound ? [passedOver] : [],
      ),
    ),
  ];
  return { programs, untrusted: passed(false), passedOver: passed(true), named: [...new Set(named)] };
}

/** The team with a mark on the members whose programs lie inside the project, found as they would be started. */
export async function markProjectPrograms(
  { team, workingFolder }: TrustSubject,
  context: CliContext,
): Promise<Team> {
  const trustedPrograms = await findTrustedPrograms(workingFolder, context);
  const place = { path: context.env.PATH, workingFolder, trustedPrograms };
  const mark = (member: Member): Member => {
    if (member.type === 'human' || member.runsOn !== undefined) return member;
    const [name] = member.command ?? findAgentType(member.agentType)?.command ?? [];
    return name !== undefined && isProjectProgram(name, place)
      ? { ...member, isProjectProgram: true }
      : member;
  };
  return { ...team, members: team.members.map(mark) };
}

/** Programs of a folder that a person trusts; none if there is no record of trust that can be read, which others report. */
export async function findTrustedPrograms(folder: string, context: CliContext): Promise<readonly string[]> {
  try {
    return (await findTrustedFolder(folder, context))?.programs ?? [];
  } catch (error) {
    const isReported =
      error instanceof TrustRecordError || (error instanceof HuddleError && error.code === 'DATA_FOLDER');
    if (!isReported) throw error;
    return [];
  }
}

/** Instruction files that are not in the folder of the team file. */
export async function findFilesOutside(folder: string, team: Team): Promise<readonly string[]> {
  const inside = `${await realpath(folder)}${sep}`;
  return agentsOf(team).flatMap(({ instructionFile }) =>
    instructionFile === undefined || instructionFile.startsWith(inside) ? [] : [instructionFile],
  );
}

function describePlace({ teamFolder, workingFolder, defaultTeamFile }: TrustSubject): string {
  const place = sanitizeForTerminal(workingFolder);
  if (teamFolder === undefined) return words.trust.builtIn(place);
  const question =
    defaultTeamFile === undefined
      ? words.trust.question(sanitizeForTerminal(teamFolder))
      : words.trust.defaultTeam(sanitizeForTerminal(defaultTeamFile));
  return teamFolder === workingFolder ? question : `${words.trust.worksIn(place)}\n${question}`;
}

/** Programs inside the project and files outside of it, a line each. */
export function describePaths(
  folder: string,
  { programs, named, filesOutside }: Pick<TrustExamination, 'programs' | 'named' | 'filesOutside'>,
): readonly string[] {
  return [
    ...[...programs, ...named].map((file) => words.trust.programInside(file)),
    ...filesOutside.map((file) => words.trust.fileOutside(folder, file)),
  ].map(sanitizeForTerminal);
}

/** A file of the project that gives a member rights by itself, seen from where it works. */
interface Grant {
  readonly label: string;
  readonly file: string;
  readonly marksTrusted: boolean;
}

async function findGrants(team: Team, workingFolder: string): Promise<readonly Grant[]> {
  const folders = foldersOfProject(workingFolder);
  const found: Grant[] = [];
  for (const { agentType, permission, runsOn } of agentsOf(team)) {
    const { label = agentType, grantingFiles = [] } = findAgentType(agentType) ?? {};
    if (runsOn !== undefined) continue;
    for (const { file, place, keys, needsEdit, marksTrusted = false } of grantingFiles) {
      if (needsEdit && permission === 'read') continue;
      for (const path of placesOf(place, folders).map((folder) => join(folder, file)))
        if (await grantsByItself(path, keys))
          found.push({ label, file: relative(workingFolder, path), marksTrusted });
    }
  }
  return found;
}

/** From where members work up to the top of the repository. */
function foldersOfProject(workingFolder: string): readonly [string, ...string[]] {
  const top = findRepository(workingFolder) ?? workingFolder;
  const above = dirname(workingFolder);
  return workingFolder === top || above === workingFolder
    ? [workingFolder]
    : [workingFolder, ...foldersOfProject(above)];
}

function placesOf(place: GrantingFile['place'], folders: readonly [string, ...string[]]): readonly string[] {
  const [own, ...above] = folders;
  switch (place) {
    case 'folder':
      return [own];
    case 'folder-and-top':
      return [own, ...above.filter((folder) => existsSync(join(folder, '.git')))];
    case 'every-folder':
      return folders;
  }
}

/** Whether settings give rights by one of these keys. A file that cannot be read may do so. */
async function grantsByItself(file: string, keys: GrantingFile['keys']): Promise<boolean> {
  if (!existsSync(file)) return false;
  if (keys === undefined) return true;
  try {
    const settings = JSON.parse(await readRegularFile(file, MAX_SETTINGS_BYTES));
    const said = { ...settings.permissions, ...settings };
    return keys.some((key) => Object.keys(said[key] ?? {}).length > 0);
  } catch {
    return true;
  }
}

function describeGrant({ label, file, marksTrusted }: Grant): string {
  const { grants, marksTrusted: marks } = words.trust;
  return sanitizeForTerminal(marksTrusted ? marks(label, file) : grants(label, file));
}

function describeVariables(team: Team): string[] {
  return agentsOf(team).flatMap((member) => {
    const names = credentialsOf(member);
    return names.length === 0 ? [] : [words.trust.variables(quoteText(member.name), names)];
  });
}

/** Lists what has changed since the team was trusted; nothing if it never was, or before fields were written down. */
function describeDifference(file: TrustedFolder | undefined, team: Team): readonly string[] {
  if (file === undefined || Object.keys(file.fields).length === 0) return [];
  const changes = findChanges(file.fields, team);
  if (changes.length === 0) return [];
  return [
    words.trust.changed(file.date.slice(0, 10)),
    ...changes.map((change) => `  ${describeChange(change)}`),
  ];
}

function describeChange(change: TeamChange): string {
  const { newMember, added, changed, removed } = words.trust.changes;
  switch (change.kind) {
    case 'new-member':
      return newMember(change.path);
    case 'added':
      return added(change.path, change.value);
    case 'changed':
      return changed(change.path, change.value, change.old);
    case 'removed':
      return removed(change.path);
  }
}

/** A line for each member that other machines are asked for. */
function formatWhatIsAsked(members: readonly RemoteMember[]): readonly string[] {
  return members.map(({ member, runsOn }) => words.trust.programs.asks(quoteText(member), quoteText(runsOn)));
}

/** A few lines for the trust question. Every word of the team file is quoted, since no person vouches for it yet. */
export function formatWhatStarts(programs: readonly StartedProgram[]): string {
  return programs.map(formatProgram).join('\n');
}

function formatProgram(program: StartedProgram): string {
  return 'member' in program ? formatMember(program) : formatSetup(program.command);
}

function formatSetup(command: readonly string[]): string {
  return [words.trust.programs.setup(quoteWords(command)), `  ${words.telling.notHeld}`].join('\n');
}

function formatMember(program: MemberProgram): string {
  const { runs, rights, details, isCheck } = words.trust.programs;
  const lists: ReadonlyArray<readonly [label: string, values: readonly string[]]> = [
    [details.model, program.model === undefined ? [] : [program.model]],
    [details.allowed, program.allow],
    [details.denied, program.deny],
    [details.instructionFile, program.instructionFile === undefined ? [] : [program.instructionFile]],
  ];
  return [
    runs(quoteText(program.member), quoteWords(program.command)),
    `  ${rights(describeRights({ ...program, isHeld: program.isHeldToPermission }), program.env)}`,
    ...(program.check ? [`  ${isCheck}`] : []),
    ...lists
      .filter(([, values]) => values.length > 0)
      .map(([label, values]) => `  ${label} ${quoteWords(values)}`),
  ].join('\n');
}

/** In full: a question about trust must not leave out the end of a command. */
function quoteWords(parts: readonly string[]): string {
  return parts.map(quoteText).join(' ');
}
