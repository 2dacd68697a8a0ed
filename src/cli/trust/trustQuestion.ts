import { words } from '../../catalogue/words.js';
import { digestTeam, fingerprintTeam, trustFolder } from '../../config/trust.js';
import { hang } from '../../frontends/lines/PrefixedText.js';
import { HuddleError } from '../../models/errors.js';
import { sanitizeForTerminal } from '../../utils/sanitize.js';
import { askForYes, canAsk } from '../start/askForYes.js';
import { type CliContext, say } from '../start/CliContext.js';
import {
  describePaths,
  examineTrust,
  findFilesOutside,
  type TrustExamination,
  type TrustSubject,
} from './examineTrust.js';
import { requirePerson } from './outerTurn.js';

/** Passes when a person vouches for a team: earlier, by `--trust`, or when asked now. Returns the programs inside the project that may start. */
export async function requireTrust(
  subject: TrustSubject,
  vouched: boolean,
  context: CliContext,
): Promise<readonly string[]> {
  const examination = await examineTrust(subject, context);
  const { question, trustedSince, programs, passedOver } = examination;
  for (const file of passedOver) say(context, sanitizeForTerminal(words.trust.passedOver(file)));
  const folder = subject.teamFolder ?? subject.workingFolder;
  if (trustedSince === undefined && vouched) {
    requirePerson(context);
    say(context, words.cli.trustedOnce(sanitizeForTerminal(folder)));
    for (const line of describePaths(folder, examination)) say(context, line);
  } else if (trustedSince === undefined) {
    if (!canAsk(context)) {
      throw notTrusted(() => `${examination.summary}\n${words.trust.howTo(commandsFor(subject))}`);
    }
    requirePerson(context);
    say(context, hang(question, context.stderr));
    if (!(await askForYes(words.trust.ask, context))) throw notTrusted(() => words.trust.refused);
    await recordTrust(subject, examination, context);
  }
  return programs;
}

export function notTrusted(message: () => string): HuddleError {
  return new HuddleError('FOLDER_NOT_TRUSTED', message);
}

/** Writes down that a person allows a team as it is, and of what the project itself brings along these. */
export async function recordTrust(
  { team, teamFolder, workingFolder }: TrustSubject,
  { programs, grants }: Pick<TrustExamination, 'programs' | 'grants'>,
  context: CliContext,
): Promise<void> {
  requirePerson(context);
  const date = new Date();
  const inFolder = { programs: [...programs], grants: [...grants] };
  const ofTeam = teamFolder !== undefined && {
    fingerprint: fingerprintTeam(team),
    fields: digestTeam(team),
    files: [...(await findFilesOutside(teamFolder, team))],
  };
  const decisions =
    teamFolder === undefined || teamFolder === workingFolder
      ? [{ folder: workingFolder, ...ofTeam, ...inFolder }]
      : [
          { folder: teamFolder, ...ofTeam },
          { folder: workingFolder, ...inFolder },
        ];
  for (const decision of decisions) {
    await trustFolder({ ...decision, date }, context);
    say(context, words.trust.done(sanitizeForTerminal(decision.folder)));
  }
}

/** The commands to type in the working folder. */
function commandsFor({ teamFolder, workingFolder, defaultTeamFile }: TrustSubject): readonly string[] {
  if (teamFolder === undefined || teamFolder === workingFolder || defaultTeamFile !== undefined)
    return ['`huddle trust`'];
  return [`\`huddle trust ${sanitizeForTerminal(teamFolder)}\``, '`huddle trust .`'];
}
