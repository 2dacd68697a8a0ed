import { type ParseError, printParseErrorCode } from 'jsonc-parser';
import type { SyntaxFault, TeamProblem } from '../models/TeamProblem.js';
import type { Position } from '../utils/linePositions.js';

/** Turns errors of the parser into problems: the first of each line, since the others follow from it. */
export function describeSyntax(
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
