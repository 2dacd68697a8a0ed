import { words } from '../../catalogue/words.js';
import { hasWork, outcomeOf } from '../../conversation/questions.js';
import type { Conversation, SentText } from '../../coordinator/Conversation.js';
import { printConversation } from '../../frontends/print/printConversation.js';
import { type CliContext, exitCodeAfter, say, stopOf } from '../start/CliContext.js';
import { EXIT_CODE_OF_OUTCOME } from '../start/exitCodes.js';
import type { RunFlags } from '../start/RunFlags.js';
import { stopOnSignals } from '../start/stopOnSignals.js';
import { huddleHere } from '../team/chooseStore.js';
import { createPrinter } from './createPrinter.js';
import { withStateFolder } from './rehearsal.js';
import { deleteWhole } from './storedSessions.js';
import { type ConversationSettings, withConversation } from './withConversation.js';

interface RunSettings extends ConversationSettings, Pick<RunFlags, 'outputFormat' | 'final'> {
  /** Says or asks for what sets it going. */
  readonly begin: (conversation: Conversation) => Promise<unknown>;
  /** Prints the whole transcript, also without a terminal. */
  readonly isTranscript?: boolean;
  readonly showPrompts?: boolean;
}

/** Runs one conversation to its end and prints it. Returns the exit code. */
export function runConversation(
  { begin, outputFormat, final, isTranscript, showPrompts, ...settings }: RunSettings,
  context: CliContext,
): Promise<number> {
  const { persistence, rehearsal } = settings;
  if (rehearsal !== undefined && rehearsal.stateFolder === undefined)
    return withStateFolder((stateFolder) => {
      const run = { begin, outputFormat, final, isTranscript, showPrompts, ...settings };
      return runConversation({ ...run, rehearsal: { ...rehearsal, stateFolder } }, context);
    });
  const isSaved = persistence !== undefined;
  const printer = createPrinter({ outputFormat, final, isTranscript, isSaved }, context);
  const onPrompt = showPrompts ? (sent: SentText) => printer.takePrompt?.(sent) : undefined;
  const options = { ...settings, dataFolder: context.dataFolder, onPrompt };
  return withConversation(options, context, async ({ conversation, knownSeq, store }) => {
    let isLeft = false;
    // Not before: until the store is open, a signal ends the program whatever that waits for.
    const releaseSignals = stopOnSignals(context);
    try {
      const { signal } = context.stop;
      const state = await printConversation(conversation, { begin, printer, knownSeq }, signal);
      isLeft = hasWork(state);
      return exitCodeAfter(context, EXIT_CODE_OF_OUTCOME[outcomeOf(state)]);
    } finally {
      releaseSignals();
      const isNothingSaid = persistence?.id === undefined && conversation.snapshot().messages.length === 0;
      if (store && isNothingSaid) {
        // An empty session is in no list; what kept it empty is what people are told.
        await deleteWhole(conversation.id, store, context).catch(() => undefined);
      } else if (store && stopOf(context)?.isOutputGone !== true) {
        say(context, words.sessions.kept(conversation.id, huddleHere(context)));
        if (isLeft) say(context, words.sessions.toRetry(conversation.id, huddleHere(context)));
      }
    }
  });
}
