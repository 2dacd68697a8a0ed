import { findCommand } from '../agents/process/findCommand.js';
import { explainFailure } from '../catalogue/tellings.js';
import { describeWhatStarts, type StartedProgram } from '../config/describeWhatStarts.js';
import { missingProgram } from '../models/knownPrograms.js';
import type { Team } from '../models/Team.js';
import { sanitizeToOneLine } from '../utils/sanitize.js';
import type { CliContext } from './CliContext.js';

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

/** A line for each program, with the members that need it and what installs it. */
export function describeMissingPrograms(programs: readonly StartedProgram[]): readonly string[] {
  const members = new Map<string, string[]>();
  for (const {
    member,
    command: [name = ''],
  } of programs)
    members.set(name, [...(members.get(name) ?? []), member]);
  return [...members].map(([name, needing]) => {
    const { what, hint } = explainFailure(missingProgram(name));
    return sanitizeToOneLine(`${needing.join(', ')}: ${what}. ${hint}`);
  });
}
