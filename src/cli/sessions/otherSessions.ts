import { describeError } from '../../catalogue/errors.js';
import { words } from '../../catalogue/words.js';
import { HuddleError } from '../../models/errors.js';
import type { ConversationId } from '../../models/ids.js';
import { sanitizeForTerminal } from '../../utils/sanitize.js';
import { type CliContext, say } from '../start/CliContext.js';
import type { ChosenTeam } from '../team/chooseTeam.js';
import { loadSession, type StoredSession } from './loadSession.js';
import { pickSession } from './pickSession.js';
import { requireSameTeam, warnOfGone, warnOfRoles } from './resumeSession.js';
import { listStored, withSession, withStore } from './storedSessions.js';

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

/** The session that was found before, as it is now; warns of members it has lost, and of changed roles. */
export async function loadOther(id: string, chosen: ChosenTeam, context: CliContext): Promise<StoredSession> {
  const session = await withSession(id, context, loadSession);
  warnOfGone(requireSameTeam(session, chosen.team), context);
  await warnOfRoles(session, chosen, context);
  return session;
}

/** The session that the user picks. One that cannot be continued here is explained; then, as after a cancelled pick, there is none. */
export async function pickOther(
  leftId: ConversationId,
  chosen: ChosenTeam,
  context: CliContext,
  plain: boolean | undefined,
): Promise<StoredSession | undefined> {
  const id = await pickSession(context, { ...(plain !== undefined && { plain }) });
  if (id === undefined || id === leftId) return undefined;
  try {
    await findOther(id, leftId, chosen, context);
    return await loadOther(id, chosen, context);
  } catch (error) {
    if (!(error instanceof HuddleError)) throw error;
    say(context, words.cli.error(error.code, sanitizeForTerminal(describeError(error))));
    return undefined;
  }
}

/** Whether this folder has another session in which something was said. */
export async function hasOthers(currentId: ConversationId, context: CliContext): Promise<boolean> {
  const folders = await context.project.folders();
  return withStore(context, async (store) => {
    for await (const { id, state } of listStored(store, folders))
      if (id !== currentId && state !== 'empty' && state !== 'open') return true;
    return false;
  });
}

function refusal(message: string): HuddleError {
  return new HuddleError('UNKNOWN_CONVERSATION', message);
}
