import { words } from '../../catalogue/words.js';
import { replayConversation } from '../../frontends/print/printConversation.js';
import { describeOpenTurn, huddleCommand } from '../../frontends/print/sentences.js';
import { TextPrinter } from '../../frontends/print/textPrinter.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';
import { loadSession } from '../sessions/loadSession.js';
import { withSession } from '../sessions/storedSessions.js';
import { type CliContext, say, stopOf } from '../start/CliContext.js';
import { EXIT_CODES } from '../start/exitCodes.js';

/** A stored conversation as `run` printed it; of a damaged one, what can be read. */
export async function show({ id }: { readonly id?: string }, context: CliContext): Promise<number> {
  const { summary, status, nameOf } = await withSession(id, context, async (stored) => {
    const printer = new TextPrinter({
      words,
      streams: context,
      env: context.env,
      colours: context.settings.colours,
      command: huddleCommand(id === undefined ? undefined : stored.summary.id),
      record: { kind: 'saved', id: stored.summary.id },
      isRead: () => stopOf(context)?.isOutputGone !== true,
    });
    const { replayOf } = stored.summary;
    if (replayOf !== undefined) say(context, sanitizeToOneLine(words.sessions.isReplayOf(replayOf)));
    await replayConversation(stored.reader.read(), printer);
    return loadSession(stored);
  });
  // The log knows of these turns only that they began.
  for (const { turnId, memberId } of status.state.running)
    say(context, sanitizeToOneLine(describeOpenTurn(turnId, nameOf(memberId), summary.holder, words)));
  return EXIT_CODES.done;
}
