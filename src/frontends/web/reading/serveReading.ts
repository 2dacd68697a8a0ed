import type { MessagePort } from 'node:worker_threads';
import { HuddleError } from '../../../models/errors.js';
import { toAsync } from '../../../utils/AnyIterable.js';
import { answerQuestion } from './answerQuestion.js';
import type { ReadEvents, ReadingParts, ReadingQuestion, ReadingReply } from './ReadingQuestion.js';

/** Answers questions about whole conversations, one after the other, in a thread of their own. */
export function serveReading(port: MessagePort, parts: ReadingParts): void {
  port.on('message', async (question: ReadingQuestion) => {
    port.postMessage(await replyTo(question, parts));
  });
}

async function replyTo(question: ReadingQuestion, parts: ReadingParts): Promise<ReadingReply> {
  const { conversationId, language, events } = question;
  const work = (read: ReadEvents) => answerQuestion(question, read);
  try {
    await parts.speakLanguage(language);
    const answer = await (events === undefined
      ? parts.withLog(conversationId, work)
      : work(() => toAsync(events)));
    return { answer };
  } catch (error) {
    return { failure: describeFailure(error) };
  }
}

function describeFailure(error: unknown): Extract<ReadingReply, { failure: object }>['failure'] {
  if (error instanceof HuddleError) {
    const { code, facts, message } = error;
    return { code, message, facts };
  }
  return { message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}
