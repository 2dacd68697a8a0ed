import { countCost } from './countCost.js';
import { explainForPage, readPromptPart } from './explainForPage.js';
import { exportConversation } from './exportConversation.js';
import { findAgents } from './findAgents.js';
import { findFileChanges } from './findFileChanges.js';
import type { ReadingParts } from './ReadingParts.js';
import type { QuestionName, ReadEvents, ReadingQuestion, ReadingQuestions } from './ReadingQuestion.js';
import { searchMessages } from './searchMessages.js';

type Answers = {
  readonly [Name in QuestionName]: (
    read: ReadEvents,
    question: ReadingQuestion<Name>,
    parts: Pick<ReadingParts, 'speakLanguage'>,
  ) => Promise<ReadingQuestions[Name]['answer']>;
};

const ANSWERS: Answers = {
  members: (read) => findAgents(read),
  why: (read, { about }) => explainForPage(read, about.turn),
  prompt: (read, { about }) => readPromptPart(read, about),
  changes: (read, { about }) => findFileChanges(read, about.turn),
  cost: (read, { about }) => countCost(read, about.bins),
  search: (read, { about }) => searchMessages(read, about.text),
  export: async (read, { conversationId, about }, { speakLanguage }) => {
    await speakLanguage(about.language);
    return exportConversation(read, conversationId, about.format);
  },
};

/** Answers one question about a log. Rejects with a HuddleError if it is about something that the log does not have. */
export function answerQuestion<Name extends QuestionName>(
  question: ReadingQuestion<Name>,
  read: ReadEvents,
  parts: Pick<ReadingParts, 'speakLanguage'>,
): Promise<ReadingQuestions[Name]['answer']> {
  return ANSWERS[question.name](read, question, parts);
}
