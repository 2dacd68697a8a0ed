import { randomUUID } from 'node:crypto';
import type { FileDiff } from '../../models/AgentEvent.js';
import type { FileGuard, PermissionQuestion } from '../AgentAdapter.js';
import { fieldOf, isRecord, textOf } from '../dialect/records.js';
import { commandLine, summarizeValue, toJson } from '../dialect/summarizeValue.js';
import { PATH_FIELDS } from '../dialect/toolDetail.js';
import { findGuards } from './guardedFiles.js';
import { describeInput, nameOfCall, UNKNOWN_KIND } from './toolCalls.js';
import { type AcpToolCall, MOST_SHOWN, weigh, worse } from './trimCall.js';
import type { Place, WorkingFolder } from './WorkingFolder.js';

/** The folder an agent works in, and the team file. */
export interface QuestionPlace {
  readonly folder: WorkingFolder;
  readonly workingFolder: string;
  readonly teamFile?: string;
}

/** The fields in which tools name the folder they run in. */
const FOLDER_FIELDS: ReadonlySet<string> = new Set(['cwd', 'workdir', 'working_directory', 'directory']);
/** More files than a person looks through. */
const MOST_PATHS = 1000;

/** Creates the question for people from a tool call, with its files looked up. Never throws. */
export async function createQuestion(
  call: AcpToolCall,
  place: QuestionPlace,
  signal: AbortSignal,
): Promise<PermissionQuestion> {
  const named = namedPaths(call);
  const { kind = UNKNOWN_KIND } = call;
  const files = await lookUp(named.slice(0, MOST_PATHS), kind, place);
  const given = fieldOf(call.rawInput, 'command');
  const command = commandLine(given);
  const diffs = await Promise.all(call.diffs.map((diff) => showDiff(diff, place.folder)));
  const others = otherArguments(call, place, named);
  const rest = others === undefined ? undefined : toJson(others);
  const isJudgeable = named.length <= MOST_PATHS && (given === undefined || toJson(given) !== undefined);
  const isShowable = others === undefined || rest !== undefined;
  const extent = isJudgeable ? (isShowable ? call.extent : worse(call.extent)) : 'too-long-to-judge';
  return {
    requestId: randomUUID(),
    ...(call.toolId !== '' && { toolId: call.toolId }),
    name: nameOfCall(call),
    input: describeInput(call),
    kind,
    title: call.title ?? '',
    ...(command !== undefined && { command }),
    ...files,
    ...(extent === 'whole' && diffs.length > 0 && { diffs }),
    ...(extent === 'whole' && rest !== undefined && { arguments: rest }),
    extent,
    isAsked: true,
    signal,
  };
}

/** Every path that a call names, in whichever field. */
function namedPaths({ locations, diffs, rawInput }: AcpToolCall): readonly string[] {
  const inInput = PATH_FIELDS.flatMap((field) => textOf(rawInput, field) ?? []);
  return [...new Set([...locations, ...diffs.map(({ path }) => path), ...inInput])];
}

/** Looks up paths. A path that cannot be looked up is not in the folder. */
async function lookUp(
  paths: readonly string[],
  kind: string,
  { folder, teamFile }: QuestionPlace,
): Promise<{ paths: readonly string[]; isInFolder: boolean; guards: readonly FileGuard[] }> {
  const places = await Promise.all(paths.map((path) => folder.locate(path).catch(() => unreachable(path))));
  return {
    paths: [...new Set(places.flatMap(({ shown }) => shown))],
    isInFolder: places.every((place) => isWithin(place, kind)),
    guards: await findGuards(places, teamFile),
  };
}

/** Whether a file is inside for this kind of work: some folders are only there to be read. */
function isWithin({ isInside, isReadOnly = false }: Place, kind: string): boolean {
  return isInside && (!isReadOnly || kind === 'read' || kind === 'search');
}

function unreachable(path: string): Place {
  return { named: path, file: path, shown: [path], isInside: false };
}

async function showDiff(diff: FileDiff, folder: WorkingFolder): Promise<FileDiff> {
  const { shown } = await folder.locate(diff.path).catch(() => unreachable(diff.path));
  return { ...diff, path: shown[0] ?? diff.path };
}

/** The arguments of a tool besides what is shown already: its command, its files, its changes, the folder it is in anyway. */
function otherArguments(
  { rawInput, title, diffs }: AcpToolCall,
  { workingFolder }: QuestionPlace,
  paths: readonly string[],
): unknown {
  const shown = new Set<unknown>([
    title,
    ...paths,
    ...diffs.flatMap(({ oldText, newText }) => [oldText, newText]),
  ]);
  if (!isRecord(rawInput)) return shown.has(rawInput) ? undefined : rawInput;
  const isShown = ([name, value]: readonly [string, unknown]): boolean =>
    name === 'command' || shown.has(value) || (FOLDER_FIELDS.has(name) && value === workingFolder);
  const rest = Object.entries(rawInput).filter((entry) => !isShown(entry));
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
    ...(diff !== undefined && diff !== 'too-long' && { diffs: [diff] }),
    guards: await findGuards([place], teamFile),
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
