import { words } from '../../catalogue/words.js';
import { hasWork } from '../../conversation/questions.js';
import type { Conversation } from '../../coordinator/Conversation.js';
import { loadSession } from '../sessions/loadSession.js';
import { resumeSession, type SessionSelection, showStatus } from '../sessions/resumeSession.js';
import { withSession } from '../sessions/storedSessions.js';
import type { CliContext } from '../start/CliContext.js';
import { exitCodeOfSignal } from '../start/exitCodes.js';
import type { RunFlags } from '../start/RunFlags.js';
import { readMessage } from '../start/readMessage.js';
import { UsageError } from '../start/reportError.js';
import { type ChatOptions, canChat, isPlain, resumeChat } from './chat.js';

export interface ResumeFlags extends RunFlags, SessionSelection, Pick<ChatOptions, 'plain'> {
  readonly retry?: boolean;
}

/**
 * Continues a stored conversation: with a message, with what did not complete, or in the terminal.
 * Otherwise only shows its status.
 */
export async function resume(options: ResumeFlags, context: CliContext): Promise<number> {
  const { id, message, file, retry } = options;
  const hasMessage = message !== undefined || file !== undefined;
  if (id !== undefined && /\s/u.test(id)) throw new UsageError(words.sessions.messageAsId(id));
  if (hasMessage && retry) throw new UsageError(words.sessions.messageOrRetry);
  if (retry) return runWhatIsLeft(options, context);
  if (!hasMessage && canChat(context)) return openSession(options, context);
  if (!hasMessage) return showStatus(id, context);
  const text = await readMessage(options, context);
  return resumeSession({ ...options, begin: (conversation) => conversation.send(text) }, context);
}

/** Opens the session in the terminal; without an id the user picks one. */
async function openSession(options: ResumeFlags, context: CliContext): Promise<number> {
  const plain = options.plain || isPlain(context);
  const id =
    options.id ?? (await (await import('../sessions/pickSession.js')).pickSession(context, { plain }));
  return id === undefined ? exitCodeOfSignal('SIGINT') : resumeChat({ ...options, id }, context);
}

async function runWhatIsLeft(options: ResumeFlags, context: CliContext): Promise<number> {
  const session = await withSession(options.id, context, loadSession);
  if (!hasWork(session.status.state)) return showStatus(options.id, context);
  return resumeSession({ ...options, begin: retryTurns }, context);
}

/** Reruns what did not complete, then what was queued; if nothing failed, that alone. Goes past a limit. */
async function retryTurns(conversation: Conversation): Promise<void> {
  const count = await conversation.retry();
  const { phase } = conversation.snapshot();
  if (count === 0 || phase.kind === 'paused') await conversation.resume();
}
