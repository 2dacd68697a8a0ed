import type { RecordedEvent } from '../../../models/ConversationEvent.js';
import type { Language } from '../../../models/Language.js';
import type { TextAnswer } from '../routes.js';
import type { CostShown, FileChanges, MembersShown, SearchHits, TurnExplained } from '../wire.js';

/** Reads a log from its beginning, as often as it is called. */
export type ReadEvents = () => AsyncIterable<RecordedEvent>;

/** All that is asked about whole conversations: what each question is about, and its answer. Plain data, for it crosses a thread. */
export interface ReadingQuestions {
  readonly members: { readonly about: undefined; readonly answer: MembersShown };
  readonly why: { readonly about: { readonly turn: string }; readonly answer: TurnExplained };
  readonly prompt: {
    readonly about: { readonly turn: string; readonly part: 'prompt' | 'system' | 'new' };
    readonly answer: TextAnswer;
  };
  readonly changes: { readonly about: { readonly turn?: string | undefined }; readonly answer: FileChanges };
  readonly cost: { readonly about: { readonly bins: number }; readonly answer: CostShown };
  readonly search: { readonly about: { readonly text: string }; readonly answer: SearchHits };
  readonly export: {
    readonly about: { readonly format: 'md' | 'html' | 'json' | 'jsonl' };
    readonly answer: TextAnswer;
  };
}

export type QuestionName = keyof ReadingQuestions;

/** A question on its way to the thread. */
export interface ReadingQuestion<Name extends QuestionName = QuestionName> {
  readonly name: Name;
  readonly conversationId: string;
  readonly language: Language;
  readonly about: ReadingQuestions[Name]['about'];
  /** The whole log of a conversation that is in no store. */
  readonly events?: readonly RecordedEvent[];
}

/** The reply of the thread: an answer, or an error that can be made again on the other side. */
export type ReadingReply = { readonly answer: unknown } | { readonly failure: Failure };

interface Failure {
  /** Absent for an error that nobody expected. */
  readonly code?: string;
  readonly facts?: object;
  readonly message: string;
}

/** The half of the thread that knows where conversations are saved. */
export interface ReadingParts {
  /** Works with the log of a saved conversation. Rejects with `UNKNOWN_CONVERSATION`. */
  withLog<Value>(conversationId: string, work: (read: ReadEvents) => Promise<Value>): Promise<Value>;
  /** Chooses the language of every sentence made from now on. */
  speakLanguage(language: Language): Promise<void>;
}
