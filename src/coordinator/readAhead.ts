import { type ParsedMessage, parseMessage } from '../markers/parseMessage.js';
import type { TurnOutcome } from '../models/TurnOutcome.js';
import type { ConversationLog } from '../store/Store.js';
import { createBreather } from '../utils/createBreather.js';

/**
 * What can be done about an answer before it counts, a step at a time: all at once with what follows from it, a long one
 * would keep everybody waiting. Nothing to read when there is no answer.
 */
export async function readAhead(
  outcome: TurnOutcome,
  log: ConversationLog,
): Promise<ParsedMessage | undefined> {
  const breathe = createBreather();
  if (outcome.kind !== 'completed') {
    await log.prepareText?.(outcome.draft);
    return undefined;
  }
  await log.prepareText?.(outcome.text);
  await breathe();
  const parsed = parseMessage(outcome.text, 'ai');
  await breathe();
  return parsed;
}
