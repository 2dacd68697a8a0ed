import { english } from '../../catalogue/english.js';
import { describeIn } from '../../catalogue/teamProblems.js';
import type { TeamProblem } from '../../models/TeamProblem.js';

/** Problems of a team file as scripts read them: the facts, and the sentence in English whatever language people read. */
export function problemsForJson(problems: readonly TeamProblem[]): readonly object[] {
  return problems.map((problem) => ({ ...problem, message: describeIn(english.teamFile, problem) }));
}
