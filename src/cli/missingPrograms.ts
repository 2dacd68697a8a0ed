import { findCommand } from '../agents/process/findCommand.js';
import { explainFailure } from '../catalogue/tellings.js';
import { words } from '../catalogue/words.js';
import { describeWhatStarts, type StartedProgram } from '../config/describeWhatStarts.js';
import { missingProgram } from '../models/knownPrograms.js';
import type { Team } from '../models/Team.js';
import { sanitizeToOneLine } from '../utils/sanitize.js';
import { type CliContext, say } from './CliContext.js';

/** The programs of a team that could not be started from a folder, because they are not there. */
export function findMissingPrograms(
  team: Team,
  workingFolder: string,
  { env }: CliContext,
): readonly StartedProgram[] {
  return describeWhatStarts(team).filter(
    ({ command: [name = ''] }) => findCommand(name, { path: env.PATH, workingFolder }).kind !== 'found',
  );
}

/** Warns of each missing program, with the members that need it and what installs it. */
export function warnOfMissingPrograms(team: Team, workingFolder: string, context: CliContext): void {
  const members = new Map<string, string[]>();
  for (const { member, command } of findMissingPrograms(team, workingFolder, context)) {
    const [name = ''] = command;
    members.set(name, [...(members.get(name) ?? []), member]);
  }
  for (const [name, needing] of members) {
    const { what, hint } = explainFailure(missingProgram(name));
    const { list, labelled, sentence, sentences } = words.joining;
    const line = sentences([labelled(list(needing), sentence(what)), hint]);
    say(context, words.cli.warning(sanitizeToOneLine(line)));
  }
}
