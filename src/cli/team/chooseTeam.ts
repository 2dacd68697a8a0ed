import { resolve } from 'node:path';
import { type DetectedAgent, detectAgents } from '../../agents/detectAgents.js';
import { formatTeamProblems } from '../../catalogue/teamProblems.js';
import { words } from '../../catalogue/words.js';
import { createDefaultTeam, type DefaultTeam } from '../../config/defaultTeam.js';
import type { LoadedTeam } from '../../config/loadTeamFile.js';
import { findTrustedFolder } from '../../config/trust.js';
import { HuddleError } from '../../models/errors.js';
import { lacksPrice } from '../../models/knownPrograms.js';
import type { Team } from '../../models/Team.js';
import { adviseUnpriced, labelUnpriced } from '../../presentation/cost.js';
import { sanitizeForTerminal, sanitizeToOneLine } from '../../utils/sanitize.js';
import { type CliContext, say } from '../start/CliContext.js';
import { showPath } from '../start/paths.js';
import type { RunFlags } from '../start/RunFlags.js';
import { markProjectPrograms, type TrustSubject } from '../trust/examineTrust.js';
import { requireUnnested } from '../trust/outerTurn.js';
import { requireTrust } from '../trust/trustQuestion.js';
import { adjustTeam } from './adjustTeam.js';

export interface TeamChoice
  extends TeamSearch,
    Pick<RunFlags, 'nested' | 'maxTurns' | 'maxUsd' | 'model' | 'readOnly'> {}

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

/** Finds the team of a run, with the limits of the command line, and has a person vouch for it. */
export async function chooseTeam(choice: TeamChoice, context: CliContext): Promise<ChosenTeam> {
  if (!choice.isRehearsal && !choice.nested) requireUnnested(context);
  return vouchFor(await findTeam(choice, context), choice, context);
}

/**
 * Requires trust in a team, unless it is only rehearsed. Trust is about the team as it is in its file; what the command line
 * changes for this run is the user's own word, and never gives an agent more rights.
 */
export async function vouchFor(
  { subject, teamFile }: FoundTeam,
  choice: TeamChoice,
  context: CliContext,
): Promise<ChosenTeam> {
  const { isRehearsal, trust = false } = choice;
  const { team, notes, warnings } = adjustTeam(await markProjectPrograms(subject, context), choice);
  const trustedPrograms = isRehearsal ? undefined : await requireTrust(subject, trust, context);
  for (const note of notes) say(context, note);
  for (const warning of warnings) say(context, words.cli.warning(warning));
  const { workingFolder } = subject;
  return {
    team: completeTeam(team, choice, context),
    workingFolder,
    isRehearsal,
    trustedPrograms,
    teamFile,
  };
}

/** The team as it runs: with the user's prices behind its own, and the limits of the command line in place of its own. */
export function completeTeam(
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
  const lines = [
    words.cli.warning(words.cli.unpriced(labelUnpriced(unpriced, words))),
    ...adviseUnpriced(unpriced, words),
  ];
  for (const line of lines) say(context, sanitizeToOneLine(line));
}

interface TeamSearch extends Pick<RunFlags, 'team' | 'trust'> {
  /** Simulated agents answer, so that nothing the file names is started. */
  readonly isRehearsal: boolean;
  /** Agents work in the folder of the context, also where the team file was found above it. Default: beside the file. */
  readonly staysHere?: boolean;
  /** Installed programs are looked up and not asked for their version and login. */
  readonly isQuick?: boolean;
}

/** A team that was found and that no one has vouched for yet. */
export interface FoundTeam {
  readonly subject: TrustSubject;
  /** The file it came from, if any. */
  readonly teamFile?: string;
}

/** Finds the team of a folder: from its file, or of what is installed. */
export async function findTeam(search: TeamSearch, context: CliContext): Promise<FoundTeam> {
  const { workingFolder, project } = context;
  const located = search.team === undefined ? await project.locate() : undefined;
  const file = await project.fileOf(search.team);
  if (file === undefined) return { subject: { team: await gatherTeam(search, context), workingFolder } };

  if (located?.isDefault) say(context, words.cli.defaultTeam(sanitizeForTerminal(file)));
  const loaded = await loadTeam(file, search, context);
  for (const warning of loaded.warnings)
    say(context, words.cli.warning(formatTeamProblems([warning], showPath(file, context))));
  const { team, folder: teamFolder } = loaded;
  // A file that was not found in the project has its agents work where the user is.
  const isBesideFile = located?.isDefault === false && !search.staysHere;
  const subject = {
    team,
    teamFolder,
    workingFolder: isBesideFile ? teamFolder : workingFolder,
    ...(located?.isDefault && { defaultTeamFile: file }),
  };
  return { subject, teamFile: file };
}

async function loadTeam(file: string, { trust }: TeamSearch, context: CliContext): Promise<LoadedTeam> {
  const { dataFolder, settings, project } = context;
  const trustedFiles = trust ? 'any' : await findTrustedFiles(file, dataFolder);
  return project.load(file, { interactive: true, trustedFiles, prices: settings.prices });
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

async function gatherTeam({ isRehearsal, isQuick }: TeamSearch, context: CliContext): Promise<Team> {
  const place = isRehearsal ? undefined : await findTrustedFolder(context.workingFolder, context);
  const { team, rehearsal, agents, known } = await gatherAgents(place?.programs ?? [], context, isQuick);
  if (agents.length === 0 && !isRehearsal)
    throw new HuddleError('AGENT_MISSING', () => words.cli.noAgentCli(known));
  say(context, rehearsal ? words.cli.rehearsalTeam : words.cli.installedTeam);
  if (!isRehearsal) {
    for (const { label, loggedIn, login } of agents)
      if (loggedIn === 'no') say(context, words.cli.notLoggedIn(label, login));
  }
  return team;
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
  isQuick = false,
): Promise<GatheredTeam> {
  const { env: environment, workingFolder } = context;
  return teamOf(await detectAgents({ environment, workingFolder, trustedPrograms, isQuick }), context);
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
