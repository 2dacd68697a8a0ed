import { join, resolve } from 'node:path';
import { english } from '../../catalogue/english.js';
import { describeWhatStarts, fingerprintWhatStarts } from '../../config/describeWhatStarts.js';
import { findTeamFile, type LoadedTeam, loadTeamFile } from '../../config/loadTeamFile.js';
import { findTrustedFolder } from '../../config/trust.js';
import { HuddleError } from '../../models/errors.js';
import { sanitizeForTerminal } from '../../utils/sanitize.js';
import { askForYes, canAsk } from '../askForYes.js';
import { EXIT_CODES } from '../exitCodes.js';
import { print, type Surroundings } from '../Surroundings.js';
import { describeTrustQuestion, recordTrust } from '../trustQuestion.js';
import { locateTeamFile } from './teamCheck.js';

export interface TrustCommandOptions {
  readonly folder?: string;
  readonly yes?: boolean;
}

/** Shows what the team file of a folder starts, and records that a person allows it. */
export async function trust(options: TrustCommandOptions, surroundings: Surroundings): Promise<number> {
  const loaded = await loadTeamFile(await findFile(options, surroundings), {
    interactive: true,
    trustedFiles: 'any',
  });
  const since = await trustedSince(loaded, surroundings);
  if (since !== undefined) {
    print(surroundings, english.trust.already(sanitizeForTerminal(loaded.folder), since));
    return EXIT_CODES.done;
  }
  print(surroundings, describeTrustQuestion(loaded));
  if (!options.yes) await requireYes(surroundings);
  await recordTrust(loaded, surroundings);
  return EXIT_CODES.done;
}

async function findFile({ folder }: TrustCommandOptions, surroundings: Surroundings): Promise<string> {
  if (folder === undefined) return locateTeamFile(undefined, surroundings);
  const wanted = resolve(surroundings.workingFolder, folder);
  const found = await findTeamFile(wanted);
  // A file further up is the file of another folder than the one that was named.
  return found !== undefined && resolve(found, '..') === wanted ? found : join(wanted, 'huddle.jsonc');
}

async function trustedSince(
  { folder, team }: LoadedTeam,
  surroundings: Surroundings,
): Promise<string | undefined> {
  const entry = await findTrustedFolder(folder, surroundings);
  const fingerprint = fingerprintWhatStarts(describeWhatStarts(team));
  return entry?.fingerprint === fingerprint ? entry.date.slice(0, 10) : undefined;
}

async function requireYes(surroundings: Surroundings): Promise<void> {
  const { ask, notInteractive, refused } = english.trust;
  if (!canAsk(surroundings)) throw new HuddleError('FOLDER_NOT_TRUSTED', notInteractive);
  if (!(await askForYes(ask, surroundings))) throw new HuddleError('FOLDER_NOT_TRUSTED', refused);
}
