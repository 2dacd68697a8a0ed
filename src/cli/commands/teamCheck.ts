import { english } from '../../catalogue/english.js';
import { kindAndTitle, rightsOf } from '../../catalogue/members.js';
import { describeIn, formatTeamProblems } from '../../catalogue/teamProblems.js';
import { words } from '../../catalogue/words.js';
import type { LoadedTeam } from '../../config/loadTeamFile.js';
import { TeamFileError } from '../../config/readRegularFile.js';
import { HuddleError } from '../../models/errors.js';
import { lacksPrice } from '../../models/knownPrograms.js';
import type { Member, Team } from '../../models/Team.js';
import type { TeamProblem } from '../../models/TeamProblem.js';
import { explainUnpriced } from '../../presentation/cost.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';
import { type CliContext, print, printJson, say } from '../start/CliContext.js';
import { EXIT_CODES } from '../start/exitCodes.js';
import { showPath } from '../start/paths.js';
import { markProjectPrograms } from '../trust/examineTrust.js';

interface CheckOptions {
  readonly file?: string;
  readonly json?: boolean;
}

/** Checks a team file as a start would, and says everything that is wrong with it. Starts nothing. */
export async function checkTeam({ file, json }: CheckOptions, context: CliContext): Promise<number> {
  const path = await locateTeamFile(file, context);
  try {
    const loaded = await context.project.load(path, {
      interactive: true,
      trustedFiles: 'any',
      prices: context.settings.prices,
    });
    if (json) printJson(context, describeLoaded(loaded));
    else await printLoaded(loaded, context);
    return EXIT_CODES.done;
  } catch (error) {
    if (!json || !(error instanceof TeamFileError)) throw error;
    printJson(context, { file: path, ok: false, problems: problemsForJson(error.problems) });
    return EXIT_CODES.teamFileInvalid;
  }
}

/** The file that was named, the nearest one, or the user's default team. */
async function locateTeamFile(file: string | undefined, context: CliContext): Promise<string> {
  const found = await context.project.fileOf(file);
  if (found !== undefined) return found;
  throw new HuddleError('TEAM_FILE_MISSING', words.cli.noTeamFile);
}

async function printLoaded({ file, folder, team, warnings }: LoadedTeam, context: CliContext): Promise<void> {
  const agents = team.members.filter(({ type }) => type === 'ai').length;
  const { valid, next } = words.teamCheck;
  print(context, valid(showPath(file, context), agents, team.members.length - agents));
  printMembers(await markProjectPrograms({ team, workingFolder: folder }, context), context);
  for (const warning of warnings)
    say(context, words.cli.warning(formatTeamProblems([warning], showPath(file, context))));
  if (warnings.length === 0) sayUnpriced(team, context);
  say(context, next);
}

/** Says whose cost cannot be counted, though no limit depends on it. */
function sayUnpriced({ members, prices }: Team, context: CliContext): void {
  const known = [...prices, ...(context.settings.prices ?? [])];
  const unpriced = members.filter((member) => member.type === 'ai' && lacksPrice(member, known));
  for (const line of explainUnpriced(unpriced, words)) say(context, sanitizeToOneLine(line));
}

export function printMembers({ members }: Team, context: CliContext): void {
  for (const member of members) print(context, describeMember(member));
}

function describeMember(member: Member): string {
  const model = member.type === 'ai' && member.model !== undefined ? [member.model] : [];
  const facts = [...kindAndTitle(member), ...model, ...rightsOf(member)];
  return `  ${sanitizeToOneLine(words.teamCheck.member(member.name, facts))}`;
}

function describeLoaded({ file, team, warnings }: LoadedTeam): object {
  return {
    file,
    ok: true,
    name: team.name,
    members: team.members.map(({ name, type }) => ({ name, type })),
    warnings: problemsForJson(warnings),
  };
}

/** Problems of a team file as scripts read them: the facts, and the sentence in English whatever language people read. */
export function problemsForJson(problems: readonly TeamProblem[]): readonly object[] {
  return problems.map((problem) => ({ ...problem, message: describeIn(english.teamFile, problem) }));
}
