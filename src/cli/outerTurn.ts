import { statSync } from 'node:fs';
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

/** Refuses inside any turn to let `--trust` stand for the word of a person. */
export function requireVoucher({ env }: CliContext): void {
  const [turn] = findOuterTurns(env);
  if (turn !== undefined) throw nested(words.nested.onlyPeople, turn);
}

/** Refuses what only people may do inside a turn that uses the same data folder. Nothing goes past this. */
export function requirePerson({ env, dataFolder }: CliContext): void {
  const turn = findOuterTurns(env).find((outer) => isSameFolder(outer.dataFolder, dataFolder));
  if (turn !== undefined) throw nested(words.nested.onlyPeople, turn);
}

function nested(sentence: (turn: string) => string, { name }: OuterTurn): HuddleError {
  return new HuddleError('NESTED', sentence(sanitizeToOneLine(name ?? words.nested.someTurn)));
}

/** Whether two paths are one folder: a link leads to the same place. A turn that does not say which it uses may use this one. */
function isSameFolder(folder: string | undefined, other: string): boolean {
  if (folder === undefined || folder === other) return true;
  const [one, two] = [folder, other].map((path) => statSync(path, { throwIfNoEntry: false }));
  return one !== undefined && one.dev === two?.dev && one.ino === two.ino;
}
