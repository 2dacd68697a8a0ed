import { english } from '../../catalogue/english.js';
import { hasWork } from '../../conversation/questions.js';
import type { Conversation } from '../../coordinator/Conversation.js';
import type { CliContext } from '../CliContext.js';
import { loadSession } from '../loadSession.js';
import type { RunFlags } from '../RunFlags.js';
import { readMessage } from '../readMessage.js';
import { UsageError } from '../reportError.js';
import { resumeSession, showStanding } from '../resumeSession.js';
import { withSession } from '../sessions.js';
import { canChat, resumeChat } from './chat.js';

export interface ResumeFlags extends RunFlags {
  readonly id?: string;
  readonly retry?: boolean;
  readonly takeOver?: boolean;
  readonly plain?: boolean;
}

/**
 * Goes on with a stored conversation: with a message, with what did not complete, or by talking where somebody is.
 * Otherwise only looks at it.
 */
export async function resume(options: ResumeFlags, context: CliContext): Promise<number> {
  const { id, message, file, retry } = options;
  const hasMessage = message !== undefined || file !== undefined;
  if (id !== undefined && /\s/u.test(id)) throw new UsageError(english.sessions.messageAsId(id));
  if (hasMessage && retry) throw new UsageError(english.sessions.messageOrRetry);
  if (retry) return runWhatIsLeft(options, context);
  if (!hasMessage && canChat(context)) return resumeChat(options, context);
  if (!hasMessage) return showStanding(id, context);
  const words = await readMessage(options, context);
  return resumeSession({ ...options, begin: (conversation) => conversation.send(words) }, context);
}

async function runWhatIsLeft(options: ResumeFlags, context: CliContext): Promise<number> {
  const session = await withSession(options.id, context, loadSession);
  if (!hasWork(session.standing.state)) return showStanding(options.id, context);
  return resumeSession({ ...options, begin: retryTurns }, context);
}

/** What did not complete comes first, then what was waiting; where nothing failed, that alone. Goes past a limit. */
async function retryTurns(conversation: Conversation): Promise<void> {
  const count = await conversation.retry();
  const { phase } = conversation.snapshot();
  if (count === 0 || phase.kind === 'paused') await conversation.resume();
}
