import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import {
  type Conversation,
  type ConversationEvent,
  createConversation,
  loadTeamFile,
  MemoryStore,
  resumeConversation,
  type SentText,
} from '../compiled/index.js';
import type { ModelRequest } from './model/ModelRequest.js';
import { say } from './model/Reply.js';
import type { Workshop } from './workshop.js';

export const TASK = 'Plant the border before June.';
/** How everything begins that the member is told. */
export const PREAMBLE = 'You are ada (Gardener), a member of the team "garden".';
/** What the model says unless it is told otherwise. */
export const ANSWER = 'Foxgloves.';

/** A conversation of one person and one agent, and both sides of it. */
export interface Stage {
  readonly conversation: Conversation;
  /** What Huddle says it sent, and what the model received. */
  readonly sent: readonly SentText[];
  readonly received: readonly ModelRequest[];
  readonly events: readonly ConversationEvent[];
}

export interface StageOptions {
  /** A person is there to be asked. */
  readonly interactive?: boolean;
  /** Where the conversation is kept; one that is there already is gone on with. */
  readonly store?: MemoryStore;
  readonly onEvent?: (event: ConversationEvent, conversation: Conversation) => void;
  /** As the team file has them. */
  readonly limits?: object;
  /** More members. Several that are asked at once do not see each other's answers. */
  readonly others?: readonly object[];
  /** Changes of files are recorded. */
  readonly records?: boolean;
}

/** Holds a conversation with this member and closes it, whatever comes of it. */
export async function holdConversation(
  workshop: Workshop,
  member: object,
  talk: (stage: Stage) => Promise<void>,
  options: StageOptions = {},
): Promise<void> {
  const { interactive = false, store = new MemoryStore(), onEvent, limits = {}, others = [] } = options;
  const { workingFolder, dataFolder, model, environment } = workshop;
  // Conversations give their members the environment of this process.
  Object.assign(process.env, environment);
  const file = join(workingFolder, 'huddle.jsonc');
  const members = [
    { name: 'kim', type: 'human' },
    { name: 'ada', type: 'ai', title: 'Gardener', ...member },
    ...others,
  ];
  const routing = { fanout: 'blind' };
  writeFileSync(file, JSON.stringify({ version: 1, name: 'garden', task: TASK, members, limits, routing }));
  const { team } = await loadTeamFile(file);
  const sent: SentText[] = [];
  const events: ConversationEvent[] = [];
  const onPrompt = (text: SentText) => void sent.push(text);
  const setting = {
    ...{ team, workingFolder, interactive, store, onPrompt },
    ...(options.records && { dataFolder }),
  };
  const [kept] = (await store.list({ limit: 1 })).summaries;
  const conversation = await (kept
    ? resumeConversation({ ...setting, id: kept.id })
    : createConversation(setting));
  conversation.subscribe((event) => {
    events.push(event);
    onEvent?.(event, conversation);
  });
  model.behave(() => say(ANSWER));
  try {
    await talk({ conversation, sent, events, received: model.received });
  } finally {
    await conversation.close();
  }
}

/** Everything the model has received when the answer is there. */
export async function ask(
  { conversation, received }: Stage,
  question: string,
  answer: string | RegExp = ANSWER,
): Promise<readonly ModelRequest[]> {
  await conversation.send(question);
  await conversation.settled();
  expect(conversation.snapshot().messages.at(-1)?.content).toMatch(answer);
  return received;
}
