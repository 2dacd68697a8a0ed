import { randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FileDiff } from '../../models/AgentEvent.js';
import type { FileGuard, PermissionQuestion } from '../AgentAdapter.js';
import { commandLine, fieldOf, isRecord, summarizeValue, toJson } from '../dialect/records.js';
import {
  type AskedCall,
  CONTENTS,
  describeInput,
  FILE_FIELDS,
  findPaths,
  isUnderstood,
  MOST_SHOWN,
  nameOfCall,
  UNKNOWN_KIND,
  weigh,
  worse,
} from './AskedCall.js';
import { findGuards, LOOKING, type Place, type WorkingFolder } from './WorkingFolder.js';

/** The folder an agent works in, and the team file. */
export interface QuestionPlace {
  readonly folder: WorkingFolder;
  readonly workingFolder: string;
  readonly teamFile?: string;
}

/** The fields in which tools name the folder they run in. */
const FOLDER_FIELDS: ReadonlySet<string> = new Set(['cwd', 'workdir', 'working_directory']);
/** The home folder of somebody, or a URI. */
const LEADS_ANYWHERE = /^(?:~|[a-z][a-z\d+.-]+:[\\/])/iu;
/** More files than a person looks through. */
const MOST_PATHS = 1000;

/** Creates the question for people from a tool call, with its files looked up. Never throws. */
export async function createQuestion(
  call: AskedCall,
  place: QuestionPlace,
  signal: AbortSignal,
): Promise<PermissionQuestion> {
  const { kind = UNKNOWN_KIND, locations } = call;
  const given = fieldOf(call.rawInput, 'command');
  const command = commandLine(given);
  const input = withoutFolder(call.rawInput, place);
  const inInput = findPaths(input, { kind, command });
  const named = [...new Set([...locations, ...call.diffs.map(({ path }) => path), ...inInput])];
  const files = await lookUp(named.slice(0, MOST_PATHS), kind, place);
  const diffs = await Promise.all(call.diffs.map((diff) => showDiff(diff, place.folder)));
  const others = otherArguments(input, call);
  const rest = others === undefined ? undefined : toJson(others);
  const isJudgeable = named.length <= MOST_PATHS && (given === undefined || toJson(given) !== undefined);
  const isShowable = others === undefined || rest !== undefined;
  const extent = isJudgeable ? (isShowable ? call.extent : worse(call.extent)) : 'too-long-to-judge';
  return {
    requestId: randomUUID(),
    toolId: call.toolId === '' ? undefined : call.toolId,
    name: nameOfCall(call),
    input: describeInput(call),
    kind,
    title: call.title ?? '',
    command,
    ...files,
    diffs: extent === 'whole' && diffs.length > 0 ? diffs : undefined,
    arguments: extent === 'whole' ? rest : undefined,
    extent,
    isUnderstood: isUnderstood({ kind, command, paths: named }, others),
    isAsked: true,
    signal,
  };
}

/** Looks up paths. */
async function lookUp(
  paths: readonly string[],
  kind: string,
  { folder, teamFile }: QuestionPlace,
): Promise<{ paths: readonly string[]; isInFolder: boolean; guards: readonly FileGuard[] }> {
  const places = await Promise.all(paths.map((path) => find(path, folder)));
  return {
    paths: [...new Set(places.flatMap(({ shown }) => shown))],
    isInFolder: places.every((place) => isWithin(place, kind)),
    guards: await findGuards(places, teamFile, kind),
  };
}

/** Finds where a path leads as the agent's tools may take it: from the home folder, or as a URI. */
async function find(path: string, folder: WorkingFolder): Promise<Place> {
  try {
    if (/^~(?:$|[\\/])/u.test(path)) return await folder.locate(join(homedir(), path.slice(1)));
    if (/^file:/iu.test(path)) return await folder.locate(fileURLToPath(path));
    return LEADS_ANYWHERE.test(path) ? unreachable(path) : await folder.locate(path);
  } catch {
    return unreachable(path);
  }
}

/** Whether a file is inside for this kind of work: some folders are only there to be read. */
function isWithin({ isInside, isReadOnly = false }: Place, kind: string): boolean {
  return isInside && (!isReadOnly || LOOKING.has(kind));
}

/** The place of a path that cannot be looked up: not in the folder. */
function unreachable(path: string): Place {
  return { named: path, file: path, shown: [path], isInside: false };
}

async function showDiff(diff: FileDiff, folder: WorkingFolder): Promise<FileDiff> {
  const { shown } = await find(diff.path, folder);
  return { ...diff, path: shown[0] ?? diff.path };
}

/** The input of a tool without the folder that it is in anyway. */
function withoutFolder(input: unknown, { workingFolder }: QuestionPlace): unknown {
  if (!isRecord(input)) return input;
  const isThere = ([name, value]: readonly [string, unknown]): boolean =>
    FOLDER_FIELDS.has(name) && typeof value === 'string' && resolve(workingFolder, value) === workingFolder;
  return Object.fromEntries(Object.entries(input).filter((entry) => !isThere(entry)));
}

/** The arguments of a tool besides what is shown already: its command, its files, its changes. */
function otherArguments(input: unknown, { diffs }: AskedCall): unknown {
  if (!isRecord(input)) return input;
  const texts = new Set<unknown>(diffs.flatMap(({ oldText, newText }) => [oldText, newText]));
  const isShown = ([name, value]: readonly [string, unknown]): boolean =>
    name === 'command'
      ? commandLine(value) !== undefined
      : (FILE_FIELDS.has(name) && typeof value === 'string') || (CONTENTS.has(name) && texts.has(value));
  const rest = Object.entries(input).filter((entry) => !isShown(entry));
  return rest.length === 0 ? undefined : Object.fromEntries(rest);
}

/** A file that an agent wants to read or write through us. */
export interface FileAccess {
  readonly kind: 'read' | 'edit';
  readonly place: Place;
  /** The change that a write makes. */
  readonly diff?: FileDiff | 'too-long';
}

/** The question whether a file may be read or written. */
export async function createFileQuestion(
  { kind, place, diff }: FileAccess,
  teamFile: string | undefined,
  signal: AbortSignal,
): Promise<PermissionQuestion> {
  return {
    requestId: randomUUID(),
    name: kind,
    input: summarizeValue(place.shown.join(' ')),
    kind,
    title: '',
    paths: place.shown,
    isInFolder: place.isInside,
    diffs: diff === undefined || diff === 'too-long' ? undefined : [diff],
    guards: await findGuards([place], teamFile, kind),
    isUnderstood: true,
    extent: diff === 'too-long' ? 'too-long-to-show' : 'whole',
    isAsked: false,
    signal,
  };
}

/** The change that a write makes. `oldText`: as `readShort` has it. */
export function describeWrite(
  { shown }: Place,
  oldText: string | null | undefined,
  newText: string,
): FileDiff | 'too-long' {
  if (oldText === undefined) return 'too-long';
  const diff = { path: shown[0] ?? '', oldText, newText };
  return weigh(diff, MOST_SHOWN) > MOST_SHOWN ? 'too-long' : diff;
}
