import { join } from 'node:path';
import { words } from '../../catalogue/words.js';
import { canRetry } from '../../conversation/questions.js';
import type { Conversation } from '../../coordinator/Conversation.js';
import { describeSessionStatus } from '../../frontends/print/sentences.js';
import { type FrontEnd, isHangUp, releaseTerminal, type TerminalExit } from '../../frontends/tui/FrontEnd.js';
import type {
  SavedForkNotes,
  SessionFacts,
  TerminalOptions,
} from '../../frontends/tui/session/TerminalOptions.js';
import type { ConversationId } from '../../models/ids.js';
import { isShared } from '../../store/postgres/SharedStore.js';
import type { Store } from '../../store/Store.js';
import { readVersion } from '../../utils/readVersion.js';
import { sanitizeForTerminal } from '../../utils/sanitize.js';
import type { StoredSession } from '../sessions/loadSession.js';
import {
  chooseReplies,
  keepDemoScript,
  nextSteps,
  PACE_MILLISECONDS,
  withStateFolder,
} from '../sessions/rehearsal.js';
import {
  chooseSession,
  findOther,
  hasOthers,
  loadOther,
  pickOther,
  type SessionSelection,
} from '../sessions/resumeSession.js';
import { deleteWhole, orExplain } from '../sessions/storedSessions.js';
import { withConversation } from '../sessions/withConversation.js';
import { type CliContext, type Stop, say } from '../start/CliContext.js';
import { EXIT_CODES, exitCodeOfSignal } from '../start/exitCodes.js';
import { showPath } from '../start/paths.js';
import { findStoreName, huddleHere } from '../team/chooseStore.js';
import type { ChosenTeam } from '../team/chooseTeam.js';
import { warnOfMissingPrograms } from '../team/missingPrograms.js';
import { typingAids } from '../typing/typingAids.js';

export interface ChatOptions {
  /** Prints lines only, whatever the terminal can do. */
  readonly plain?: boolean;
  /** A stored conversation to continue; a new one without it. */
  readonly session?: StoredSession;
  readonly takeOver?: boolean;
  /** Sent at once. */
  readonly message?: string;
  readonly debugFile?: string;
}

/** Whether input and output are a terminal, so that a person can talk. */
export function canChat({ stdin, stdout }: CliContext): boolean {
  return stdin.isTTY === true && stdout.isTTY === true;
}

/** Nothing can be painted over in a dumb terminal, and nothing should be in the log of a build. */
export function isPlain({ env }: CliContext): boolean {
  return env.TERM === 'dumb' || Boolean(env.CI);
}

/** Runs a conversation in the terminal, saved like every other, and those the user switches to, until they exit. */
export async function chat(
  chosen: ChosenTeam,
  context: CliContext,
  options: ChatOptions = {},
): Promise<number> {
  // On the first screen, not after the first message.
  if (!chosen.isRehearsal) warnOfMissingPrograms(chosen.team, chosen.workingFolder, context);
  for (let current = options; ; ) {
    const left = await explainSession(current, context, () => holdSession(chosen, context, current));
    const { exit } = left;
    if (exit.reason !== 'new' && exit.reason !== 'resume') return exitCodeOf(exit);
    const session =
      exit.reason === 'new' ? undefined : await findNext(exit.id, left, chosen, context, options);
    if (session === undefined) say(context, words.sessions.newSession);
    current = { ...options, session, takeOver: false, message: undefined };
  }
}

/** The session that was named or picked; if none was, the one that was left, unless it was empty. */
async function findNext(
  id: string | undefined,
  left: LeftSession,
  chosen: ChosenTeam,
  context: CliContext,
  { plain }: ChatOptions,
): Promise<StoredSession | undefined> {
  if (id !== undefined) return loadOther(id, chosen, context);
  const picked = await pickOther(left.id, chosen, context, plain);
  return picked ?? (left.isSaved ? loadOther(left.id, chosen, context) : undefined);
}

function explainSession<Value>(
  { session }: ChatOptions,
  context: CliContext,
  work: () => Promise<Value>,
): Promise<Value> {
  return session === undefined ? work() : orExplain(session.summary, context, work);
}

/** A session that the user has left, and why. */
interface LeftSession {
  readonly id: ConversationId;
  readonly exit: TerminalExit;
  /** False if nothing was said in it. */
  readonly isSaved: boolean;
}

/** Opens one session, shows it until the user leaves it, and saves it. */
async function holdSession(
  chosen: ChosenTeam,
  context: CliContext,
  options: ChatOptions,
): Promise<LeftSession> {
  const { plain, session, takeOver, message: opening, debugFile } = options;
  const { workingFolder } = chosen;
  const isRehearsal = session?.summary.isRehearsal ?? chosen.isRehearsal;
  const settings = {
    ...chosen,
    dataFolder: context.dataFolder,
    interactive: true,
    debugFile,
    persistence: { id: session?.summary.id, takeOver },
    rehearsal: isRehearsal ? {} : undefined,
  };
  return withConversation(settings, context, async ({ conversation, store }) => {
    const isWorthSaving = () => session !== undefined || conversation.snapshot().messages.length > 0;
    let exit: TerminalExit | undefined;
    try {
      exit = await showSession(conversation, context, {
        plain,
        isRehearsal,
        about: () => describeHere(conversation.id, store, chosen, context),
        folder: showFolder(workingFolder, context),
        sessions: {
          find: async (wanted) => (await findOther(wanted, conversation.id, chosen, context)).summary.id,
          hasOthers: () => hasOthers(conversation.id, context),
        },
        ...(store !== undefined && { fork: (at) => forkInChat(conversation.id, at, context) }),
        ...typingAids(context, { workingFolder, isSaved: !isRehearsal }),
        resumed: session && describeResumption(session),
        opening,
      });
      return { id: conversation.id, exit, isSaved: isWorthSaving() };
    } finally {
      await conversation.close();
      if (isWorthSaving()) say(context, describeSaved(conversation.id, exit, context));
      else {
        if (store !== undefined) await deleteWhole(conversation.id, store, context);
        say(context, words.sessions.notKept);
      }
    }
  });
}

async function forkInChat(
  session: ConversationId,
  at: string | undefined,
  context: CliContext,
): Promise<SavedForkNotes> {
  const { describeFork, forkSession } = await import('../sessions/forkSession.js');
  const saved = await forkSession({ session, at }, context);
  return { id: saved.id, notes: describeFork(saved, at, true) };
}

function describeSaved(id: ConversationId, exit: TerminalExit | undefined, context: CliContext): string {
  const { closed, left } = words.sessions;
  return exit?.reason === 'new' || exit?.reason === 'resume' ? left(id) : closed(id, huddleHere(context));
}

/** Continues a stored conversation in the terminal. */
export async function resumeChat(
  options: SessionSelection & Pick<ChatOptions, 'plain'>,
  context: CliContext,
): Promise<number> {
  const { session, ...chosen } = await chooseSession(options, context);
  return chat(chosen, context, { ...options, session });
}

function describeResumption({ summary, status, nameOf }: StoredSession): TerminalOptions['resumed'] {
  return {
    messageCount: summary.messages,
    status: describeSessionStatus(status, nameOf, summary.holder, words),
    // What runs elsewhere is not retried.
    canRetry: summary.holder === undefined ? canRetry(status.state) : status.state.unfinished.length > 0,
  };
}

/** Runs a conversation in the terminal in which simulated agents play the team. Nothing is saved. */
export function rehearseChat(
  { team, workingFolder }: ChosenTeam,
  context: CliContext,
  { plain, message: opening }: Pick<ChatOptions, 'plain' | 'message'>,
): Promise<number> {
  return withStateFolder((stateFolder) => {
    const rehearsal = { stateFolder, script: chooseReplies(team), ...paceOf(context, plain) };
    return withConversation(
      { team, workingFolder, rehearsal, interactive: true },
      context,
      async ({ conversation }) => {
        try {
          return await show(conversation, context, {
            plain,
            isRehearsal: true,
            ...typingAids(context, { workingFolder, isSaved: false }),
            opening,
          });
        } finally {
          await conversation.close();
          say(context, words.rehearsal.notSaved);
        }
      },
    );
  });
}

/** Shows a scripted conversation of simulated agents, which the user can then continue. Nothing is saved. */
export function demonstrate(
  place: Pick<ChosenTeam, 'team' | 'workingFolder'>,
  context: CliContext,
  { plain }: Pick<ChatOptions, 'plain'>,
): Promise<number> {
  const { demoOpening } = words.rehearsal;
  return withStateFolder((stateFolder) => {
    const scriptFile = join(stateFolder, 'script.json');
    const settings = { ...place, rehearsal: { stateFolder, scriptFile, ...paceOf(context, plain) } };
    return withConversation(settings, context, async ({ conversation }) => {
      keepDemoScript(conversation, scriptFile);
      try {
        return await show(conversation, context, { plain, isRehearsal: true, demonstration: demoOpening });
      } finally {
        await conversation.close();
        say(context, nextSteps(context));
      }
    });
  });
}

/** Simulated agents speak at a pace people can follow, where people see them speak. */
function paceOf(context: CliContext, plain = isPlain(context)): { readonly pace?: number } {
  return plain ? {} : { pace: PACE_MILLISECONDS };
}

/** Shows a conversation that is the only one. */
async function show(...session: Parameters<typeof showSession>): Promise<number> {
  return exitCodeOf(await showSession(...session));
}

async function showSession(
  conversation: Conversation,
  context: CliContext,
  { plain, ...options }: Omit<TerminalOptions, 'words'> & { readonly plain?: boolean },
): Promise<TerminalExit> {
  const { firstPrompt, stop, settings } = context;
  const runFrontEnd = await loadFrontEnd(plain === true || isPlain(context));
  const why = async (turn: string) => (await import('./why.js')).explainInChat(conversation, turn);
  const exportFile = async (argument: string) =>
    (await import('./export.js')).exportInChat(conversation, argument, context);
  const exit = await runFrontEnd(
    conversation,
    {
      words,
      why,
      export: exportFile,
      notifications: settings.notifications,
      colours: settings.colours,
      ...options,
      firstPrompt,
    },
    stop.signal,
  ).finally(() => firstPrompt?.close());
  if (isHangUp(exit)) forgetTerminal(context);
  return exit;
}

/** Drops what is still said: the terminal is gone, and that nothing can be written there is no failure. */
function forgetTerminal({ stop }: CliContext): void {
  const reason: Stop = { exitCode: exitCodeOfSignal('SIGHUP'), isOutputGone: true };
  stop.abort(reason);
  releaseTerminal();
}

async function loadFrontEnd(isPlain: boolean): Promise<FrontEnd> {
  if (isPlain) return (await import('../../frontends/tui/runTerminal.js')).runLines;
  return (await import('../../frontends/tui/runTerminal.js')).runTerminal;
}

function exitCodeOf(exit: TerminalExit): number {
  if (exit.reason === 'signal') return exitCodeOfSignal(exit.signal);
  return exit.reason === 'disconnected' ? exitCodeOfSignal('SIGHUP') : EXIT_CODES.done;
}

/** Facts about a session and the program that holds it. */
async function describeHere(
  id: ConversationId,
  store: Store | undefined,
  { teamFile }: ChosenTeam,
  context: CliContext,
): Promise<SessionFacts> {
  const [summary] = (await store?.find(id)) ?? [];
  const shared = store !== undefined && isShared(store) ? await findStoreName(context) : undefined;
  return {
    title: summary?.title ?? '',
    teamFile: teamFile && showPath(teamFile, context),
    dataFolder: showFolder(context.dataFolder, context),
    store: shared && sanitizeForTerminal(shared.name),
    version: readVersion(),
  };
}

/** A folder as people write it: `~/wiki`. */
function showFolder(folder: string, { env: { HOME: home = '' } }: CliContext): string {
  const isInHome = home !== '' && (folder === home || folder.startsWith(`${home}/`));
  return sanitizeForTerminal(isInHome ? `~${folder.slice(home.length)}` : folder);
}
