import { findOuterTurns, type OuterTurn } from '../../agents/process/environment.js';
import { words } from '../../catalogue/words.js';
import { HuddleError } from '../../models/errors.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';
import type { CliContext } from '../start/CliContext.js';

/** Refuses to start agents inside a turn of Huddle: a member that asks the team that starts the member has no end. */
export function requireUnnested({ env }: CliContext): void {
  const [turn] = findOuterTurns(env);
  if (turn !== undefined) throw nested('noAgents', turn);
}

/** Refuses what only people may do inside any turn, whatever data folder it uses. Nothing goes past this. */
export function requirePerson({ env }: CliContext): void {
  const [turn] = findOuterTurns(env);
  if (turn !== undefined) throw nested('onlyPeople', turn);
}

function nested(sentence: 'noAgents' | 'onlyPeople', { name }: OuterTurn): HuddleError {
  return new HuddleError('NESTED', () =>
    words.nested[sentence](sanitizeToOneLine(name ?? words.nested.someTurn)),
  );
}
