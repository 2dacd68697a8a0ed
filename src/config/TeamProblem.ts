import type { Position } from '../utils/linePositions.js';
import { quoteValue, showInvisible } from './quoteValue.js';

const MAX_LINES = 50;

export type TeamProblemCode =
  /** The text is not JSON with comments. */
  | 'SYNTAX'
  | 'DUPLICATE_KEY'
  /** The team file itself cannot be read: not there, not a regular file, too large, not UTF-8. */
  | 'FILE_UNREADABLE'
  | 'UNKNOWN_FIELD'
  | 'MISSING_FIELD'
  | 'WRONG_TYPE'
  | 'UNKNOWN_VALUE'
  | 'OUT_OF_RANGE'
  | 'NAME_INVALID'
  | 'NAME_RESERVED'
  | 'NAME_MIXED_SCRIPTS'
  | 'NAME_TAKEN'
  | 'NO_MEMBERS'
  | 'NO_AGENT'
  | 'NO_HUMAN'
  | 'COMMAND_MISSING'
  /** `output` for an agent whose output Huddle knows. */
  | 'OUTPUT_UNSUPPORTED'
  /** `allow` or `deny` for a program that has no such thing. */
  | 'TOOL_LIST_UNSUPPORTED'
  /** Replies without a recipient would go round for ever. */
  | 'FALLBACK_CYCLE'
  | 'INSTRUCTION_FILE_UNREADABLE'
  | 'INSTRUCTION_FILE_OUTSIDE'
  | 'INSTRUCTION_FILE_TOO_LARGE'
  /** The system prompt, which is never cut, takes more than half of every prompt. */
  | 'SYSTEM_TEXT_TOO_LARGE'
  /** Only ever a warning: a money limit cannot see what this member spends. */
  | 'PRICE_UNKNOWN';

/** A problem of a team file. */
export interface TeamProblem {
  readonly code: TeamProblemCode;
  /** JSON pointer (RFC 6901) of the field; `''` is the whole file. */
  readonly pointer: string;
  /** The value found; of an unknown field only its name, since its content may be a secret. */
  readonly value: unknown;
  /** The rest of the sentence that the field begins: `must be …`, `is …`. */
  readonly reason: string;
  /** The nearest spelling that would have been right. */
  readonly suggestion?: string;
  readonly position?: Position;
}

export function formatPointer(path: readonly PropertyKey[]): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

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
