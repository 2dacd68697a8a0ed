import { findOuterTurns, type OuterTurn } from '../agents/process/findOuterTurn.js';
import { words } from '../catalogue/words.js';
import { HuddleError } from '../models/errors.js';
import { sanitizeToOneLine } from '../utils/sanitize.js';
import type { CliContext } from './CliContext.js';

/** Refuses to start agents inside a turn of Huddle: a member that asks the team that starts the member has no end. */
export function requireUnnested({ env }: CliContext): void {
  const [turn] = findOuterTurns(env);
  if (turn !== undefined) throw nested(words.nested.noAgents, turn);
}

/** Refuses what only people may do inside any turn, whatever data folder it uses. Nothing goes past this. */
export function requirePerson({ env }: CliContext): void {
  const [turn] = findOuterTurns(env);
  if (turn !== undefined) throw nested(words.nested.onlyPeople, turn);
}

function nested(sentence: (turn: string) => string, { name }: OuterTurn): HuddleError {
  return new HuddleError('NESTED', sentence(sanitizeToOneLine(name ?? words.nested.someTurn)));
}
