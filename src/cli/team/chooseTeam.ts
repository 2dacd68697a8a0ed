import { words } from '../../catalogue/words.js';
import { lacksPrice } from '../../models/priceNameOf.js';
import type { Team } from '../../models/Team.js';
import { adviseUnpriced, labelUnpriced } from '../../presentation/cost.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';
import { type CliContext, say } from '../start/CliContext.js';
import type { RunFlags } from '../start/RunFlags.js';
import { markProjectPrograms } from '../trust/examineTrust.js';
import { requireUnnested } from '../trust/outerTurn.js';
import { requireTrust } from '../trust/trustQuestion.js';
import { adjustTeam } from './adjustTeam.js';
import { type FoundTeam, findTeam, type TeamSearch } from './findTeam.js';

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
    ...(teamFile !== undefined && { teamFile }),
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
