import { formatInvalidTeam } from '../catalogue/teamProblems.js';
import { HuddleError } from '../models/errors.js';
import type { TeamProblem } from '../models/TeamProblem.js';

/** A team was refused as a whole, with everything that is wrong with it. Nothing was started. */
export class TeamFileError extends HuddleError<'TEAM_FILE_INVALID'> {
  readonly problems: readonly TeamProblem[];
  /** Absent when the team did not come from a file. */
  readonly file?: string;

  constructor(problems: readonly TeamProblem[], file?: string) {
    super('TEAM_FILE_INVALID', formatInvalidTeam(problems, file));
    this.problems = problems;
    if (file !== undefined) this.file = file;
  }
}
