import { words } from '../../catalogue/words.js';
import { createDefaultTeam } from '../../config/defaultTeam.js';
import type { Conversation } from '../../coordinator/Conversation.js';
import { nextSteps } from '../sessions/rehearsal.js';
import { resumeSession, showStatus } from '../sessions/resumeSession.js';
import { runConversation } from '../sessions/runConversation.js';
import { type CliContext, say } from '../start/CliContext.js';
import { EXIT_CODES } from '../start/exitCodes.js';
import type { RunFlags } from '../start/RunFlags.js';
import { awaitMessage, findMessage, readMessage } from '../start/readMessage.js';
import { UsageError } from '../start/reportError.js';
import { chooseTeam } from '../team/chooseTeam.js';
import { type ChatOptions, canChat, chat, demonstrate, isPlain, rehearseChat, resumeChat } from './chat.js';
import { rehearseMessage } from './rehearse.js';
import { runMessage } from './run.js';

interface StartFlags
  extends Pick<ChatOptions, 'plain'>,
    Pick<RunFlags, 'message' | 'model' | 'readOnly' | 'nested'> {
  /** Continues the latest session of this folder. */
  readonly continue?: boolean;
  /** Simulated agents answer in place of the team's. */
  readonly rehearse?: boolean;
}

/** `huddle` and `huddle "message"`: opens a conversation in a terminal; elsewhere does what `run` does. */
export async function start(options: StartFlags, context: CliContext): Promise<number> {
  if (options.message?.trim() === '') throw new UsageError(words.cli.emptyMessage(words.cli.fromArgument));
  if (options.continue) return continueLatest(options, context);
  const { rehearse: isRehearsal = false } = options;
  if (canChat(context)) {
    const open = isRehearsal ? rehearseChat : chat;
    return open(await chooseTeam({ ...options, isRehearsal }, context), context, options);
  }
  const message =
    options.message === undefined ? await awaitMessage(context) : await readMessage(options, context);
  if (message === undefined) throw new UsageError(words.cli.nothingToDo);
  if (isRehearsal)
    return rehearseMessage(message, { ...options, outputFormat: 'text', noPrompts: true }, context);
  return runMessage(message, { ...options, outputFormat: 'text' }, context);
}

/** `huddle -c`: the same with the latest session of this folder; without a message it shows its status. */
async function continueLatest(options: StartFlags, context: CliContext): Promise<number> {
  if (canChat(context)) return resumeChat(options, context);
  const message =
    options.message === undefined ? await findMessage(context) : await readMessage(options, context);
  if (message === undefined) return showStatus(undefined, context);
  const begin = (conversation: Conversation) => conversation.send(message);
  return resumeSession({ ...options, outputFormat: 'text', begin }, context);
}

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
