import type { core } from 'zod/mini';
import { OFFERED_AGENT_TYPES } from '../models/knownPrograms.js';
import type { Bound, ExpectedType, ProblemAdvice, TeamProblem } from '../models/TeamProblem.js';
import { nearest } from '../utils/nearest.js';
import { formatPointer, valueAt } from './parseTeamFile.js';
import {
  findAcpCommand,
  findAgentTypeOfModel,
  findMeantField,
  findMeantValue,
  memberNamed,
} from './synonyms.js';
import { FIELDS } from './teamSchema.js';

type Issue = core.$ZodIssue;
type Path = readonly PropertyKey[];

/** Describes a field that the object at a path does not have. */
type DescribeUnknown = (file: unknown, path: Path, key: string) => TeamProblem;

/** Turns what the schema found into problems. `file` is the whole value that was checked. */
export function describeIssue(
  file: unknown,
  issue: Issue,
  describeUnknown: DescribeUnknown = unknownField,
): TeamProblem[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => describeUnknown(file, issue.path, key));
  const inside = issue.code === 'invalid_union' ? findInside(issue) : [];
  if (inside.length > 0) return inside.flatMap((part) => describeIssue(file, part, describeUnknown));
  return [describeValue(issue, { pointer: formatPointer(issue.path), value: valueAt(file, issue.path) })];
}

/** The one key that a record of the schema passes over in silence. */
export function findUnreadPrice(file: unknown): TeamProblem[] {
  const path = ['prices', '__proto__'];
  if (valueAt(file, path) === undefined) return [];
  return [{ code: 'UNKNOWN_FIELD', pointer: formatPointer(path), value: '__proto__', isModel: true }];
}

/** Picks the alternative that got further than the value itself: it explains best what is wrong. */
function findInside({ path, errors }: Issue & { code: 'invalid_union' }): readonly Issue[] {
  const inside = errors.find((issues) => issues.some((issue) => issue.path.length > 0)) ?? [];
  return inside.map((issue) => ({ ...issue, path: [...path, ...issue.path] }));
}

interface Place {
  readonly pointer: string;
  readonly value: unknown;
}

/** A field that is not there at all is missing, whatever else the schema would have said of it. */
function describeValue(issue: Issue, place: Place): TeamProblem {
  const field = String(issue.path.at(-1) ?? '');
  const choices = choicesOf(issue, field);
  if (place.value === undefined)
    return {
      code: 'MISSING_FIELD',
      ...place,
      choices: choices && offered(field, choices),
    };
  if (choices !== undefined) {
    const advice = adviseOnValue(field, place.value, choices);
    return { code: 'UNKNOWN_VALUE', ...place, choices: offered(field, choices), ...advice };
  }
  switch (issue.code) {
    case 'too_small':
    case 'too_big':
      return { code: 'OUT_OF_RANGE', ...place, bound: boundOf(issue) };
    case 'custom':
      return { code: 'OUT_OF_RANGE', ...place, bound: issue.params?.bound };
    case 'invalid_key':
      return { code: 'UNKNOWN_FIELD', ...place, value: field, isModel: true };
    default: {
      const expected = expectedType(issue, field);
      return { code: 'WRONG_TYPE', ...place, expected, ...adviseOnType(field, place.value, expected) };
    }
  }
}

/** The allowed values, if there are only so many. */
function choicesOf(issue: Issue, field: string): readonly unknown[] | undefined {
  if (issue.code === 'invalid_value') return issue.values;
  if (issue.code !== 'invalid_union' || !('options' in issue)) return undefined;
  return field === 'type' ? ['human', 'ai'] : issue.options;
}

/** The choices as people are told them: of the spellings of an agent type, one for each program. */
function offered(field: string, choices: readonly unknown[]): readonly unknown[] {
  return field === 'agentType' ? OFFERED_AGENT_TYPES : choices;
}

function expectedType(issue: Issue, field: string): ExpectedType {
  if (issue.code === 'invalid_union') return 'text-or-list';
  if (issue.code === 'invalid_format') return issue.path[0] === 'store' ? 'store-name' : 'variable-name';
  if (issue.code !== 'invalid_type') return 'something-else';
  if (issue.expected === 'array' && field !== 'members') return 'list-of-words';
  return EXPECTED_TYPES[issue.expected] ?? 'something-else';
}

const EXPECTED_TYPES: Readonly<Record<string, ExpectedType>> = {
  string: 'text',
  number: 'number',
  int: 'whole-number',
  boolean: 'true-or-false',
  array: 'list',
  object: 'object',
  record: 'object',
};

function boundOf(issue: Issue & { code: 'too_small' | 'too_big' }): Bound {
  if (issue.code === 'too_big')
    return { kind: COUNTED[issue.origin] ?? 'at-most', limit: Number(issue.maximum) };
  if (issue.origin in COUNTED) return { kind: 'not-empty' };
  return { kind: issue.inclusive ? 'at-least' : 'more-than', limit: Number(issue.minimum) };
}

const COUNTED: Readonly<Record<string, 'characters' | 'entries'>> = {
  string: 'characters',
  array: 'entries',
};

function unknownField(file: unknown, path: Path, key: string): TeamProblem {
  const problem = { code: 'UNKNOWN_FIELD', pointer: formatPointer([...path, key]), value: key } as const;
  const kind = kindAt(file, path);
  if (kind === undefined) return problem;
  const parent = kind === 'human' || kind === 'ai' ? [] : path;
  const inParent = (field: string): string => [...parent, field].map(String).join('.');
  const use = findMeantField(kind, key);
  if (use !== undefined) return { ...problem, use: inParent(use) };
  const isElsewhere = kind === 'human' || kind === 'team';
  if (isElsewhere && FIELDS.ai.some((field) => field === key)) return { ...problem, isOfAgents: true };
  const suggestion = nearest(key, FIELDS[kind]);
  return { ...problem, ...(suggestion !== undefined && { suggestion: inParent(suggestion) }) };
}

/** The kind of object at a path. */
function kindAt(file: unknown, path: Path): keyof typeof FIELDS | undefined {
  switch (path[0]) {
    case undefined:
      return 'team';
    case 'members':
      return valueAt(file, [...path, 'type']) === 'human' ? 'human' : 'ai';
    case 'prices':
      return 'price';
    case 'routing':
    case 'limits':
    case 'context':
    case 'files':
      return path[0];
    default:
      return undefined;
  }
}

/** The best that can be said about a value that is not one of a few. */
function adviseOnValue(field: string, value: unknown, choices: readonly unknown[]): ProblemAdvice {
  if (typeof value === 'string' && choices.some((choice) => choice === Number(value)))
    return { isQuoted: true };
  const example = field === 'type' ? memberNamed(value) : undefined;
  if (example !== undefined) return { example };
  const agentType = field === 'agentType' ? findAgentTypeOfModel(value) : undefined;
  if (agentType !== undefined) return { example: { agentType, model: value } };
  const use = findMeantValue(field, value, choices);
  if (use !== undefined) return { use };
  const command = field === 'agentType' ? findAcpCommand(value) : undefined;
  if (command !== undefined) return { example: { agentType: 'acp', command } };
  const suggestion = typeof value === 'string' ? nearest(value, choices.map(String)) : undefined;
  return suggestion === undefined ? {} : { suggestion };
}

/** The way to write a value of another type as the one that was expected. */
function adviseOnType(field: string, value: unknown, expected: ExpectedType): ProblemAdvice {
  const isNumber = expected === 'number' || expected === 'whole-number';
  if (isNumber && typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)))
    return { isQuoted: true };
  if (expected === 'true-or-false' && (value === 'true' || value === 'false')) return { isQuoted: true };
  const example = exampleOf(field, value, expected);
  return example === undefined ? {} : { example };
}

/** Fields that hold a program and its arguments. */
const COMMAND_LINES: ReadonlySet<string> = new Set(['command', 'setup']);

function exampleOf(field: string, value: unknown, expected: ExpectedType): unknown {
  if (expected === 'list-of-words' && typeof value === 'string')
    return COMMAND_LINES.has(field) ? splitCommand(value) : [value];
  if (expected === 'list' && typeof value === 'object' && value !== null) {
    const [name] = Object.keys(value);
    return name === undefined ? undefined : [{ name, '…': '' }];
  }
  if (field === 'check' && typeof value === 'string') return { command: splitCommand(value), check: true };
  if (expected === 'object' && field === 'files' && typeof value === 'boolean') return { record: value };
  const member = expected === 'object' ? memberNamed(value) : undefined;
  return member && { name: value, ...member };
}

/** Characters that only a shell understands. */
const SHELL = /[|&;<>$`*?~]/u;
const WORD = /"(?<double>[^"]*)"|'(?<single>[^']*)'|\S+/gu;

/** A command line as the list of its words; one that needs a shell gets it. */
export function splitCommand(line: string): readonly string[] {
  if (SHELL.test(line)) return ['sh', '-c', line];
  return [...line.matchAll(WORD)].map(({ 0: word, groups }) => groups?.double ?? groups?.single ?? word);
}
