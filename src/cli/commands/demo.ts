import { words } from '../../catalogue/words.js';
import { createDefaultTeam } from '../../config/defaultTeam.js';
import { nextSteps } from '../sessions/nextSteps.js';
import { runConversation } from '../sessions/runConversation.js';
import { type CliContext, say } from '../start/CliContext.js';
import { EXIT_CODES } from '../start/exitCodes.js';
import { type ChatOptions, canChat, demonstrate, isPlain } from './chat.js';

/** Shows a short conversation of simulated agents; in a terminal people can continue it. Nothing is saved or spent. */
export async function demo({ plain }: Pick<ChatOptions, 'plain'>, context: CliContext): Promise<number> {
  const { userName, workingFolder } = context;
  const { team } = createDefaultTeam({ agents: [], userName });
  say(context, words.rehearsal.demoTitle);
  // A dumb terminal does not tell whether a person sees it.
  const isSeen = canChat(context) && (plain === true || !isPlain(context));
  if (isSeen) return demonstrate({ team, workingFolder }, context, { plain });
  const { demoOpening, demoScript } = words.rehearsal;
  const exitCode = await runConversation(
    {
      team,
      workingFolder,
      begin: (conversation) => conversation.send(demoOpening),
      outputFormat: 'text',
      isTranscript: true,
      showPrompts: true,
      rehearsal: { script: demoScript },
    },
    context,
  );
  if (exitCode === EXIT_CODES.done) say(context, nextSteps(context));
  return exitCode;
}
