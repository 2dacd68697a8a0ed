import { rm } from 'node:fs/promises';
import { english } from '../../catalogue/english.js';
import { canRetry } from '../../conversation/questions.js';
import type { Conversation } from '../../coordinator/Conversation.js';
import { describeStanding } from '../../frontends/print/describeStanding.js';
import { type FrontEnd, isHangUp, type TerminalExit } from '../../frontends/tui/FrontEnd.js';
import { letGoOfTerminal } from '../../frontends/tui/letGoOfTerminal.js';
import type { TerminalOptions } from '../../frontends/tui/TerminalOptions.js';
import type { Team } from '../../models/Team.js';
import type { Store } from '../../store/Store.js';
import type { ChosenTeam } from '../chooseTeam.js';
import { createLogger } from '../createLogger.js';
import { createStateFolder } from '../createStateFolder.js';
import { EXIT_CODES, exitCodeOfSignal } from '../exitCodes.js';
import type { StoredSession } from '../loadSession.js';
import { describeMissingPrograms, findMissingPrograms } from '../missingPrograms.js';
import { type Keeping, openConversation } from '../openConversation.js';
import { chooseSession, type SessionSelection } from '../resumeSession.js';
import { type Stop, type Surroundings, say } from '../Surroundings.js';
import { openStore, orExplain } from '../sessions.js';

export interface TalkOptions {
  /** Lines and nothing else, whatever the terminal can do. */
  readonly plain?: boolean;
  /** A stored conversation to go on with; a new one without it. */
  readonly session?: StoredSession;
  readonly takeOver?: boolean;
  readonly debugFile?: string;
}

/** A person is there, at a terminal. */
export function canTalk({ stdin, stdout }: Surroundings): boolean {
  return stdin.isTTY === true && stdout.isTTY === true;
}

/** Nothing can be painted over in a dumb terminal, and nothing should be in the log of a build. */
export function isPlain({ env }: Surroundings): boolean {
  return env.TERM === 'dumb' || Boolean(env.CI);
}

/** A conversation in the terminal, kept like every other, until somebody leaves. */
export async function talk(
  { team, teamFile, workingFolder, trustedPrograms, isRehearsal }: ChosenTeam,
  surroundings: Surroundings,
  options: TalkOptions = {},
): Promise<number> {
  if (!isRehearsal) warnOfMissing(team, workingFolder, surroundings);
  const logger = createLogger(options, surroundings);
  const store = await openStore(surroundings, logger);
  let conversation: Conversation | undefined;
  try {
    conversation = openConversation(store, keepingOf(options), {
      team,
      teamFile,
      workingFolder,
      trustedPrograms,
      dataFolder: surroundings.dataFolder,
      logger,
      interactive: true,
      ...(isRehearsal && { rehearsal: {} }),
    }).conversation;
    const { session } = options;
    return await show(conversation, surroundings, {
      plain: options.plain,
      isRehearsal,
      ...(session && { resumed: describeResumption(session) }),
    });
  } finally {
    await conversation?.close();
    if (conversation) say(surroundings, keepOrForget(conversation, store, options));
    store.close();
    logger.close();
  }
}

/** On the first screen, not after the first message. */
function warnOfMissing(team: Team, workingFolder: string, surroundings: Surroundings): void {
  const missing = findMissingPrograms(team, workingFolder, surroundings);
  for (const line of describeMissingPrograms(missing)) say(surroundings, english.cli.warning(line));
}

/** A conversation in which nobody said anything is nothing to keep. */
function keepOrForget(conversation: Conversation, store: Store, { session }: TalkOptions): string {
  const { kept, notKept } = english.sessions;
  if (session !== undefined || conversation.snapshot().messages.length > 0) return kept(conversation.id);
  store.delete(conversation.id);
  return notKept;
}

/** Goes on with a stored conversation in the terminal. */
export async function resumeTalk(
  options: SessionSelection & Pick<TalkOptions, 'plain'>,
  surroundings: Surroundings,
): Promise<number> {
  const { session, ...chosen } = await chooseSession(options, surroundings);
  return orExplain(session.summary, surroundings, () => talk(chosen, surroundings, { ...options, session }));
}

function keepingOf({ session, takeOver = false }: TalkOptions): Keeping {
  return session === undefined ? {} : { id: session.summary.id, takeOver };
}

function describeResumption({ summary, standing, nameOf }: StoredSession): TerminalOptions['resumed'] {
  return {
    messageCount: summary.messages,
    standing: describeStanding(standing, nameOf),
    canRetry: canRetry(standing.state),
  };
}

/** Stand-ins hold a conversation before the eyes of whoever is there, who can then talk on with them. Nothing is kept. */
export async function demonstrate(
  { team, workingFolder }: Pick<ChosenTeam, 'team' | 'workingFolder'>,
  surroundings: Surroundings,
  { plain }: Pick<TalkOptions, 'plain'>,
): Promise<number> {
  const { demoOpening, demoScript, next } = english.rehearsal;
  const logger = createLogger({}, surroundings);
  const stateFolder = await createStateFolder();
  let isScripted = true;
  const rehearsal = {
    stateFolder,
    // Asked for with every turn: once somebody talks on, the answers are about what they say.
    get script() {
      return isScripted ? demoScript : undefined;
    },
  };
  const { conversation } = openConversation(undefined, undefined, { team, workingFolder, logger, rehearsal });
  conversation.subscribe((event) => {
    if (event.type === 'message-added' && event.message.speaker.type === 'human')
      isScripted = event.message.content === demoOpening;
  });
  try {
    return await show(conversation, surroundings, { plain, isRehearsal: true, demonstration: demoOpening });
  } finally {
    await conversation.close();
    say(surroundings, ['', ...next].join('\n'));
    logger.close();
    await rm(stateFolder, { recursive: true, force: true });
  }
}

async function show(
  conversation: Conversation,
  surroundings: Surroundings,
  { plain, ...options }: TerminalOptions & { readonly plain?: boolean },
): Promise<number> {
  const runFrontEnd = await loadFrontEnd(plain === true || isPlain(surroundings), surroundings);
  const why = async (turn: string) => (await import('./why.js')).explainInTalk(conversation, turn);
  const exit = await runFrontEnd(conversation, { why, ...options }, surroundings.stop.signal);
  if (isHangUp(exit)) forgetTerminal(surroundings);
  return exitCodeOf(exit);
}

/** What is still said goes to nobody, and that it cannot be said is no failure. */
function forgetTerminal({ stop }: Surroundings): void {
  const reason: Stop = { exitCode: exitCodeOfSignal('SIGHUP'), isOutputGone: true };
  stop.abort(reason);
  letGoOfTerminal();
}

async function loadFrontEnd(isPlain: boolean, { terminal }: Surroundings): Promise<FrontEnd> {
  if (isPlain) return (await import('../../frontends/tui/runLines.js')).runLines;
  const { runTerminal, runTerminalIn } = await import('../../frontends/tui/runTerminal.js');
  return terminal === undefined ? runTerminal : runTerminalIn(terminal);
}

function exitCodeOf(exit: TerminalExit): number {
  if (exit.reason === 'signal') return exitCodeOfSignal(exit.signal);
  return exit.reason === 'disconnected' ? exitCodeOfSignal('SIGHUP') : EXIT_CODES.done;
}
