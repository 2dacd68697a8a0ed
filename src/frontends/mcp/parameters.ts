import { words } from '../../catalogue/words.js';
import { HuddleError } from '../../models/errors.js';
import { isBlank } from '../../utils/isBlank.js';
import { nearest } from '../../utils/nearest.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';

/** Kinds of arguments, and the values they have when they were read. */
interface Values {
  readonly text: string;
  /** A name, an id or a number: `turn-3`, `3`. */
  readonly word: string;
  readonly names: readonly string[];
  readonly number: number;
  readonly flag: boolean;
  readonly format: 'text' | 'json';
}

/** An argument of a tool. */
export interface Parameter<Kind extends keyof Values = keyof Values> {
  readonly kind: Kind;
  readonly isRequired?: boolean;
  /** The least and the most of a number; the most characters of a text. */
  readonly min?: number;
  readonly max?: number;
}

export type Parameters = Readonly<Record<string, Parameter>>;

/** Arguments of a tool, checked. */
export type Given<Wanted extends Parameters> = {
  readonly [Name in keyof Wanted]: Wanted[Name] extends { readonly isRequired: true }
    ? Values[Wanted[Name]['kind']]
    : Values[Wanted[Name]['kind']] | undefined;
};

/** Characters of a word; none of ours is as long. */
const MAX_WORD = 200;
const MAX_NAMES = 50;

/** Describes arguments for a client. */
export function describeParameters(
  wanted: Parameters,
): Record<string, unknown> & { readonly type: 'object' } {
  const descriptions: Readonly<Record<string, string>> = words.mcp.parameters;
  const properties = Object.entries(wanted).map(([name, parameter]) => [
    name,
    { ...schemaOf(parameter), description: descriptions[name] },
  ]);
  const required = Object.keys(wanted).filter((name) => wanted[name]?.isRequired);
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required,
    additionalProperties: false,
  };
}

function schemaOf({ kind, min, max }: Parameter): object {
  switch (kind) {
    case 'text':
      return { type: 'string', minLength: 1, maxLength: max };
    case 'word':
      return { type: 'string', minLength: 1, maxLength: MAX_WORD };
    case 'names':
      return { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: MAX_NAMES };
    case 'number':
      return { type: 'integer', minimum: min, maximum: max };
    case 'flag':
      return { type: 'boolean' };
    case 'format':
      return { type: 'string', enum: ['text', 'json'] };
  }
}

/**
 * Checks what a client gave. Models are taken as they write: a number may be a text, a single name may stand alone.
 *
 * @throws {@link HuddleError} `INVALID_ARGUMENT`.
 */
export function readArguments<Wanted extends Parameters>(given: unknown, wanted: Wanted): Given<Wanted> {
  const values = (given ?? {}) as Readonly<Record<string, unknown>>;
  const stranger = Object.keys(values).find((name) => !Object.hasOwn(wanted, name));
  if (stranger !== undefined) {
    const names = Object.keys(wanted);
    throw refuse(words.mcp.unknownArgument(sanitizeToOneLine(stranger), nearest(stranger, names), names));
  }
  const read = Object.entries(wanted).map(([name, parameter]) => {
    const value = values[name] ?? undefined;
    if (value !== undefined) return [name, readValue(value, name, parameter)];
    if (parameter.isRequired) throw refuse(words.mcp.missingArgument(name));
    return [name, undefined];
  });
  // Each value was read by the kind that its type follows from.
  return Object.fromEntries(read) as Given<Wanted>;
}

function readValue(value: unknown, name: string, parameter: Parameter): Values[keyof Values] {
  const { min = 0, max = Number.MAX_SAFE_INTEGER } = parameter;
  const { badArgument, expected } = words.mcp;
  switch (parameter.kind) {
    case 'text':
      if (typeof value === 'string' && !isBlank(value) && value.length <= max) return value;
      throw refuse(badArgument(name, expected.text(max)));
    case 'word': {
      const word = typeof value === 'number' ? String(value) : value;
      if (typeof word === 'string' && !isBlank(word) && word.length <= MAX_WORD) return word.trim();
      throw refuse(badArgument(name, expected.word));
    }
    case 'names': {
      const names = Array.isArray(value) ? value : [value];
      const isList = names.length > 0 && names.length <= MAX_NAMES && names.every(isName);
      if (isList) return names.map((each: string) => each.trim());
      throw refuse(badArgument(name, expected.names));
    }
    case 'number': {
      const number = typeof value === 'string' && !isBlank(value) ? Number(value) : value;
      if (Number.isSafeInteger(number) && Number(number) >= min && Number(number) <= max)
        return Number(number);
      throw refuse(badArgument(name, expected.number(min, max)));
    }
    case 'flag':
      if (typeof value === 'boolean') return value;
      if (value === 'true' || value === 'false') return value === 'true';
      throw refuse(badArgument(name, expected.flag));
    case 'format':
      if (value === 'text' || value === 'json') return value;
      throw refuse(badArgument(name, expected.format));
  }
}

function isName(value: unknown): boolean {
  return typeof value === 'string' && !isBlank(value) && value.length <= MAX_WORD;
}

function refuse(message: string): HuddleError {
  return new HuddleError('INVALID_ARGUMENT', message);
}
