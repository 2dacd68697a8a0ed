import { english } from '../../catalogue/english.js';
import { replayConversation } from '../../frontends/print/replayConversation.js';
import { TextPrinter } from '../../frontends/print/textPrinter.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';
import { EXIT_CODES } from '../exitCodes.js';
import { loadSession, type StoredSession } from '../loadSession.js';
import { type Surroundings, say, stopOf } from '../Surroundings.js';
import { withSession } from '../sessions.js';

export interface ShowOptions {
  readonly id?: string;
}

/** A stored conversation as `run` printed it; of a damaged one, what can be read. */
export async function show({ id }: ShowOptions, surroundings: Surroundings): Promise<number> {
  const printer = new TextPrinter({
    streams: surroundings,
    env: surroundings.env,
    isRead: () => stopOf(surroundings)?.isOutputGone !== true,
  });
  const session = await withSession(id, surroundings, async (stored) => {
    await replayConversation(stored.reader.read(), printer);
    return loadSession(stored);
  });
  sayWhatWasRunning(session, surroundings);
  return EXIT_CODES.done;
}

/** The log knows of these turns only that they began. */
function sayWhatWasRunning({ standing, nameOf }: StoredSession, surroundings: Surroundings): void {
  for (const { turnId, memberId } of standing.state.running)
    say(surroundings, sanitizeToOneLine(english.standing.interrupted(turnId, nameOf(memberId))));
}
