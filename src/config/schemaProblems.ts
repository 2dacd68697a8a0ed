import type { z } from 'zod';
import { nearest } from '../utils/nearest.js';
import { quoteValue } from './quoteValue.js';
import { formatPointer, type TeamProblem, type TeamProblemCode } from './TeamProblem.js';
import { FIELDS } from './teamSchema.js';

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** Finds the fields that the object at a path of a file may have. */
type FieldsAt = (file: unknown, path: Path) => readonly string[];

/** Turns what the schema found into problems. `file` is the whole value that was checked. */
export function describeIssue(file: unknown, issue: Issue, fieldsAt: FieldsAt = teamFieldsAt): TeamProblem[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => unknownField(issue.path, key, fieldsAt(file, issue.path)));
  const inside = issue.code === 'invalid_union' ? findInside(issue) : [];
  if (inside.length > 0) return inside.flatMap((part) => describeIssue(file, part, fieldsAt));
  return [describeValue(file, issue.path, judge(issue))];
}

/** The one key that a record of the schema passes over in silence. */
export function findUnreadPrice(file: unknown): TeamProblem[] {
  const path = ['prices', '__proto__'];
  if (valueAt(file, path) === undefined) return [];
  const reason = 'is not the name of a model';
  return [{ code: 'UNKNOWN_FIELD', pointer: formatPointer(path), value: '__proto__', reason }];
}

/** Problem of one value; `choices` are the allowed ones. */
interface Verdict {
  readonly code: TeamProblemCode;
  readonly reason: string;
  readonly choices?: readonly unknown[];
}

function judge(issue: Issue): Verdict {
  switch (issue.code) {
    case 'invalid_value':
      return notAmong(issue.values);
    case 'invalid_union':
      return 'options' in issue && issue.options !== undefined
        ? notAmong(issue.options)
        : { code: 'WRONG_TYPE', reason: 'must be text or a list of texts' };
    case 'invalid_type':
      return { code: 'WRONG_TYPE', reason: `must be ${TYPE_NAMES[issue.expected] ?? issue.expected}` };
    case 'too_small':
    case 'too_big':
      return { code: 'OUT_OF_RANGE', reason: describeBound(issue) };
    case 'custom':
      return { code: 'OUT_OF_RANGE', reason: issue.message };
    case 'invalid_key':
      return { code: 'UNKNOWN_FIELD', reason: 'must have a name' };
    default:
      return { code: 'WRONG_TYPE', reason: issue.message };
  }
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

function notAmong(choices: readonly unknown[]): Verdict {
  const quoted = choices.map(quoteValue);
  const reason = quoted.length === 1 ? `must be ${quoted[0]}` : `must be one of ${quoted.join(', ')}`;
  return { code: 'UNKNOWN_VALUE', reason, choices };
}

function describeBound(issue: Issue & { code: 'too_small' | 'too_big' }): string {
  const unit = BOUND_UNITS[issue.origin] ?? '';
  if (issue.code === 'too_big') return `must be at most ${issue.maximum}${unit}`;
  if (unit !== '') return 'must not be empty';
  return `must be ${issue.inclusive ? 'at least' : 'more than'} ${issue.minimum}`;
}

const BOUND_UNITS: Readonly<Record<string, string>> = { string: ' characters', array: ' entries' };

/** Picks the alternative that got further than the value itself: it explains best what is wrong. */
function findInside({ path, errors }: Issue & { code: 'invalid_union' }): readonly Issue[] {
  const inside = errors.find((issues) => issues.some((issue) => issue.path.length > 0)) ?? [];
  return inside.map((issue) => ({ ...issue, path: [...path, ...issue.path] }));
}

/** A field that is not there at all is missing, whatever else the schema would have said of it. */
function describeValue(file: unknown, path: Path, { code, reason, choices = [] }: Verdict): TeamProblem {
  const pointer = formatPointer(path);
  const value = valueAt(file, path);
  if (value === undefined)
    return { code: 'MISSING_FIELD', pointer, value, reason: `is missing; it ${reason}` };
  const suggestion = typeof value === 'string' ? nearest(value, choices.map(String)) : undefined;
  return { code, pointer, value, reason, ...(suggestion !== undefined && { suggestion }) };
}

function unknownField(path: Path, key: string, fields: readonly string[]): TeamProblem {
  const suggestion = nearest(key, fields);
  return {
    code: 'UNKNOWN_FIELD',
    pointer: formatPointer([...path, key]),
    value: key,
    reason: 'is not a field of this object',
    ...(suggestion !== undefined && { suggestion }),
  };
}

function teamFieldsAt(file: unknown, path: Path): readonly string[] {
  switch (path[0]) {
    case undefined:
      return FIELDS.team;
    case 'members':
      return valueAt(file, [...path, 'type']) === 'human' ? FIELDS.human : FIELDS.ai;
    case 'prices':
      return FIELDS.price;
    case 'routing':
    case 'limits':
    case 'context':
      return FIELDS[path[0]];
    default:
      return [];
  }
}

/** Own properties only. */
function valueAt(value: unknown, path: Path): unknown {
  let current = value;
  for (const step of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, step)) return undefined;
    current = Reflect.get(current, step);
  }
  return current;
}
