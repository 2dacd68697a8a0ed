import { words } from '../catalogue/words.js';
import type { ListedSession } from '../frontends/tui/session/TerminalOptions.js';
import { HuddleError } from '../models/errors.js';
import type { ConversationId } from '../models/ids.js';
import type { CliContext } from './CliContext.js';
import type { ChosenTeam } from './chooseTeam.js';
import { loadSession, type StoredSession } from './loadSession.js';
import { requireSameTeam, warnOfGone } from './resumeSession.js';
import { findFoldersHere, listStored, withSession, withStore } from './sessions.js';

const MOST_LISTED = 10;

/** A saved session that the team can continue in this process. Throws if there is none, or says why it cannot. */
export async function findOther(
  wanted: string,
  currentId: ConversationId,
  chosen: ChosenTeam,
  context: CliContext,
): Promise<StoredSession> {
  const session = await withSession(wanted, context, loadSession);
  const { id, isRehearsal, state } = session.summary;
  if (id === currentId) throw refusal(words.sessions.sameSession);
  if (state === 'open') throw refusal(words.sessions.openNow);
  // Nothing was trusted for a dry run, and asking for trust needs the terminal.
  if (chosen.isRehearsal && !isRehearsal) throw refusal(words.sessions.notRehearsed(id));
  requireSameTeam(session, chosen.team);
  return session;
}

/** The session that was found before, as it is now; warns of members it has lost. */
export async function loadOther(
  id: string,
  { team }: ChosenTeam,
  context: CliContext,
): Promise<StoredSession> {
  const session = await withSession(id, context, loadSession);
  warnOfGone(requireSameTeam(session, team), context);
  return session;
}

/** The latest sessions of this folder in which something was said, without those that are open. */
export async function listOthers(
  currentId: ConversationId,
  context: CliContext,
): Promise<readonly ListedSession[]> {
  const folders = await findFoldersHere(context);
  return withStore(context, async (store) => {
    const listed: ListedSession[] = [];
    for await (const { id, title, messages, state } of listStored(store, folders)) {
      if (id === currentId || state === 'empty' || state === 'open') continue;
      listed.push({ id, title, messages });
      if (listed.length === MOST_LISTED) break;
    }
    return listed;
  });
}

function refusal(message: string): HuddleError {
  return new HuddleError('UNKNOWN_CONVERSATION', message);
}
