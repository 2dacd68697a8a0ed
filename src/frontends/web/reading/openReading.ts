import { words } from '../../../catalogue/words.js';
import type { RecordedEvent } from '../../../models/ConversationEvent.js';
import type { Language } from '../../../models/Language.js';
import type { Call, Handlers } from '../routes.js';
import type { QuestionName, ReadingQuestions } from './ReadingQuestion.js';
import { ReadingThread, type ThreadSource } from './ReadingThread.js';

export interface ReadingSource extends ThreadSource {
  /** The whole log of a conversation that is only in the memory of this process; undefined for all others. */
  readonly eventsOf?: (conversationId: string) => Promise<readonly RecordedEvent[] | undefined>;
}

/** Answers questions about whole conversations without stopping anything else meanwhile. */
export interface Reading {
  handlers(): Pick<Handlers, QuestionName>;
  close(): Promise<void>;
}

/** Opens the reading of conversations in a thread of its own. Starts nothing before the first question. */
export function openReading({ eventsOf, ...source }: ReadingSource): Reading {
  const thread = new ReadingThread(source);
  const ask = async <Name extends QuestionName>(
    name: Name,
    { params }: Pick<Call, 'params'>,
    about: ReadingQuestions[Name]['about'],
  ): Promise<ReadingQuestions[Name]['answer']> => {
    const conversationId = params.id ?? '';
    const events = await eventsOf?.(conversationId);
    return thread.ask({ name, conversationId, about, ...(events && { events }) });
  };
  return {
    handlers: () => ({
      members: (call) => ask('members', call, undefined),
      why: (call) => ask('why', call, { turn: call.params.turn ?? '' }),
      prompt: (call) => ask('prompt', call, { turn: call.params.turn ?? '', part: call.query.part }),
      changes: (call) => ask('changes', call, { turn: call.query.turn }),
      cost: (call) => ask('cost', call, { bins: call.query.bins }),
      search: (call) => ask('search', call, { text: call.query.text }),
      export: (call) => {
        const { format, language = words.language as Language } = call.query;
        return ask('export', call, { format, language });
      },
    }),
    close: () => thread.close(),
  };
}
