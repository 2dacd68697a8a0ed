import { explainFailure } from '../../catalogue/tellings.js';
import { words } from '../../catalogue/words.js';
import { describeWhatStarts } from '../../config/describeWhatStarts.js';
import { missingProgram } from '../../models/knownPrograms.js';
import type { Team } from '../../models/Team.js';
import { findCommand } from '../../utils/findCommand.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';
import { type CliContext, say } from '../start/CliContext.js';

/** A program that is not there, and what needs it. */
export interface MissingProgram {
  readonly program: string;
  /** Names of members, and the path of a field of the team file that is no member's. */
  readonly neededBy: readonly string[];
}

/** The programs of a team that could not be started from a folder, because they are not there. */
export function groupMissingPrograms(
  team: Team,
  workingFolder: string,
  { env }: CliContext,
): readonly MissingProgram[] {
  const needing = new Map<string, string[]>();
  for (const started of describeWhatStarts(team)) {
    const [name = ''] = started.command;
    if (findCommand(name, { path: env.PATH, workingFolder }).kind === 'found') continue;
    needing.set(name, [...(needing.get(name) ?? []), 'member' in started ? started.member : started.field]);
  }
  return Array.from(needing, ([program, neededBy]) => ({ program, neededBy }));
}

/** Warns of each missing program, with what needs it and what installs it. */
export function warnOfMissingPrograms(team: Team, workingFolder: string, context: CliContext): void {
  const { list, labelled, sentence, sentences } = words.joining;
  for (const { program, neededBy } of groupMissingPrograms(team, workingFolder, context)) {
    const { what, hint } = explainFailure(missingProgram(program));
    const line = sentences([labelled(list(neededBy), sentence(what)), hint]);
    say(context, words.cli.warning(sanitizeToOneLine(line)));
  }
}
