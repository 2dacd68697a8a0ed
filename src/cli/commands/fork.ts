import { words } from '../../catalogue/words.js';
import { describeFork, type ForkRequest, forkSession, type SavedFork } from '../sessions/forkSession.js';
import { type CliContext, print, say } from '../start/CliContext.js';
import { EXIT_CODES } from '../start/exitCodes.js';
import { huddleHere } from '../team/chooseStore.js';

/** Saves a copy of a session up to a message, which continues on its own: `huddle -c` leads there from now on. */
export async function fork(request: ForkRequest, context: CliContext): Promise<number> {
  const saved = await forkSession(request, context);
  printFork(saved, request, context);
  if (saved.kept.length > 0) say(context, words.sessions.toRetry(saved.id, huddleHere(context)));
  say(context, words.sessions.toContinue(saved.id, huddleHere(context)));
  return EXIT_CODES.done;
}

/** Its id is the result, all else are notes. */
export function printFork(saved: SavedFork, { at, before }: ForkRequest, context: CliContext): void {
  print(context, words.forks.forked(saved.id));
  for (const line of describeFork(saved, at ?? before)) say(context, line);
}
