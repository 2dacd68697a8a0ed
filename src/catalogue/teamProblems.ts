import type { TeamProblem } from '../models/TeamProblem.js';
import { quoteText, shortenText, showInvisible } from '../utils/quoteText.js';
import type { ShownProblem } from './english/teamFile.js';
import { type Catalogue, words } from './words.js';

const MAX_LINES = 50;
/** Characters of an example: a whole command line of usual length. */
const MAX_EXAMPLE = 240;

type TeamFileText = Catalogue['teamFile'];

/**
 * Formats a line for each problem: `huddle.jsonc:12:7 members[1] "max": … [NAME_INVALID]`.
 * `file` is the path as the reader can open it.
 */
export function formatTeamProblems(problems: readonly TeamProblem[], file?: string): string {
  const lines = problems.slice(0, MAX_LINES).map((problem) => formatProblem(problem, file));
  const more = problems.length - lines.length;
  return (more > 0 ? [...lines, words.teamFile.more(more)] : lines).join('\n');
}

/** The same with a line above that says what is not valid. */
export function formatInvalidTeam(problems: readonly TeamProblem[], file?: string): string {
  const lines = formatTeamProblems(problems, file);
  if (problems.some(({ code }) => code === 'FILE_UNREADABLE')) return lines;
  const { invalid, invalidTeam } = words.teamFile;
  return `${file === undefined ? invalidTeam : invalid(showInvisible(file))}\n${lines}`;
}

/**
 * The sentence of a problem, without its place in the file and its code.
 *
 * @example
 * ```ts
 * const result = resolveTeam(JSON.parse(text));
 * if (!result.ok) for (const problem of result.problems) console.error(describeTeamProblem(problem));
 * ```
 */
export function describeTeamProblem(problem: TeamProblem): string {
  return describeIn(words.teamFile, problem);
}

/** A value from a file as one short line that is safe to print on a terminal. */
export function quoteValue(value: unknown, text: TeamFileText = words.teamFile): string {
  if (Array.isArray(value)) return text.list;
  if (typeof value === 'object' && value !== null) return text.object;
  return typeof value === 'string' ? quoteText(shortenText(value)) : showInvisible(String(value));
}

/** The sentence in one language; an unreadable file is called by its path. */
export function describeIn(text: TeamFileText, problem: TeamProblem, file?: string): string {
  const { member, field } = locate(text, problem, file);
  const shown: ShownProblem = {
    ...problem,
    field,
    value: quoteValue(problem.value, text),
    choices: 'choices' in problem ? (problem.choices ?? []).map((choice) => quoteValue(choice, text)) : [],
  };
  const sentence = withAdvice(text, problem, describeShown(text, shown));
  return member === undefined ? sentence : text.inMember(member, sentence);
}

function formatProblem(problem: TeamProblem, file: string | undefined): string {
  const { position, code } = problem;
  const place = [file === undefined ? [] : showInvisible(file), position?.line ?? [], position?.column ?? []];
  return words.teamFile.line(
    position === undefined ? '' : place.flat().join(':'),
    describeIn(words.teamFile, problem, file),
    code,
  );
}

function describeShown(text: TeamFileText, problem: ShownProblem): string {
  // The compiler does not see that the code of a problem chooses the sentence that takes it.
  const sentence = text.problems[problem.code] as (problem: ShownProblem) => string;
  return sentence(problem);
}

/** Adds the right value to the sentence about the wrong one. */
function withAdvice(text: TeamFileText, problem: TeamProblem, sentence: string): string {
  if ('isQuoted' in problem && problem.isQuoted) return text.removeQuotes(sentence);
  if ('example' in problem && problem.example !== undefined)
    return text.write(sentence, showInvisible(shortenText(formatExample(problem.example), MAX_EXAMPLE)));
  if ('use' in problem && problem.use !== undefined) return text.use(sentence, quoteText(problem.use));
  if ('suggestion' in problem && problem.suggestion !== undefined)
    return text.didYouMean(sentence, quoteText(problem.suggestion));
  return sentence;
}

/** JSON on one line, with the blanks that people write. `…` stands for more of the same. */
function formatExample(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(formatExample).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(([key, field]) =>
    key === '…' ? key : `${JSON.stringify(key)}: ${formatExample(field)}`,
  );
  return `{ ${fields.join(', ')} }`;
}

interface ShownPlace {
  /** `members[1] "max"`, if the field is one of a member. */
  readonly member?: string;
  readonly field: string;
}

function locate(text: TeamFileText, { code, pointer, member: name }: TeamProblem, file?: string): ShownPlace {
  const steps = pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const [list, index = '', ...rest] = steps;
  if (list === undefined)
    return { field: code === 'FILE_UNREADABLE' && file !== undefined ? showInvisible(file) : text.wholeFile };
  const quote = (path: string): string => (code === 'UNKNOWN_FIELD' ? quoteText(path) : `\`${path}\``);
  if (list !== 'members' || index === '') return { field: quote(joinPath(steps)) };
  const member = `members[${index}]${name === undefined ? '' : ` ${quoteText(shortenText(name))}`}`;
  return rest.length === 0 ? { field: member } : { member, field: quote(joinPath(rest)) };
}

/** `['command', '1']` → `command[1]`, `['limits', 'queue']` → `limits.queue`. */
function joinPath(steps: readonly string[]): string {
  const path = steps.map((step, index) =>
    index > 0 && /^\d+$/u.test(step) ? `[${step}]` : `${index === 0 ? '' : '.'}${step}`,
  );
  return showInvisible(shortenText(path.join('')));
}
