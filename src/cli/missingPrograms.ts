import { findCommand } from '../agents/process/findCommand.js';
import { explainFailure } from '../catalogue/tellings.js';
import { words } from '../catalogue/words.js';
import { describeWhatStarts } from '../config/describeWhatStarts.js';
import { missingProgram } from '../models/knownPrograms.js';
import type { Team } from '../models/Team.js';
import { sanitizeToOneLine } from '../utils/sanitize.js';
import { type CliContext, say } from './CliContext.js';

/** A program that is not there, and the members that need it. */
export interface MissingProgram {
  readonly program: string;
  readonly members: readonly string[];
}

/** The programs of a team that could not be started from a folder, because they are not there. */
export function groupMissingPrograms(
  team: Team,
  workingFolder: string,
  { env }: CliContext,
): readonly MissingProgram[] {
  const members = new Map<string, string[]>();
  for (const { member, command } of describeWhatStarts(team)) {
    const [name = ''] = command;
    if (findCommand(name, { path: env.PATH, workingFolder }).kind === 'found') continue;
    members.set(name, [...(members.get(name) ?? []), member]);
  }
  return Array.from(members, ([program, needing]) => ({ program, members: needing }));
}

/** Warns of each missing program, with the members that need it and what installs it. */
export function warnOfMissingPrograms(team: Team, workingFolder: string, context: CliContext): void {
  const { list, labelled, sentence, sentences } = words.joining;
  for (const { program, members } of groupMissingPrograms(team, workingFolder, context)) {
    const { what, hint } = explainFailure(missingProgram(program));
    const line = sentences([labelled(list(members), sentence(what)), hint]);
    say(context, words.cli.warning(sanitizeToOneLine(line)));
  }
}
