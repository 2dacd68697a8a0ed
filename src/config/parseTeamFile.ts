import { createScanner, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import type { SyntaxFault, TeamProblem } from '../models/TeamProblem.js';
import { createPositionFinder, type Position } from '../utils/linePositions.js';

/** The parser is recursive, so nesting is checked before it runs. */
const MAX_DEPTH = 64;

export type ParsedTeamFile =
  | {
      readonly ok: true;
      readonly value: unknown;
      readonly locate: Locate;
      /** Number of the line with the field of a JSON pointer. */
      readonly lineOf: (pointer: string) => number | undefined;
    }
  | { readonly ok: false; readonly problems: readonly TeamProblem[] };

/** The same problem with its place in the text. */
export type Locate = (problem: TeamProblem) => TeamProblem;

/** JSON with comments and trailing commas → plain data. Text that is not that is described, never repaired. */
export function parseTeamFile(text: string): ParsedTeamFile {
  const positionAt = createPositionFinder(text);
  const deepOffset = findTooDeep(text);
  if (deepOffset !== undefined) return { ok: false, problems: [tooDeep(positionAt(deepOffset))] };

  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  if (root === undefined || errors.length > 0) {
    return { ok: false, problems: describeSyntax(text, errors, positionAt) };
  }

  const places: Places = new Map();
  const duplicates: TeamProblem[] = [];
  const value = readNode(root, '', { places, duplicates });
  const locate: Locate = (problem) => ({ ...problem, position: positionAt(findOffset(places, problem)) });
  const lineOf = (pointer: string): number | undefined => {
    const place = places.get(pointer);
    return place && positionAt(place.key).line;
  };
  return duplicates.length > 0
    ? { ok: false, problems: duplicates.map(locate) }
    : { ok: true, value, locate, lineOf };
}

/** Offset of the first bracket beyond the depth limit. Brackets in strings and comments do not count. */
function findTooDeep(text: string): number | undefined {
  const scanner = createScanner(text, true);
  let depth = 0;
  do {
    scanner.scan();
    const offset = scanner.getTokenOffset();
    const first = text[offset];
    if (first === '{' || first === '[') depth++;
    if (first === '}' || first === ']') depth--;
    if (depth > MAX_DEPTH) return offset;
  } while (scanner.getPosition() < text.length);
  return undefined;
}

function tooDeep(position: Position): TeamProblem {
  return { code: 'SYNTAX', pointer: '', value: MAX_DEPTH, fault: 'too-deep', position };
}

/** Offset of each JSON pointer in the text. */
type Places = Map<string, { readonly key: number; readonly value: number }>;

interface Reading {
  readonly places: Places;
  readonly duplicates: TeamProblem[];
}

/** Keys become own properties whatever they are called: `__proto__` is data here. */
function readNode(node: Node, pointer: string, reading: Reading, keyOffset = node.offset): unknown {
  reading.places.set(pointer, { key: keyOffset, value: node.offset });
  const children = node.children ?? [];
  if (node.type === 'array') {
    return children.map((child, index) => readNode(child, pointer + formatPointer([index]), reading));
  }
  if (node.type !== 'object') return node.value;
  return Object.fromEntries(children.map((property) => readProperty(property, pointer, reading)));
}

function readProperty(property: Node, parent: string, reading: Reading): readonly [string, unknown] {
  const [key, value] = property.children ?? [];
  if (key === undefined || value === undefined)
    throw new TypeError('text without errors has whole properties');
  const pointer = parent + formatPointer([key.value]);
  if (reading.places.has(pointer)) {
    reading.duplicates.push({ code: 'DUPLICATE_KEY', pointer, value: undefined });
  }
  return [key.value, readNode(value, pointer, reading, property.offset)];
}

/** A key that is wrong is marked itself, a field that is missing at the object that should have it. */
function findOffset(places: Places, { code, pointer }: TeamProblem): number {
  const place = places.get(pointer);
  if (place !== undefined) {
    return code === 'UNKNOWN_FIELD' || code === 'DUPLICATE_KEY' ? place.key : place.value;
  }
  return places.get(pointer.slice(0, pointer.lastIndexOf('/')))?.value ?? 0;
}

/** `['members', 1]` → `/members/1`, a JSON pointer (RFC 6901). */
export function formatPointer(path: readonly PropertyKey[]): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** The value at a path, by own properties only. */
export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let current = value;
  for (const step of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, step)) return undefined;
    current = Reflect.get(current, step);
  }
  return current;
}

/** Turns errors of the parser into problems: the first of each line, since the others follow from it. */
function describeSyntax(
  text: string,
  errors: readonly ParseError[],
  positionAt: (offset: number) => Position,
): readonly TeamProblem[] {
  const start = findStart(text);
  const wholeFile = judgeStart(text.slice(start));
  if (wholeFile !== undefined) return [syntaxProblem(wholeFile, undefined, positionAt(start))];
  const lines = new Set<number>();
  return errors.flatMap((error, index) => {
    const position = positionAt(error.offset);
    if (lines.has(position.line) || isConsequence(error, errors[index - 1])) return [];
    lines.add(position.line);
    const near = text.slice(error.offset, error.offset + error.length).replace(/^"|"$/gu, '');
    const fault = error.length === 0 ? judgeEnd(error) : judge(error, near, errors[index + 1]);
    return [syntaxProblem(fault, error.length === 0 ? undefined : near, position)];
  });
}

/** Blanks, comments, and what people take for comments. */
const BEFORE_START = /^(?:\s+|\/\/.*|\/\*[\s\S]*?\*\/|#.*)*/u;
/** `version: 1`, `---` */
const YAML = /^(?:---|[\w-]+:(?:\s|$))/u;

function findStart(text: string): number {
  return BEFORE_START.exec(text)?.[0].length ?? 0;
}

/** Judges a file that does not begin as JSON does. */
function judgeStart(text: string): SyntaxFault | undefined {
  if (text === '') return 'empty';
  if (YAML.test(text)) return 'yaml';
  return /^[{["\d-]|^(?:true|false|null)\b/u.test(text) ? undefined : 'not-json';
}

/** Names the bracket that is missing at the end of the file: the innermost one is missed first. */
function judgeEnd(error: ParseError): SyntaxFault {
  return nameOf(error) === 'CloseBracketExpected' ? 'bracket' : 'brace';
}

function judge(error: ParseError, near: string, next: ParseError | undefined): SyntaxFault {
  const name = nameOf(error);
  if (name === 'CommaExpected' && /^[}\]]/u.test(near)) return 'extra-bracket';
  return name === 'InvalidSymbol' ? judgeSymbol(near, next) : (FAULTS[name] ?? 'unexpected');
}

function judgeSymbol(symbol: string, next: ParseError | undefined): SyntaxFault {
  if (/^'.*'$/u.test(symbol)) return 'single-quotes';
  if (/^[\u201c\u201d].*[\u201c\u201d]$/u.test(symbol)) return 'curly-quotes';
  if (symbol.startsWith('#')) return 'hash-comment';
  return next !== undefined && nameOf(next) === 'PropertyNameExpected' ? 'unquoted-name' : 'unexpected';
}

/** Looking for a name, the parser passes over the value as well, and then misses it, maybe lines below. */
function isConsequence(error: ParseError, before: ParseError | undefined): boolean {
  return (
    nameOf(error) === 'ValueExpected' && before !== undefined && nameOf(before) === 'PropertyNameExpected'
  );
}

function nameOf({ error }: ParseError): string {
  return printParseErrorCode(error);
}

/** By the parser's own names of its errors. */
const FAULTS: Readonly<Record<string, SyntaxFault>> = {
  InvalidNumberFormat: 'number',
  PropertyNameExpected: 'field-name',
  ValueExpected: 'field-value',
  ColonExpected: 'colon',
  CommaExpected: 'comma',
  CloseBraceExpected: 'brace',
  CloseBracketExpected: 'bracket',
  EndOfFileExpected: 'after-end',
  UnexpectedEndOfComment: 'open-comment',
  UnexpectedEndOfString: 'open-text',
  UnexpectedEndOfNumber: 'number',
  InvalidUnicode: 'backslash',
  InvalidEscapeCharacter: 'backslash',
  InvalidCharacter: 'control-character',
};

function syntaxProblem(fault: SyntaxFault, value: string | undefined, position: Position): TeamProblem {
  return { code: 'SYNTAX', pointer: '', value, fault, position };
}
