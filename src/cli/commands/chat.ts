import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { words } from '../../catalogue/words.js';
import { canRetry } from '../../conversation/questions.js';
import type { Conversation } from '../../coordinator/Conversation.js';
import { describeSessionStatus } from '../../frontends/print/describeSessionStatus.js';
import { type FrontEnd, isHangUp, type TerminalExit } from '../../frontends/tui/FrontEnd.js';
import { releaseTerminal } from '../../frontends/tui/releaseTerminal.js';
import type { TerminalOptions } from '../../frontends/tui/session/TerminalOptions.js';
import type { Store } from '../../store/Store.js';
import { type CliContext, type Stop, say } from '../CliContext.js';
import type { ChosenTeam } from '../chooseTeam.js';
import { EXIT_CODES, exitCodeOfSignal } from '../exitCodes.js';
import type { StoredSession } from '../loadSession.js';
import { warnOfMissingPrograms } from '../missingPrograms.js';
import { chooseSession, type SessionSelection } from '../resumeSession.js';
import { orExplain } from '../sessions.js';
import { withConversation } from '../withConversation.js';
import { withStateFolder } from '../withStateFolder.js';

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

/** Runs a conversation in the terminal, saved like every other, until the user exits. */
export async function chat(
  chosen: ChosenTeam,
  context: CliContext,
  options: ChatOptions = {},
): Promise<number> {
  const { team, workingFolder, isRehearsal } = chosen;
  const { plain, session, takeOver, message: opening, debugFile } = options;
  // On the first screen, not after the first message.
  if (!isRehearsal) warnOfMissingPrograms(team, workingFolder, context);
  const settings = {
    ...chosen,
    dataFolder: context.dataFolder,
    interactive: true,
    debugFile,
    persistence: { id: session?.summary.id, takeOver },
    rehearsal: isRehearsal ? {} : undefined,
  };
  return withConversation(settings, context, async ({ conversation, store }) => {
    try {
      const resumed = session && describeResumption(session);
      const shown = {
        plain,
        isRehearsal,
        ...(resumed && { resumed }),
        ...(opening !== undefined && { opening }),
      };
      return await show(conversation, context, shown);
    } finally {
      await conversation.close();
      say(context, await saveOrDelete(conversation, store, options));
    }
  });
}

/** Deletes a conversation in which nothing was said. Returns what to tell the user. */
async function saveOrDelete(
  conversation: Conversation,
  store: Store | undefined,
  { session }: ChatOptions,
): Promise<string> {
  const { kept, notKept } = words.sessions;
  if (session !== undefined || conversation.snapshot().messages.length > 0) return kept(conversation.id);
  await store?.delete(conversation.id);
  return notKept;
}

/** Continues a stored conversation in the terminal. */
export async function resumeChat(
  options: SessionSelection & Pick<ChatOptions, 'plain'>,
  context: CliContext,
): Promise<number> {
  const { session, ...chosen } = await chooseSession(options, context);
  return orExplain(session.summary, context, () => chat(chosen, context, { ...options, session }));
}

function describeResumption({ summary, status, nameOf }: StoredSession): TerminalOptions['resumed'] {
  return {
    messageCount: summary.messages,
    status: describeSessionStatus(status, nameOf),
    canRetry: canRetry(status.state),
  };
}

/** Shows a scripted conversation of simulated agents, which the user can then continue. Nothing is saved. */
export function demonstrate(
  place: Pick<ChosenTeam, 'team' | 'workingFolder'>,
  context: CliContext,
  { plain }: Pick<ChatOptions, 'plain'>,
): Promise<number> {
  const { demoOpening, demoScript, next } = words.rehearsal;
  return withStateFolder((stateFolder) => {
    const scriptFile = join(stateFolder, 'script.json');
    const writeScript = (script: object) => writeFileSync(scriptFile, JSON.stringify(script));
    writeScript(demoScript);
    const settings = { ...place, rehearsal: { stateFolder, scriptFile } };
    return withConversation(settings, context, async ({ conversation }) => {
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
      }
    });
  });
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

/** Drops what is still said: the terminal is gone, and that nothing can be written there is no failure. */
function forgetTerminal({ stop }: CliContext): void {
  const reason: Stop = { exitCode: exitCodeOfSignal('SIGHUP'), isOutputGone: true };
  stop.abort(reason);
  releaseTerminal();
}

async function loadFrontEnd(isPlain: boolean): Promise<FrontEnd> {
  if (isPlain) return (await import('../../frontends/tui/runLines.js')).runLines;
  return (await import('../../frontends/tui/runTerminal.js')).runTerminal;
}

function exitCodeOf(exit: TerminalExit): number {
  if (exit.reason === 'signal') return exitCodeOfSignal(exit.signal);
  return exit.reason === 'disconnected' ? exitCodeOfSignal('SIGHUP') : EXIT_CODES.done;
}
