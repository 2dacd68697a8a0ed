import type { FileChangeEvent, FileDiff } from '../../models/AgentEvent.js';
import type { QuestionExtent } from '../AgentAdapter.js';
import { fieldOf, isRecord, PATH_FIELDS, summarizeValue, type UnknownRecord } from '../dialect/records.js';
import { findGuardsByName } from './WorkingFolder.js';

const UNKNOWN_TOOL = 'tool';
export const UNKNOWN_KIND = 'other';

/** The fields in which tools name a file, also the one that a file is moved to. */
export const FILE_FIELDS: ReadonlySet<string> = new Set([...PATH_FIELDS, 'filepath', 'destination']);

/** Remarks on a command that do not change what it does. */
const REMARKS: ReadonlySet<string> = new Set([
  'description',
  'timeout',
  'commandActions',
  'reason',
  'proposedExecpolicyAmendment',
  'availableDecisions',
]);
/** The text that is written into a file which is named elsewhere. */
export const CONTENTS: ReadonlySet<string> = new Set([
  'content',
  'old_string',
  'new_string',
  'oldString',
  'newString',
  'replace_all',
  'replaceAll',
]);
/** A change as a patch, as OpenCode tells it: the files that it names are paths of the request. */
const PATCH = 'diff';
/** A line of a patch that names a file, up to a tab and the time behind it. */
const FILE_OF_PATCH = /^(?:Index:|---|\+\+\+) ([^\t\n]+)/gmu;
/** The part of a file that is read, and the thing that is searched for. */
const SELECTIONS: ReadonlySet<string> = new Set([
  'offset',
  'limit',
  'line',
  'pages',
  'pattern',
  'glob',
  'include',
  'ignore',
  'type',
  'output_mode',
  'head_limit',
  'multiline',
  '-A',
  '-B',
  '-C',
  '-i',
  '-n',
]);

/** An absolute path, one from the home folder, a URI, or a way up. */
const LEADS_AWAY = /^(?:[\\/~]|[A-Za-z][A-Za-z\d+.-]*:[\\/]|file:)|(?:^|[^\w.])\.\.(?:$|[^\w.])/iu;
/** The same further on in a pattern, as in `{/etc,src}/*`. */
const LEADS_AWAY_INSIDE = /[^\w.*?\]/-][\\/~]/u;

/** Characters of one request that can be shown, everything together. */
export const MOST_SHOWN = 256 * 1024;
/** By these a question is judged, so they are kept whole or not at all. */
const NAMED_FIELDS: ReadonlySet<string> = new Set(['command', ...FILE_FIELDS]);
/** Enough to say in one line what a tool is given. */
const BEGINNING = 2000;
/** More than there are arguments with a known meaning. */
const MOST_FIELDS = 100;
/** In the place of what is left out: nobody takes the rest for the whole. */
const CUT = '…';
/** Weight of a number, a list or a record itself. */
const ITEM_WEIGHT = 8;

/** Characters; no file system has longer ones. */
const LONGEST_PATH = 4096;

/** A tool call as far as it is known; every message about it may add a part. */
export interface AskedCall {
  readonly toolId: string;
  readonly name?: string;
  readonly kind?: string;
  readonly title?: string;
  readonly rawInput?: unknown;
  readonly status?: string;
  readonly locations: readonly string[];
  readonly diffs: readonly FileDiff[];
  /** Says whether something was too long to be kept. */
  readonly extent: QuestionExtent;
  readonly isStarted: boolean;
  readonly isEnded: boolean;
}

/** A call without what is too long to be shown, and the characters it takes. Memory is bounded by this, not by the agent. */
export function trimCall(call: AskedCall): { readonly call: AskedCall; readonly weight: number } {
  const { name, kind, title, locations, diffs, rawInput } = call;
  const named = [...NAMED_FIELDS].map((field) => fieldOf(rawInput, field));
  const toJudge = weigh([name, kind, title, locations, diffs.map(({ path }) => path), named], MOST_SHOWN);
  if (toJudge > MOST_SHOWN) {
    const { toolId, isStarted, isEnded } = call;
    const status = call.status === undefined ? {} : { status: copyBeginning(call.status) };
    const words = { name: copyBeginning(name ?? ''), title: copyBeginning(title ?? '') };
    const rest = { locations: [], diffs: [], extent: 'too-long-to-judge', isStarted, isEnded } as const;
    return { call: { toolId, ...words, ...status, ...rest }, weight: 2 * BEGINNING };
  }
  const input = trimInput(rawInput);
  const changes = weigh(diffs, MOST_SHOWN);
  const isWhole = input.isWhole && changes <= MOST_SHOWN;
  const kept = {
    ...call,
    rawInput: input.value,
    diffs: changes <= MOST_SHOWN ? diffs : diffs.map(withoutTexts),
    extent: isWhole ? call.extent : worse(call.extent),
  };
  return { call: kept, weight: toJudge + weigh(kept.rawInput, MOST_SHOWN) + weigh(kept.diffs, MOST_SHOWN) };
}

/** The name of the tool, or else its kind. */
export function nameOfCall({ name, kind }: AskedCall): string {
  return name ?? kind ?? UNKNOWN_TOOL;
}

/** The input of a call in short. */
export function describeInput({ rawInput, title = '' }: AskedCall): string {
  return isEmpty(rawInput) ? summarizeValue(title) : summarizeValue(rawInput);
}

/** A file that the agent changed, with its whole name: that is compared with the files that changed. */
export function changeOf(path: string, change: FileChangeEvent['change']): FileChangeEvent {
  return { type: 'file-change', path: path.length > LONGEST_PATH ? summarizeValue(path) : path, change };
}

export function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (isRecord(value) && Object.keys(value).length === 0);
}

/** The extent of a call when something of it is too long to be shown. */
export function worse(extent: QuestionExtent): QuestionExtent {
  return extent === 'whole' ? 'too-long-to-show' : extent;
}

/** About how many characters a parsed value takes; stops counting when it is more than `most`. */
export function weigh(value: unknown, most: number): number {
  const rest = [value];
  let weight = 0;
  while (rest.length > 0 && weight <= most) {
    const item = rest.pop();
    weight += typeof item === 'string' ? item.length : ITEM_WEIGHT;
    if (typeof item !== 'object' || item === null) continue;
    for (const key of Object.keys(item)) {
      weight += key.length;
      rest.push((item as Record<string, unknown>)[key]);
      if (weight > most) break;
    }
  }
  return weight;
}

function trimInput(value: unknown): { readonly value: unknown; readonly isWhole: boolean } {
  if (weigh(value, MOST_SHOWN) <= MOST_SHOWN) return { value, isWhole: true };
  return { value: isRecord(value) ? trimFields(value) : CUT, isWhole: false };
}

function trimFields(fields: UnknownRecord): UnknownRecord {
  const entries = Object.entries(fields).slice(0, MOST_FIELDS);
  return Object.fromEntries(
    entries.map(([name, value]) => {
      if (NAMED_FIELDS.has(name) || weigh(value, BEGINNING) <= BEGINNING) return [name, value];
      return [name, typeof value === 'string' ? copyBeginning(value) : CUT];
    }),
  );
}

function withoutTexts({ path, oldText }: FileDiff): FileDiff {
  return { path, oldText: oldText === null ? null : '', newText: '' };
}

/** A copy: the slice of a text would keep the whole text in memory. */
function copyBeginning(text: string): string {
  return Buffer.from(text.slice(0, BEGINNING), 'utf16le').toString('utf16le');
}

/** The rest of a request, besides the arguments in question. */
interface Named {
  readonly kind: string;
  readonly command?: string | undefined;
  readonly paths: readonly string[];
}

/**
 * Whether a request is understood whole: it does what its command, its files and its changes say, and no other argument
 * can make something else of it. `others`: the arguments that none of these show.
 */
export function isUnderstood({ kind, command, paths }: Named, others: unknown): boolean {
  if (others === undefined) return command !== undefined || paths.length > 0;
  if (!isRecord(others)) return false;
  const isKnown = command === undefined ? argumentsOf[kind] : isRemark;
  return isKnown !== undefined && Object.entries(others).every(([name, value]) => isKnown(name, value));
}

type IsKnown = (name: string, value: unknown) => boolean;

const isRemark: IsKnown = (name) => REMARKS.has(name);

const isSelection: IsKnown = (name, value) =>
  SELECTIONS.has(name) && (Array.isArray(value) ? value : [value]).every(staysInside);

const isContent: IsKnown = (name, value) =>
  name === 'edits' && Array.isArray(value)
    ? value.every((edit) => isRecord(edit) && Object.entries(edit).every(([key, text]) => isText(key, text)))
    : isText(name, value) || (name === PATCH && typeof value === 'string' && filesOfPatch(value).length > 0);

const argumentsOf: Readonly<Record<string, IsKnown | undefined>> = Object.assign(Object.create(null), {
  read: isSelection,
  search: isSelection,
  edit: isContent,
  fetch: (name: string, value: unknown) => name === 'url' && typeof value === 'string',
});

function isText(name: string, value: unknown): boolean {
  return CONTENTS.has(name) && (typeof value === 'string' || typeof value === 'boolean');
}

/** Whether a part of a selection names nothing but what is below the folder that is looked into. */
function staysInside(value: unknown): boolean {
  if (typeof value !== 'string') return typeof value === 'number' || typeof value === 'boolean';
  return !LEADS_AWAY_INSIDE.test(value);
}

function filesOfPatch(patch: string): readonly string[] {
  return Array.from(patch.matchAll(FILE_OF_PATCH), ([, file = '']) => file);
}

/** Finds every path in the input of a tool, however deep and under whatever name; the text of an edit is not looked through. */
export function findPaths(input: unknown, { kind, command }: Omit<Named, 'paths'>): readonly string[] {
  const skipped = new Set([
    'command',
    ...(command === undefined ? [] : REMARKS),
    ...(kind === 'edit' ? CONTENTS : []),
  ]);
  const rest: Array<readonly [string, unknown]> = [['', input]];
  const found: string[] = [];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const [name, value] = next;
    if (typeof value === 'string') {
      if (name === PATCH && kind === 'edit') found.push(...filesOfPatch(value));
      else if (FILE_FIELDS.has(name) || LEADS_AWAY.test(value) || findGuardsByName([value]).length > 0)
        found.push(value);
    } else if (typeof value === 'object' && value !== null) {
      const entries = Object.entries(value as UnknownRecord).filter(([key]) => !skipped.has(key));
      rest.push(
        ...entries.map(([key, item]) => [Array.isArray(value) ? name : key, item] as const).reverse(),
      );
    }
  }
  return found;
}
