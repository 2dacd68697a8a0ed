import { replayConversation } from '../../frontends/print/replayConversation.js';
import { TextPrinter } from '../../frontends/print/textPrinter.js';
import { EXIT_CODES } from '../exitCodes.js';
import { type Surroundings, stopOf } from '../Surroundings.js';
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
  await withSession(id, surroundings, ({ reader }) => replayConversation(reader.read(), printer));
  return EXIT_CODES.done;
}
