import { describeError } from '../../catalogue/errors.js';
import { words } from '../../catalogue/words.js';
import { hasWork } from '../../conversation/questions.js';
import type { Conversation } from '../../coordinator/Conversation.js';
import { describeSessionStatus } from '../../frontends/print/sentences.js';
import { HuddleError } from '../../models/errors.js';
import type { ConversationId } from '../../models/ids.js';
import type { Team } from '../../models/Team.js';
import { sanitizeForTerminal, sanitizeToOneLine } from '../../utils/sanitize.js';
import { type CliContext, print, say } from '../start/CliContext.js';
import { EXIT_CODES } from '../start/exitCodes.js';
import type { RunFlags } from '../start/RunFlags.js';
import { requireNoSlip } from '../start/readMessage.js';
import { chooseStore, huddleHere } from '../team/chooseStore.js';
import { type ChosenTeam, chooseTeam } from '../team/chooseTeam.js';
import { loadSession, type StoredSession } from './loadSession.js';
import { pickSession } from './pickSession.js';
import { runConversation } from './runConversation.js';
import { listStored, orExplain, withSession, withStore } from './storedSessions.js';

export interface SessionSelection extends Omit<RunFlags, 'outputFormat' | 'final'> {
  /** Id of the session; the latest by default. */
  readonly id?: string;
  readonly takeOver?: boolean;
}

interface ResumeSessionOptions extends SessionSelection, Pick<RunFlags, 'outputFormat' | 'final'> {
  readonly begin: (conversation: Conversation) => Promise<unknown>;
}

/** Shows the status of a stored conversation and continues it, with the team as it is now. */
export async function resumeSession(options: ResumeSessionOptions, context: CliContext): Promise<number> {
  const { session, ...chosen } = await chooseSession(options, context);
  requireNoSlip(options, chosen.team);
  const { summary, status, nameOf } = session;
  const { id, messages, title } = summary;
  say(context, words.sessions.continuing(id, messages, title));
  for (const line of describeSessionStatus(status, nameOf, summary.holder, words))
    say(context, sanitizeToOneLine(line));
  const { begin, outputFormat, final, debugFile, takeOver } = options;
  const rehearsal = chosen.isRehearsal ? {} : undefined;
  const persistence = { id, takeOver };
  const settings = { ...chosen, rehearsal, begin, outputFormat, final, debugFile, persistence };
  return orExplain(summary, context, () => runConversation(settings, context));
}

/** Shows the status of a stored conversation and how to continue it, and changes nothing. */
export async function showStatus(wanted: string | undefined, context: CliContext): Promise<number> {
  const { summary, status, nameOf } = await withSession(wanted, context, loadSession);
  const { id, messages, title, state } = summary;
  const { continuing, toContinue, toRetry, openNow } = words.sessions;
  print(context, continuing(id, messages, title));
  if (state === 'open') {
    print(context, openNow);
    return EXIT_CODES.done;
  }
  for (const line of describeSessionStatus(status, nameOf, summary.holder, words))
    print(context, sanitizeToOneLine(line));
  const huddle = huddleHere(context);
  if (hasWork(status.state)) say(context, toRetry(id, huddle));
  say(context, toContinue(id, huddle));
  return EXIT_CODES.done;
}

/** A stored conversation, and the team as it is now, which is the team it was held with. */
export async function chooseSession(
  options: SessionSelection,
  context: CliContext,
): Promise<ChosenTeam & { readonly session: StoredSession }> {
  const session = await withSession(options.id, context, loadSession);
  const { isRehearsal } = session.summary;
  const chosen = await chooseTeam({ ...options, isRehearsal }, context);
  warnOfGone(requireSameTeam(session, chosen.team), context);
  await warnOfRoles(session, chosen, context);
  return { ...chosen, session };
}

/**
 * Warns of people who have another role in the team file than when the conversation began: only its first event says who is
 * who in it, so that no one can become somebody else later.
 */
async function warnOfRoles(
  { members }: StoredSession,
  { team, teamFile }: Pick<ChosenTeam, 'team' | 'teamFile'>,
  context: CliContext,
): Promise<void> {
  if (teamFile === undefined || (await chooseStore(context)) === undefined) return;
  for (const person of team.members) {
    if (person.type !== 'human') continue;
    const { id, name, role: now = id } = person;
    const before = members.find((member) => member.id === id)?.role ?? id;
    if (now !== before)
      say(context, words.cli.warning(sanitizeToOneLine(words.sessions.roleChanged(name, before, now))));
  }
}

/** Warns of members of a stored conversation that are no longer in the team. */
function warnOfGone(names: readonly string[], context: CliContext): void {
  if (names.length > 0) say(context, words.cli.warning(sanitizeToOneLine(words.sessions.membersGone(names))));
}

/**
 * Refuses to continue with strangers: another folder has another team, and that is never what was meant. Returns the names
 * of the agents that are no longer in the team.
 */
export function requireSameTeam({ summary, members }: StoredSession, team: Team): readonly string[] {
  const agents = members.filter(({ type }) => type === 'ai');
  const gone = agents.filter(({ id }) => !team.members.some((member) => member.id === id));
  const names = gone.map(({ name }) => name);
  if (gone.length > 0 && gone.length === agents.length)
    throw new HuddleError('OTHER_TEAM', () => words.sessions.otherTeam(summary.id, names, summary.folder));
  return names;
}

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
  const id = await pickSession(context, { plain });
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
