import { realpath, stat } from 'node:fs/promises';
import { basename, join, resolve, sep } from 'node:path';
import { SCHEMA_COPY_NAME, TEAM_FILE_NAMES } from '../../models/teamFileNames.js';
import type { FileGuard } from '../AgentAdapter.js';
import type { Place } from './WorkingFolder.js';

const REPOSITORY = '.git';
/** The kinds of tools that only look. */
export const LOOKING: ReadonlySet<string> = new Set(['read', 'search']);
/** The kinds of tools by which a file is not there any more. */
const REMOVING: ReadonlySet<string> = new Set(['delete', 'move']);
/** Names guarded in every folder: Huddle started in that folder has that team. */
const TEAM_NAMES: ReadonlySet<string> = new Set<string>([...TEAM_FILE_NAMES, SCHEMA_COPY_NAME]);

/**
 * Finds which guards apply to these files. A folder stands for whatever is in it, now and later. Files in a repository's own folder run later, unasked; a team file says
 * what agents may do. Names are compared without case, as some file systems do.
 */
export async function findGuards(
  places: readonly Place[],
  teamFile: string | undefined,
  kind: string,
): Promise<readonly FileGuard[]> {
  const files = places.flatMap(({ named, file }) => [named, file]);
  // A team file that is gone leads nowhere else.
  const own = teamFile ? [resolve(teamFile), await realpath(teamFile).catch(() => resolve(teamFile))] : [];
  const guards = findGuardsByName(files, own);
  if (LOOKING.has(kind) || !(await includesFolder(places))) return guards;
  const holdsTeamFile = own.some((name) => files.some((file) => name.startsWith(join(file, sep))));
  const isTaken = REMOVING.has(kind) && holdsTeamFile && !guards.includes('team-file');
  return [...guards, ...(isTaken ? (['team-file'] as const) : []), 'folder'];
}

async function includesFolder(places: readonly Place[]): Promise<boolean> {
  // A file that is not there, or that cannot be looked at, is no folder.
  const found = await Promise.all(places.map(({ file }) => stat(file).catch(() => undefined)));
  return found.some((stats) => stats?.isDirectory());
}

/** The same by the names of files alone; `own` has names of the file that the team came from. */
export function findGuardsByName(files: readonly string[], own: readonly string[] = []): FileGuard[] {
  const isTeamFile = (file: string): boolean =>
    own.includes(file) || TEAM_NAMES.has(basename(file).toLowerCase());
  return [
    ...(files.some(isInRepository) ? (['repository'] as const) : []),
    ...(files.some(isTeamFile) ? (['team-file'] as const) : []),
  ];
}

function isInRepository(file: string): boolean {
  return file.toLowerCase().split(sep).includes(REPOSITORY);
}
