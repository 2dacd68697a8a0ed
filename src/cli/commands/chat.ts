import { writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { english } from '../../catalogue/english.js';
import { canRetry } from '../../conversation/questions.js';
import type { Conversation } from '../../coordinator/Conversation.js';
import { describeStanding } from '../../frontends/print/describeStanding.js';
import { type FrontEnd, isHangUp, type TerminalExit } from '../../frontends/tui/FrontEnd.js';
import { letGoOfTerminal } from '../../frontends/tui/letGoOfTerminal.js';
import type { TerminalOptions } from '../../frontends/tui/session/TerminalOptions.js';
import type { Team } from '../../models/Team.js';
import type { Store } from '../../store/Store.js';
import { type CliContext, type Stop, say } from '../CliContext.js';
import type { ChosenTeam } from '../chooseTeam.js';
import { createLogger } from '../createLogger.js';
import { createStateFolder } from '../createStateFolder.js';
import { EXIT_CODES, exitCodeOfSignal } from '../exitCodes.js';
import type { StoredSession } from '../loadSession.js';
import { describeMissingPrograms, findMissingPrograms } from '../missingPrograms.js';
import { openConversation, type Persistence } from '../openConversation.js';
import { chooseSession, type SessionSelection } from '../resumeSession.js';
import { openStore, orExplain } from '../sessions.js';

export interface ChatOptions {
  /** Lines and nothing else, whatever the terminal can do. */
  readonly plain?: boolean;
  /** A stored conversation to go on with; a new one without it. */
  readonly session?: StoredSession;
  readonly takeOver?: boolean;
  readonly debugFile?: string;
}

/** A person is there, at a terminal. */
export function canChat({ stdin, stdout }: CliContext): boolean {
  return stdin.isTTY === true && stdout.isTTY === true;
}

/** Nothing can be painted over in a dumb terminal, and nothing should be in the log of a build. */
export function isPlain({ env }: CliContext): boolean {
  return env.TERM === 'dumb' || Boolean(env.CI);
}

/** A conversation in the terminal, kept like every other, until somebody leaves. */
export async function chat(
  { team, teamFile, workingFolder, trustedPrograms, isRehearsal }: ChosenTeam,
  context: CliContext,
  options: ChatOptions = {},
): Promise<number> {
  if (!isRehearsal) warnOfMissing(team, workingFolder, context);
  const logger = createLogger(options, context);
  const store = await openStore(context, logger);
  let conversation: Conversation | undefined;
  try {
    const opened = await openConversation(store, persistenceOf(options), {
      team,
      teamFile,
      workingFolder,
      trustedPrograms,
      dataFolder: context.dataFolder,
      logger,
      interactive: true,
      ...(isRehearsal && { rehearsal: {} }),
    });
    conversation = opened.conversation;
    const { session } = options;
    return await show(conversation, context, {
      plain: options.plain,
      isRehearsal,
      ...(session && { resumed: describeResumption(session) }),
    });
  } finally {
    await conversation?.close();
    if (conversation) say(context, await keepOrForget(conversation, store, options));
    await store.close();
    logger.close();
  }
}

/** On the first screen, not after the first message. */
function warnOfMissing(team: Team, workingFolder: string, context: CliContext): void {
  const missing = findMissingPrograms(team, workingFolder, context);
  for (const line of describeMissingPrograms(missing)) say(context, english.cli.warning(line));
}

/** A conversation in which nobody said anything is nothing to keep. */
async function keepOrForget(
  conversation: Conversation,
  store: Store,
  { session }: ChatOptions,
): Promise<string> {
  const { kept, notKept } = english.sessions;
  if (session !== undefined || conversation.snapshot().messages.length > 0) return kept(conversation.id);
  await store.delete(conversation.id);
  return notKept;
}

/** Goes on with a stored conversation in the terminal. */
export async function resumeChat(
  options: SessionSelection & Pick<ChatOptions, 'plain'>,
  context: CliContext,
): Promise<number> {
  const { session, ...chosen } = await chooseSession(options, context);
  return orExplain(session.summary, context, () => chat(chosen, context, { ...options, session }));
}

function persistenceOf({ session, takeOver = false }: ChatOptions): Persistence {
  return session === undefined ? {} : { id: session.summary.id, takeOver };
}

function describeResumption({ summary, status, nameOf }: StoredSession): TerminalOptions['resumed'] {
  return {
    messageCount: summary.messages,
    standing: describeStanding(status, nameOf),
    canRetry: canRetry(status.state),
  };
}

/** Shows a scripted conversation of simulated agents, which the user can then continue. Nothing is saved. */
export async function demonstrate(
  { team, workingFolder }: Pick<ChosenTeam, 'team' | 'workingFolder'>,
  context: CliContext,
  { plain }: Pick<ChatOptions, 'plain'>,
): Promise<number> {
  const { demoOpening, demoScript, next } = english.rehearsal;
  const logger = createLogger({}, context);
  const stateFolder = await createStateFolder();
  const scriptFile = join(stateFolder, 'script.json');
  const writeScript = (script: object) => writeFileSync(scriptFile, JSON.stringify(script));
  writeScript(demoScript);
  const rehearsal = { stateFolder, scriptFile };
  const options = { team, workingFolder, logger, rehearsal };
  const { conversation } = await openConversation(undefined, undefined, options);
  conversation.subscribe((event) => {
    // Read in every turn: once the user continues, the answers are about what they say.
    if (event.type === 'message-added' && event.message.speaker.type === 'human')
      writeScript(event.message.content === demoOpening ? demoScript : {});
  });
  try {
    return await show(conversation, context, { plain, isRehearsal: true, demonstration: demoOpening });
  } finally {
    await conversation.close();
    say(context, ['', ...next].join('\n'));
    logger.close();
    await rm(stateFolder, { recursive: true, force: true });
  }
}

async function show(
  conversation: Conversation,
  context: CliContext,
  { plain, ...options }: TerminalOptions & { readonly plain?: boolean },
): Promise<number> {
  const { firstPrompt, stop } = context;
  const runFrontEnd = await loadFrontEnd(plain === true || isPlain(context));
  const why = async (turn: string) => (await import('./why.js')).explainInChat(conversation, turn);
  const exit = await runFrontEnd(
    conversation,
    { why, ...options, ...(firstPrompt && { firstPrompt }) },
    stop.signal,
  ).finally(() => firstPrompt?.close());
  if (isHangUp(exit)) forgetTerminal(context);
  return exitCodeOf(exit);
}

/** What is still said goes to nobody, and that it cannot be said is no failure. */
function forgetTerminal({ stop }: CliContext): void {
  const reason: Stop = { exitCode: exitCodeOfSignal('SIGHUP'), isOutputGone: true };
  stop.abort(reason);
  letGoOfTerminal();
}

async function loadFrontEnd(isPlain: boolean): Promise<FrontEnd> {
  if (isPlain) return (await import('../../frontends/tui/runLines.js')).runLines;
  return (await import('../../frontends/tui/runTerminal.js')).runTerminal;
}

function exitCodeOf(exit: TerminalExit): number {
  if (exit.reason === 'signal') return exitCodeOfSignal(exit.signal);
  return exit.reason === 'disconnected' ? exitCodeOfSignal('SIGHUP') : EXIT_CODES.done;
}
