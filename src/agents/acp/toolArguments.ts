import { isRecord, PATH_FIELDS, type UnknownRecord } from '../dialect/records.js';
import { findGuardsByName } from './guardedFiles.js';

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
