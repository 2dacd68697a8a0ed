import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RehearsalOptions } from '../../agents/rehearsal/rehearsalDialect.js';
import { english } from '../../catalogue/english.js';
import type { Conversation } from '../../coordinator/Conversation.js';
import type { TerminalExit } from '../../frontends/tui/TerminalOptions.js';
import { chooseTeam } from '../chooseTeam.js';
import { createLogger } from '../createLogger.js';
import { EXIT_CODES, exitCodeOfSignal } from '../exitCodes.js';
import { openConversation } from '../openConversation.js';
import { type Surroundings, say } from '../Surroundings.js';
import { openStore } from '../sessions.js';

/** A person is there, at a terminal that can be painted on. */
export function canTalk({ stdin, stdout, env }: Surroundings): boolean {
  return stdin.isTTY === true && stdout.isTTY === true && env.TERM !== 'dumb' && !env.CI;
}

/** A conversation in the terminal. With nothing installed stand-ins hold one, so that there is something to see at once. */
export async function talk(surroundings: Surroundings): Promise<number> {
  const { team, workingFolder, isRehearsal } = await chooseTeam({ isRehearsal: false }, surroundings);
  const { runTerminal } = await import('../../frontends/tui/runTerminal.js');
  const logger = createLogger({}, surroundings);
  const stateFolder = await mkdtemp(join(tmpdir(), 'huddle-rehearsal-'));
  const store = isRehearsal ? undefined : await openStore(surroundings, logger);
  let conversation: Conversation | undefined;
  try {
    const rehearsal = isRehearsal && { rehearsal: createDemo(stateFolder) };
    const options = { team, workingFolder, logger, ...rehearsal };
    conversation = openConversation(store, store && {}, options).conversation;
    const notes = isRehearsal ? [english.rehearsal.demoTitle] : [];
    const leaving = runTerminal(conversation, { notes }, surroundings.stop.signal);
    if (isRehearsal) conversation.send(english.rehearsal.demoOpening);
    return exitCodeOf(await leaving);
  } finally {
    await conversation?.close();
    if (store && conversation) say(surroundings, english.sessions.kept(conversation.id));
    store?.close();
    logger.close();
    await rm(stateFolder, { recursive: true, force: true });
  }
}

/** The scripted scene once; after it the stand-ins answer whatever they are asked. */
function createDemo(stateFolder: string): RehearsalOptions {
  const madeUp = new Array(1000).fill({});
  const script = Object.fromEntries(
    Object.entries(english.rehearsal.demoScript).map(([name, turns]) => [name, [...turns, ...madeUp]]),
  );
  return { script, stateFolder };
}

function exitCodeOf(exit: TerminalExit): number {
  if (exit.reason === 'signal') return exitCodeOfSignal(exit.signal);
  return exit.reason === 'disconnected' ? exitCodeOfSignal('SIGHUP') : EXIT_CODES.done;
}
