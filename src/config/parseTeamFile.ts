import { createScanner, type Node, type ParseError, parseTree } from 'jsonc-parser';
import type { TeamProblem } from '../models/TeamProblem.js';
import { createPositionFinder, type Position } from '../utils/linePositions.js';
import { formatPointer } from './pointers.js';
import { describeSyntax } from './syntaxProblems.js';

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
