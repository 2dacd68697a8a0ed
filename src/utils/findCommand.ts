import { accessSync, constants, lstatSync, realpathSync, type Stats, statSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join, resolve, sep } from 'node:path';
import { tryTo } from './tryTo.js';

/** Folders that the system searches when there is no PATH. */
const DEFAULT_PATH = '/usr/bin:/bin';

export type CommandLookup = (
  | { readonly kind: 'found'; readonly file: string }
  | { readonly kind: 'not-executable'; readonly file: string }
  | { readonly kind: 'missing'; readonly searched: readonly string[] }
) & {
  /** A program of the project that PATH leads to, and that is not trusted. */
  readonly passedOver?: string;
};

export interface CommandPlace {
  readonly path: string | undefined;
  readonly workingFolder: string;
  /** The folder that the working folder is a copy of. */
  readonly projectFolder?: string | undefined;
  /** Programs of the project that PATH may lead to. */
  readonly trustedPrograms?: readonly string[];
}

/**
 * Finds a program as `execvp` would, with one difference: entries of PATH that are relative, empty or inside the project
 * are passed over, since they would let the project choose what is run. Names with a slash are relative to the working
 * folder. Synchronous on purpose: a look-up is a few microseconds, and the system would do the same in `spawn`.
 */
export function findCommand(name: string, place: CommandPlace): CommandLookup {
  const isPath = name.includes('/');
  const folders = (place.path ?? DEFAULT_PATH).split(delimiter).filter(isAbsolute);
  const candidates = isPath
    ? [resolve(place.workingFolder, name)]
    : folders.map((folder) => join(folder, name));
  const searched = isPath ? candidates : folders;
  let notExecutable: string | undefined;
  let passedOver: string | undefined;
  for (const file of candidates) {
    if (!look(file, statSync)?.isFile()) continue;
    if (!isExecutable(file)) notExecutable ??= file;
    else if (isPath || isTrusted(file, place))
      return { kind: 'found', file, ...(passedOver && { passedOver }) };
    else passedOver ??= file;
  }
  if (passedOver !== undefined) return { kind: 'missing', searched, passedOver };
  if (notExecutable !== undefined) return { kind: 'not-executable', file: notExecutable };
  return { kind: 'missing', searched };
}

/** Whether a program lies inside the project or is a link that leads there, so that the project chooses what is run. */
export function isProjectProgram(name: string, place: CommandPlace): boolean {
  const lookup = findCommand(name, place);
  if (lookup.kind !== 'found') return lookup.passedOver !== undefined;
  const { workingFolder, projectFolder = workingFolder } = place;
  const folders = [lookup.file, resolveLinks(lookup.file)].map((file) => dirname(file));
  return folders.some((folder) =>
    [workingFolder, projectFolder].some((project) => isInProject(folder, project)),
  );
}

/** The entries of PATH that lead out of the project: for programs that look up others by themselves. */
export function foldersOutside({ path = DEFAULT_PATH, workingFolder }: CommandPlace): string[] {
  return path.split(delimiter).filter((folder) => isAbsolute(folder) && !isInProject(folder, workingFolder));
}

/** Compared as PATH has it: what a link leads to may change. */
function isTrusted(file: string, place: CommandPlace): boolean {
  const { workingFolder, projectFolder = workingFolder, trustedPrograms = [] } = place;
  if (trustedPrograms.includes(file)) return true;
  return [workingFolder, projectFolder].every((folder) => !isInProject(dirname(file), folder));
}

/** Whether this user may run a file. */
export function isExecutable(file: string): boolean {
  return tryTo(() => accessSync(file, constants.X_OK));
}

/** Whether a folder belongs to the project that is worked on: it is in the working folder, or in the repository around that. */
function isInProject(folder: string, workingFolder: string): boolean {
  const project = findRepository(resolveLinks(workingFolder)) ?? resolveLinks(workingFolder);
  // Who works in the root folder works in no project: everything would be inside.
  return dirname(project) !== project && `${resolveLinks(folder)}${sep}`.startsWith(project + sep);
}

/** The repository around a folder: the nearest one. In a submodule `.git` is a file, and the repository around it is the one that is meant. */
export function findRepository(folder: string): string | undefined {
  const mark = look(join(folder, '.git'), lstatSync);
  if (mark?.isDirectory()) return folder;
  const parent = dirname(folder);
  const above = parent === folder ? undefined : findRepository(parent);
  return above ?? (mark && folder);
}

function resolveLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path); // It is not there, so it leads nowhere else.
  }
}

function look(path: string, stat: typeof statSync | typeof lstatSync): Stats | undefined {
  try {
    return stat(path, { throwIfNoEntry: false });
  } catch {
    return undefined; // A folder we may not enter holds nothing we could run, and no repository.
  }
}
