import type { ExpectedType, ProblemAdvice } from '../models/TeamProblem.js';
import { nearest } from '../utils/nearest.js';
import { splitCommand } from './splitCommand.js';
import { findAcpCommand, findAgentTypeOfModel, findMeantValue, memberNamed } from './synonyms.js';

/** The best that can be said about a value that is not one of a few. */
export function adviseOnValue(field: string, value: unknown, choices: readonly unknown[]): ProblemAdvice {
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
export function adviseOnType(field: string, value: unknown, expected: ExpectedType): ProblemAdvice {
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
