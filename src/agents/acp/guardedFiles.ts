import { realpath } from 'node:fs/promises';
import { basename, resolve, sep } from 'node:path';
import { SCHEMA_COPY_NAME, TEAM_FILE_NAMES } from '../../models/teamFileNames.js';
import type { FileGuard } from '../AgentAdapter.js';
import type { Place } from './WorkingFolder.js';

const REPOSITORY = '.git';
/** Names guarded in every folder: Huddle started in that folder has that team. */
const TEAM_NAMES: ReadonlySet<string> = new Set<string>([...TEAM_FILE_NAMES, SCHEMA_COPY_NAME]);

/**
 * Finds which guards apply to these files. Files in a repository's own folder run later, unasked; a team file says
 * what agents may do. Names are compared without case, as some file systems do.
 */
export async function findGuards(
  places: readonly Place[],
  teamFile: string | undefined,
): Promise<readonly FileGuard[]> {
  const files = places.flatMap(({ named, file }) => [named, file]);
  // A team file that is gone leads nowhere else.
  const own = teamFile ? [resolve(teamFile), await realpath(teamFile).catch(() => resolve(teamFile))] : [];
  return findGuardsByName(files, own);
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
