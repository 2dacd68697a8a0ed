import { words } from '../../catalogue/words.js';
import { formatTable } from '../../frontends/lines/formatTable.js';
import { quoteForShell } from '../../utils/quoteForShell.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';
import { describeFork, type ForkRequest, forkSession, type SavedFork } from '../sessions/forkSession.js';
import { listMessages } from '../sessions/listMessages.js';
import { withSession } from '../sessions/storedSessions.js';
import { type CliContext, print, say } from '../start/CliContext.js';
import { EXIT_CODES } from '../start/exitCodes.js';
import { UsageError } from '../start/reportError.js';
import { huddleHere } from '../team/chooseStore.js';
import { canChat, resumeChat } from './chat.js';

/** Saves a copy of a session up to a message, which continues on its own: `huddle -c` leads there from now on. */
export async function fork(request: ForkRequest, context: CliContext): Promise<number> {
  const saved = await forkSession(request, context);
  printFork(saved, request, context);
  if (saved.kept.length > 0) say(context, words.sessions.toRetry(saved.id, huddleHere(context)));
  say(context, words.sessions.toContinue(saved.id, huddleHere(context)));
  return EXIT_CODES.done;
}

/** Its id is the result, all else are notes. */
function printFork(saved: SavedFork, { at, before }: ForkRequest, context: CliContext): void {
  print(context, words.forks.forked(saved.id));
  for (const line of describeFork(saved, at ?? before)) say(context, line);
}

interface RewindFlags {
  readonly session?: string;
  /** The last message that stays. */
  readonly to?: string;
  readonly plain?: boolean;
}

/** Messages that are listed for one to choose from. */
const MOST_LISTED = 10;

/** Goes back to a message: forks there and continues in the fork. What was said stays where it was. */
export async function rewind({ session, to, plain }: RewindFlags, context: CliContext): Promise<number> {
  if (to === undefined) throw await askWhere(session, context);
  const request = { session, at: to };
  const saved = await forkSession(request, context);
  printFork(saved, request, context);
  if (canChat(context)) return resumeChat({ id: saved.id, plain }, context);
  say(context, words.sessions.toContinue(saved.id, huddleHere(context)));
  return EXIT_CODES.done;
}

/** The latest messages, of which the user may have meant one. */
async function askWhere(session: string | undefined, context: CliContext): Promise<UsageError> {
  return withSession(session, context, async ({ reader, summary }) => {
    const listed = await listMessages(reader.read(), MOST_LISTED);
    const rows = listed.map(({ id, name, text }) => [id, words.joining.labelled(name, text)]);
    const [, ...lines] = formatTable(
      [{ head: '' }, { head: '' }],
      rows.map((row) => row.map(sanitizeToOneLine)),
    ).split('\n');
    const [newest] = listed;
    if (newest === undefined) return new UsageError(words.forks.empty(summary.id));
    const { whichMessage, rewindWith } = words.forks;
    const command = `huddle rewind ${quoteForShell(summary.id)} --to ${quoteForShell(newest.id)}`;
    const rowsOfList = lines.map((line) => `  ${line}`);
    return new UsageError([whichMessage, ...rowsOfList, rewindWith(command)].join('\n'));
  });
}
