import { HuddleError } from '../models/errors.js';
import { formatTeamProblems, type TeamProblem } from './TeamProblem.js';

/** A team file was refused as a whole, with everything that is wrong with it. Nothing was started. */
export class TeamFileError extends HuddleError<'TEAM_FILE_INVALID'> {
  readonly problems: readonly TeamProblem[];
  /** Absent when the team did not come from a file. */
  readonly file?: string;

  constructor(problems: readonly TeamProblem[], file?: string) {
    super('TEAM_FILE_INVALID', `${file ?? 'The team'} is not valid:\n${formatTeamProblems(problems)}`);
    this.problems = problems;
    if (file !== undefined) this.file = file;
  }
}
