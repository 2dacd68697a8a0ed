import { relative, resolve } from 'node:path';
import { detectAgents } from '../agents/detectAgents.js';
import { english } from '../catalogue/english.js';
import { createDefaultTeam } from '../config/defaultTeam.js';
import { formatTeamProblems } from '../config/formatTeamProblems.js';
import { findTeamFile, type LoadedTeam, loadTeamFile } from '../config/loadTeamFile.js';
import { findTrustedFolder } from '../config/trust.js';
import { HuddleError } from '../models/errors.js';
import type { Team } from '../models/Team.js';
import { sanitizeForTerminal } from '../utils/sanitize.js';
import { type Surroundings, say } from './Surroundings.js';
import { requireTrust } from './trustQuestion.js';

export interface TeamChoice {
  /** A file the user named. */
  readonly team?: string;
  /** The user vouches for what the team file starts, this time. */
  readonly trust?: boolean;
  /** Stand-ins answer, so that nothing the file names is started. */
  readonly isRehearsal: boolean;
}

export interface ChosenTeam {
  readonly team: Team;
  /** Where the agents work: the folder of a team file that was found, else where the user is. */
  readonly workingFolder: string;
  /** Where it came from, if from a file. */
  readonly teamFile?: string;
  readonly isRehearsal: boolean;
}

/** The team of a run: from its file, or of what is installed, or of stand-ins where they are asked for; says which unless it is the expected one. */
export async function chooseTeam(choice: TeamChoice, surroundings: Surroundings): Promise<ChosenTeam> {
  const { workingFolder } = surroundings;
  const found = choice.team === undefined ? await findTeamFile(workingFolder) : undefined;
  const file = choice.team === undefined ? found : resolve(workingFolder, choice.team);
  if (file === undefined) return gatherTeam(choice, surroundings);

  const loaded = await loadTeam(file, choice, surroundings);
  if (loaded.warnings.length > 0)
    say(surroundings, english.cli.warning(sanitizeForTerminal(formatTeamProblems(loaded.warnings))));
  if (!choice.isRehearsal) await requireTrust(loaded, choice.trust ?? false, surroundings);
  return {
    team: loaded.team,
    teamFile: file,
    workingFolder: found === undefined ? workingFolder : loaded.folder,
    isRehearsal: choice.isRehearsal,
  };
}

async function loadTeam(
  file: string,
  { trust }: TeamChoice,
  surroundings: Surroundings,
): Promise<LoadedTeam> {
  const { dataFolder } = surroundings;
  const trustedFiles = trust ? 'any' : await findTrustedFiles(file, dataFolder);
  return loadTeamFile(file, { interactive: true, trustedFiles });
}

async function findTrustedFiles(file: string, dataFolder: string): Promise<readonly string[]> {
  const folder = resolve(file, '..');
  try {
    return (await findTrustedFolder(folder, { dataFolder }))?.files ?? [];
  } catch (error) {
    // No such folder: reading the file says so better.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Who says that nobody is logged in comes last: the first one gets what is addressed to nobody. */
async function gatherTeam({ isRehearsal }: TeamChoice, surroundings: Surroundings): Promise<ChosenTeam> {
  const { env, userName, workingFolder } = surroundings;
  const known = await detectAgents({ environment: env });
  const installed = known.filter(({ file }) => file !== undefined);
  if (installed.length === 0 && !isRehearsal)
    throw new HuddleError('AGENT_MISSING', english.cli.noAgentCli(known));
  const agents = [
    ...installed.filter(({ loggedIn }) => loggedIn !== 'no'),
    ...installed.filter(({ loggedIn }) => loggedIn === 'no'),
  ];
  const { team, rehearsal } = createDefaultTeam({
    agents: agents.map(({ type, label }) => ({ agentType: type, label })),
    userName,
  });
  say(surroundings, rehearsal ? english.cli.rehearsalTeam : english.cli.installedTeam);
  if (!isRehearsal) {
    for (const { label, loggedIn, loginHint = '' } of agents)
      if (loggedIn === 'no') say(surroundings, english.cli.notLoggedIn(label, loginHint));
  }
  return { team, workingFolder, isRehearsal };
}

/** A path as the user would write it. */
export function showPath(file: string, { workingFolder }: Surroundings): string {
  const short = relative(workingFolder, file);
  return sanitizeForTerminal(short !== '' && !short.startsWith('..') ? short : file);
}
