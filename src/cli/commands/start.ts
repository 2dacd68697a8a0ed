import { english } from '../../catalogue/english.js';
import { createDefaultTeam } from '../../config/defaultTeam.js';
import { chooseTeam } from '../chooseTeam.js';
import { EXIT_CODES } from '../exitCodes.js';
import { holdConversation } from '../holdConversation.js';
import { findInput } from '../readMessage.js';
import { type Surroundings, say } from '../Surroundings.js';
import { runMessage } from './run.js';
import { canTalk, demonstrate, isPlain, type TalkOptions, talk } from './talk.js';

export const PATIENCE_SECONDS = 2;

export interface StartOptions extends Pick<TalkOptions, 'plain'> {
  readonly nested?: boolean;
}

/** `huddle` alone: in a terminal people talk; a message on standard input is a run; else a short rehearsal shows how it goes. */
export async function start(surroundings: Surroundings, options: StartOptions = {}): Promise<number> {
  if (canTalk(surroundings)) {
    const chosen = await chooseTeam({ isRehearsal: false, nested: options.nested }, surroundings);
    if (!chosen.isRehearsal) return talk(chosen, surroundings, options);
    // With nobody to talk to there is still something to see. Whether somebody sees it, a dumb terminal cannot tell.
    const isUnseen = isPlain(surroundings) && options.plain !== true;
    return isUnseen ? showRehearsal(surroundings) : demonstrate(chosen, surroundings, options);
  }
  const input = await findInput(surroundings, PATIENCE_SECONDS * 1000);
  if (input.kind === 'message') {
    const { nested } = options;
    return runMessage(input.message, { outputFormat: 'text', nested }, surroundings);
  }
  if (input.kind === 'silent') say(surroundings, english.cli.nothingOnInput(PATIENCE_SECONDS));
  say(surroundings, english.rehearsal.demoTitle);
  return showRehearsal(surroundings);
}

async function showRehearsal(surroundings: Surroundings): Promise<number> {
  const { userName, workingFolder } = surroundings;
  const { team } = createDefaultTeam({ agents: [], userName });
  const { demoOpening, demoScript, next } = english.rehearsal;
  const exitCode = await holdConversation(
    {
      team,
      workingFolder,
      begin: (conversation) => conversation.send(demoOpening),
      format: 'text',
      showPrompts: true,
      rehearsal: { script: demoScript },
    },
    surroundings,
  );
  if (exitCode === EXIT_CODES.done) say(surroundings, ['', ...next].join('\n'));
  return exitCode;
}
