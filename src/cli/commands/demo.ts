import { english } from '../../catalogue/english.js';
import { createDefaultTeam } from '../../config/defaultTeam.js';
import { EXIT_CODES } from '../exitCodes.js';
import { holdConversation } from '../holdConversation.js';
import { type Surroundings, say } from '../Surroundings.js';
import { canTalk, demonstrate, isPlain, type TalkOptions } from './talk.js';

/** A short conversation of simulated agents; in a terminal people can talk on with them. Nothing is kept or spent. */
export async function demo(
  surroundings: Surroundings,
  { plain }: Pick<TalkOptions, 'plain'> = {},
): Promise<number> {
  const { userName, workingFolder } = surroundings;
  const { team } = createDefaultTeam({ agents: [], userName });
  say(surroundings, english.rehearsal.demoTitle);
  // Whether somebody sees it, a dumb terminal cannot tell.
  const isSeen = canTalk(surroundings) && (plain === true || !isPlain(surroundings));
  if (isSeen) return demonstrate({ team, workingFolder }, surroundings, { plain });
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
