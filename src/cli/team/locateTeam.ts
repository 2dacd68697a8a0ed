import { findTeamFile } from '../../config/loadTeamFile.js';
import type { CliContext } from '../start/CliContext.js';

/** A team file that serves a folder. */
export interface TeamLocation {
  readonly file: string;
  /** The configuration of the user names it, and the folder has none of its own. */
  readonly isDefault: boolean;
}

/** Finds the team file of the working folder: its own or one above, else the user's default team. */
export async function locateTeam({
  workingFolder,
  settings,
}: Pick<CliContext, 'workingFolder' | 'settings'>): Promise<TeamLocation | undefined> {
  const found = await findTeamFile(workingFolder);
  if (found !== undefined) return { file: found, isDefault: false };
  return settings.team === undefined ? undefined : { file: settings.team, isDefault: true };
}
