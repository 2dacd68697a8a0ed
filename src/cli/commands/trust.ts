import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { words } from '../../catalogue/words.js';
import { findTeamFile, loadTeamFile } from '../../config/loadTeamFile.js';
import { findTrustedFolder } from '../../config/trust.js';
import { hang } from '../../frontends/lines/PrefixedText.js';
import { sanitizeForTerminal } from '../../utils/sanitize.js';
import { askForYes, canAsk } from '../start/askForYes.js';
import { type CliContext, print, say } from '../start/CliContext.js';
import { EXIT_CODES } from '../start/exitCodes.js';
import { UsageError } from '../start/reportError.js';
import { gatherAgents } from '../team/chooseTeam.js';
import { examineTrust, type TrustSubject } from '../trust/examineTrust.js';
import { notTrusted, recordTrust } from '../trust/trustQuestion.js';

export interface TrustCommandOptions {
  readonly folder?: string;
  readonly yes?: boolean;
}

/** Shows what would be started in a folder, and records that a person allows it. */
export async function trust(options: TrustCommandOptions, context: CliContext): Promise<number> {
  const subject = await findSubject(options, context);
  const examination = await examineTrust(subject, context);
  const { question, trustedSince, passedOver } = examination;
  for (const file of passedOver) say(context, sanitizeForTerminal(words.trust.passedOver(file)));
  if (trustedSince !== undefined) {
    const { teamFolder, workingFolder, defaultTeamFile } = subject;
    const named = defaultTeamFile === undefined ? (teamFolder ?? workingFolder) : workingFolder;
    const folder = sanitizeForTerminal(named);
    print(context, words.trust.already(folder, trustedSince));
    return EXIT_CODES.done;
  }
  print(context, hang(question, context.stdout));
  if (!options.yes) await requireYes(context);
  await recordTrust(subject, examination, context);
  return EXIT_CODES.done;
}

/** Everything that a file names is looked at, since a person is about to judge it. */
const EVERYTHING = { interactive: true, trustedFiles: 'any' } as const;

/** The team file of the folder, else the user's default team, or what is installed where there is neither. */
async function findSubject(options: TrustCommandOptions, context: CliContext): Promise<TrustSubject> {
  const folder = resolve(context.workingFolder, options.folder ?? '.');
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(words.trust.noFolder(sanitizeForTerminal(folder)));
  const found = await findTeamFile(folder);
  // A file further up is the file of another folder than the one that was named.
  if (found !== undefined && (options.folder === undefined || dirname(found) === folder)) {
    const loaded = await loadTeamFile(found, EVERYTHING);
    return { team: loaded.team, teamFolder: loaded.folder, workingFolder: loaded.folder };
  }
  const defaultTeamFile = found === undefined ? context.settings.team : undefined;
  if (defaultTeamFile !== undefined) {
    const { team, folder: teamFolder } = await loadTeamFile(defaultTeamFile, EVERYTHING);
    return { team, teamFolder, workingFolder: folder, defaultTeamFile };
  }
  const place = await findTrustedFolder(folder, context);
  const { team } = await gatherAgents(place?.programs ?? [], { ...context, workingFolder: folder });
  return { team, workingFolder: folder };
}

async function requireYes(context: CliContext): Promise<void> {
  const { ask, notInteractive, refused } = words.trust;
  if (!canAsk(context)) throw notTrusted(() => notInteractive);
  if (!(await askForYes(ask, context))) throw notTrusted(() => refused);
}
