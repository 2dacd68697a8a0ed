import { resolve } from 'node:path';
import { type DetectedAgent, detectAgents } from '../agents/detectAgents.js';
import { formatTeamProblems } from '../catalogue/teamProblems.js';
import { words } from '../catalogue/words.js';
import { createDefaultTeam, type DefaultTeam } from '../config/defaultTeam.js';
import { type LoadedTeam, loadTeamFile } from '../config/loadTeamFile.js';
import { findTrustedFolder } from '../config/trust.js';
import { HuddleError } from '../models/errors.js';
import { lacksPrice } from '../models/priceNameOf.js';
import type { Team } from '../models/Team.js';
import { adviseUnpriced, labelUnpriced } from '../presentation/unpriced.js';
import { sanitizeForTerminal, sanitizeToOneLine } from '../utils/sanitize.js';
import { adjustTeam } from './adjustTeam.js';
import { type CliContext, say } from './CliContext.js';
import type { TrustSubject } from './examineTrust.js';
import { locateTeam } from './locateTeam.js';
import { requireUnnested } from './outerTurn.js';
import type { RunFlags } from './RunFlags.js';
import { showPath } from './showPath.js';
import { requireTrust } from './trustQuestion.js';

export interface TeamChoice
  extends Pick<RunFlags, 'team' | 'trust' | 'nested' | 'maxTurns' | 'maxUsd' | 'model' | 'readOnly'> {
  /** Simulated agents answer, so that nothing the file names is started. */
  readonly isRehearsal: boolean;
}

export interface ChosenTeam {
  readonly team: Team;
  /** Folder in which the agents work: that of a team file that was found, else where the user is. */
  readonly workingFolder: string;
  /** The file it came from, if any. */
  readonly teamFile?: string;
  readonly isRehearsal: boolean;
  /** Programs inside the project that PATH may lead to. */
  readonly trustedPrograms?: readonly string[];
}

/** Finds the team of a run: from its file, or of what is installed, with the limits of the command line. */
export async function chooseTeam(choice: TeamChoice, context: CliContext): Promise<ChosenTeam> {
  if (!choice.isRehearsal && !choice.nested) requireUnnested(context);
  const { workingFolder } = context;
  const located = choice.team === undefined ? await locateTeam(context) : undefined;
  const file = choice.team === undefined ? located?.file : resolve(workingFolder, choice.team);
  if (file === undefined) return gatherTeam(choice, context);

  if (located?.isDefault) say(context, words.cli.defaultTeam(sanitizeForTerminal(file)));
  const loaded = await loadTeam(file, choice, context);
  if (loaded.warnings.length > 0)
    say(context, words.cli.warning(formatTeamProblems(loaded.warnings, showPath(file, context))));
  const { team, folder: teamFolder } = loaded;
  const subject = {
    team,
    teamFolder,
    // A file that was not found in the project has its agents work where the user is.
    workingFolder: located?.isDefault === false ? teamFolder : workingFolder,
    ...(located?.isDefault && { defaultTeamFile: file }),
  };
  return { ...(await vouchFor(subject, choice, context)), teamFile: file };
}

/**
 * Requires trust in a team, unless it is only rehearsed. Trust is about the team as it is in its file; what the command line
 * changes for this run is the user's own word, and never gives an agent more rights.
 */
async function vouchFor(subject: TrustSubject, choice: TeamChoice, context: CliContext): Promise<ChosenTeam> {
  const { isRehearsal, trust = false } = choice;
  const { team, notes, warnings } = adjustTeam(subject.team, choice);
  const trustedPrograms = isRehearsal ? undefined : await requireTrust(subject, trust, context);
  for (const note of notes) say(context, note);
  for (const warning of warnings) say(context, words.cli.warning(warning));
  const { workingFolder } = subject;
  return { team: completeTeam(team, choice, context), workingFolder, isRehearsal, trustedPrograms };
}

/** The team as it runs: with the user's prices behind its own, and the limits of the command line in place of its own. */
function completeTeam(
  trusted: Team,
  { maxTurns, maxUsd, isRehearsal }: TeamChoice,
  context: CliContext,
): Team {
  const team = { ...trusted, prices: [...trusted.prices, ...(context.settings.prices ?? [])] };
  if (maxUsd !== undefined && !isRehearsal) warnOfUnpriced(team, context);
  const { agentTurns, usd } = team.limits;
  return { ...team, limits: { ...team.limits, agentTurns: maxTurns ?? agentTurns, usd: maxUsd ?? usd } };
}

/** Warns of members a limit on money cannot hold for, unless another one does. */
function warnOfUnpriced({ members, prices, limits }: Team, context: CliContext): void {
  const unpriced = members.filter((member) => member.type === 'ai' && lacksPrice(member, prices));
  if (unpriced.length === 0 || limits.tokens !== undefined) return;
  const lines = [words.cli.warning(words.cli.unpriced(labelUnpriced(unpriced))), ...adviseUnpriced(unpriced)];
  for (const line of lines) say(context, sanitizeToOneLine(line));
}

async function loadTeam(file: string, { trust }: TeamChoice, context: CliContext): Promise<LoadedTeam> {
  const { dataFolder, settings } = context;
  const trustedFiles = trust ? 'any' : await findTrustedFiles(file, dataFolder);
  return loadTeamFile(file, { interactive: true, trustedFiles, prices: settings.prices });
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

async function gatherTeam(choice: TeamChoice, context: CliContext): Promise<ChosenTeam> {
  const { isRehearsal } = choice;
  const { workingFolder } = context;
  const place = isRehearsal ? undefined : await findTrustedFolder(workingFolder, context);
  const { team, rehearsal, agents, known } = await gatherAgents(place?.programs ?? [], context);
  if (agents.length === 0 && !isRehearsal)
    throw new HuddleError('AGENT_MISSING', words.cli.noAgentCli(known));
  say(context, rehearsal ? words.cli.rehearsalTeam : words.cli.installedTeam);
  if (!isRehearsal) {
    for (const { label, loggedIn, login } of agents)
      if (loggedIn === 'no') say(context, words.cli.notLoggedIn(label, login));
  }
  return vouchFor({ team, workingFolder }, choice, context);
}

interface GatheredTeam extends DefaultTeam {
  /** The installed ones. */
  readonly agents: readonly DetectedAgent[];
  /** All that were looked for. */
  readonly known: readonly DetectedAgent[];
}

export async function gatherAgents(
  trustedPrograms: readonly string[],
  context: CliContext,
): Promise<GatheredTeam> {
  const { env: environment, workingFolder } = context;
  return teamOf(await detectAgents({ environment, workingFolder, trustedPrograms }), context);
}

/** The team of what is installed; a program inside the project is part of it, though it was not started. */
export function teamOf(known: readonly DetectedAgent[], { userName }: CliContext): GatheredTeam {
  const agents = known.filter(({ file, passedOver }) => (file ?? passedOver) !== undefined).toSorted(byLogin);
  const found = agents.map(({ type, label }) => ({ agentType: type, label }));
  return { ...createDefaultTeam({ agents: found, userName }), agents, known };
}

/** Puts agents without a login last: the first one gets the messages that name no recipient. */
export function byLogin(one: DetectedAgent, other: DetectedAgent): number {
  return Number(one.loggedIn === 'no') - Number(other.loggedIn === 'no');
}
