import { english } from '../../catalogue/english.js';
import type { Conversation } from '../../coordinator/Conversation.js';
import type { TerminalActions } from '../../frontends/tui/actions.js';
import type { TerminalExit } from '../../frontends/tui/TerminalOptions.js';
import type { ChosenTeam } from '../chooseTeam.js';
import { createLogger } from '../createLogger.js';
import { EXIT_CODES, exitCodeOfSignal } from '../exitCodes.js';
import { openConversation } from '../openConversation.js';
import { type Surroundings, say } from '../Surroundings.js';
import { openStore } from '../sessions.js';

/** A person is there, at a terminal that can be painted on. */
export function canTalk({ stdin, stdout, env }: Surroundings): boolean {
  return stdin.isTTY === true && stdout.isTTY === true && env.TERM !== 'dumb' && !env.CI;
}

/** A conversation in the terminal, kept like every other, until somebody leaves. */
export async function talk({ team, workingFolder }: ChosenTeam, surroundings: Surroundings): Promise<number> {
  const { runTerminal } = await import('../../frontends/tui/runTerminal.js');
  const logger = createLogger({}, surroundings);
  const store = await openStore(surroundings, logger);
  let conversation: Conversation | undefined;
  try {
    const opened = openConversation(
      store,
      {},
      { team, workingFolder, logger, interactive: true },
    ).conversation;
    conversation = opened;
    const actions: TerminalActions = {
      answerPermission: ({ requestId }, answer) => opened.decide(requestId, answer),
    };
    return exitCodeOf(await runTerminal(opened, { actions }, surroundings.stop.signal));
  } finally {
    await conversation?.close();
    if (conversation) say(surroundings, english.sessions.kept(conversation.id));
    store.close();
    logger.close();
  }
}

function exitCodeOf(exit: TerminalExit): number {
  if (exit.reason === 'signal') return exitCodeOfSignal(exit.signal);
  return exit.reason === 'disconnected' ? exitCodeOfSignal('SIGHUP') : EXIT_CODES.done;
}
