import { quoteValue, showInvisible } from './quoteValue.js';
import type { TeamProblem } from './TeamProblem.js';

const MAX_LINES = 50;

/** Formats a line for each problem: `12:7 /members/1/name "a b" must be … [NAME_INVALID]`. */
export function formatTeamProblems(problems: readonly TeamProblem[]): string {
  const lines = problems.slice(0, MAX_LINES).map(formatProblem);
  const more = problems.length - lines.length;
  return (more > 0 ? [...lines, `… and ${more} more`] : lines).join('\n');
}

function formatProblem({ code, pointer, value, reason, suggestion, position }: TeamProblem): string {
  const words = [
    position && `${position.line}:${position.column}`,
    pointer === '' ? 'the file' : showInvisible(pointer),
    value !== undefined && quoteValue(value),
    suggestion === undefined ? reason : `${reason}; did you mean ${quoteValue(suggestion)}?`,
    `[${code}]`,
  ];
  return words.filter(Boolean).join(' ');
}
