import { lstatSync, realpathSync, type Stats } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';

/** Whether a folder belongs to the project that is worked on: it is in the working folder, or in the repository around that. */
export function isInProject(folder: string, workingFolder: string): boolean {
  const project = findRepository(resolveLinks(workingFolder)) ?? resolveLinks(workingFolder);
  // Who works in the root folder works in no project: everything would be inside.
  return dirname(project) !== project && isWithin(resolveLinks(folder), project);
}

/** Both with links resolved. */
function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder + sep);
}

/** The nearest one. In a submodule `.git` is a file, and the repository around it is the one that is meant. */
function findRepository(folder: string): string | undefined {
  const mark = look(join(folder, '.git'));
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

function look(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined; // A folder we may not enter is nobody's repository here.
  }
}
