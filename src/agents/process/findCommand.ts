import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';

/** Where the system looks when there is no PATH. */
const DEFAULT_PATH = '/usr/bin:/bin';

export type CommandLookup =
  | { readonly kind: 'found'; readonly file: string }
  | { readonly kind: 'not-executable'; readonly file: string }
  | { readonly kind: 'missing'; readonly searched: readonly string[] };

/**
 * Finds a program as `execvp` would, with one difference: relative and empty entries of PATH are passed over, since
 * they would let a project's folder choose what is run. Names with a slash are relative to the working folder.
 * Synchronous on purpose: a look-up is a few microseconds, and the system would do the same in `spawn`.
 */
export function findCommand(
  name: string,
  place: { readonly path: string | undefined; readonly workingFolder: string },
): CommandLookup {
  const searched = name.includes('/') ? [] : (place.path ?? DEFAULT_PATH).split(delimiter).filter(isAbsolute);
  const candidates = name.includes('/')
    ? [resolve(place.workingFolder, name)]
    : searched.map((folder) => join(folder, name));
  let notExecutable: string | undefined;
  for (const file of candidates) {
    if (!isFile(file)) continue;
    if (isExecutable(file)) return { kind: 'found', file };
    notExecutable ??= file;
  }
  if (notExecutable !== undefined) return { kind: 'not-executable', file: notExecutable };
  return { kind: 'missing', searched: name.includes('/') ? candidates : searched };
}

function isFile(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
  } catch {
    return false; // A folder we may not enter holds nothing we could run.
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false; // `access` says no only by throwing.
  }
}
