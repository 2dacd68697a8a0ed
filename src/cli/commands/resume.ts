import { english } from '../../catalogue/english.js';
import type { Conversation } from '../../coordinator/Conversation.js';
import { describeStanding } from '../../frontends/print/describeStanding.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';
import type { ConversationOptions } from '../conversationOptions.js';
import { EXIT_CODES } from '../exitCodes.js';
import { loadSession } from '../loadSession.js';
import { readMessage } from '../readMessage.js';
import { UsageError } from '../reportError.js';
import { resumeSession } from '../resumeSession.js';
import { print, type Surroundings, say } from '../Surroundings.js';
import { withSession } from '../sessions.js';
import { canTalk, resumeTalk } from './talk.js';

export interface ResumeOptions extends ConversationOptions {
  readonly id?: string;
  readonly retry?: boolean;
  readonly takeOver?: boolean;
  readonly plain?: boolean;
}

/**
 * Goes on with a stored conversation: with a message, with what did not complete, or by talking where somebody is.
 * Otherwise only looks at it.
 */
export async function resume(options: ResumeOptions, surroundings: Surroundings): Promise<number> {
  const { id, message, file, retry } = options;
  const hasMessage = message !== undefined || file !== undefined;
  if (id !== undefined && /\s/u.test(id))
    throw new UsageError(english.sessions.messageAsId(id), 'huddle resume');
  if (hasMessage && retry) throw new UsageError(english.sessions.messageOrRetry, 'huddle resume');
  if (retry) return resumeSession({ ...options, begin: retryTurns }, surroundings);
  if (!hasMessage && canTalk(surroundings)) return resumeTalk(options, surroundings);
  if (!hasMessage) return showStanding(options, surroundings);
  const words = await readMessage(options, surroundings);
  return resumeSession({ ...options, begin: (conversation) => conversation.send(words) }, surroundings);
}

/** What did not complete comes first, then what was waiting; where nothing failed, that alone. */
function retryTurns(conversation: Conversation): void {
  if (conversation.retry() === 0) conversation.resume();
}

async function showStanding({ id: wanted }: ResumeOptions, surroundings: Surroundings): Promise<number> {
  const { summary, standing, nameOf } = await withSession(wanted, surroundings, loadSession);
  const { id, messages, title } = summary;
  const { goesOn, toGoOn, toRetry } = english.sessions;
  print(surroundings, goesOn(id, messages, title));
  for (const line of describeStanding(standing, nameOf)) print(surroundings, sanitizeToOneLine(line));
  const { memory, state } = standing;
  const hasWork = memory.openTurns.length + memory.unfinished.length + state.queue.length > 0;
  if (hasWork) say(surroundings, toRetry(id));
  say(surroundings, toGoOn(id));
  return EXIT_CODES.done;
}
