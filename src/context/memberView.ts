import type { ConversationMessage } from '../models/ConversationMessage.js';
import type { MessageId } from '../models/ids.js';
import { isBlank } from '../utils/isBlank.js';
import { type ContextWindow, findWindow, inclusionInWindow, type WindowRequest } from './contextWindow.js';
import type { MessageList } from './MessageList.js';
import type { PlannedMessages, PromptContextMessage } from './types.js';

/** View of one member: the messages it sees, and how they were chosen. */
export interface MemberView {
  /** The pinned message first, where there is one; then oldest to newest. */
  readonly contextMessages: readonly PromptContextMessage[];
  readonly currentMessage: string;
  readonly window: ContextWindow;
  /** The message left out because the current one says the same. */
  readonly duplicate: number | null;
}

export function viewConversation(messages: MessageList, request: WindowRequest): MemberView {
  const window = findWindow(messages.length, (index) => messages.at(index), request);
  const current = messages.at(window.current) as ConversationMessage;
  const currentMessage = messages.shownAt(window.current).content;
  const duplicate = window.holdsCurrent ? null : findDuplicate(messages, window, current, currentMessage);
  const contextMessages = showWindow(messages, window, duplicate, request.withTypes === true);
  if (window.holdsCurrent) return { contextMessages, currentMessage: ANSWER_AGAIN, window, duplicate };
  return {
    contextMessages: request.wasCutOff ? [...contextMessages, cutOffNote(request)] : contextMessages,
    currentMessage: currentMessage === '' && !isBlank(current.content) ? handOver(current) : currentMessage,
    window,
    duplicate,
  };
}

/** Speaker of Huddle's own lines; no member can have the name. */
export const NOTE_SPEAKER = 'system';
const CUT_OFF =
  'Your last turn was cut off before you had answered; what you were sent in it is not repeated.';
/** In place of a message that the member's own session holds. */
const ANSWER_AGAIN =
  'Your last turn was cut off before you had answered. Answer now what you were sent in it, which is not repeated.';

function cutOffNote({ agentId, agentName = agentId, withTypes }: WindowRequest): PromptContextMessage {
  return { from: NOTE_SPEAKER, to: agentName, content: CUT_OFF, ...(withTypes && { type: 'system' }) };
}

/**
 * An agent's message is not shown twice in a row, as context and as current message. That it is the very same message
 * cannot come up, since the current one is never its own context; the same words of the same speaker can.
 */
function findDuplicate(
  messages: MessageList,
  window: ContextWindow,
  { speaker }: ConversationMessage,
  content: string,
): number | null {
  if (speaker.type !== 'ai') return null;
  let previous = window.current - 1;
  while (previous >= window.start && inclusionInWindow(window, previous) !== 'kept') previous--;
  if (previous < window.start) return null;
  const shown = messages.shownAt(previous);
  return shown.from === speaker.roleName && shown.content === content ? previous : null;
}

function showWindow(
  messages: MessageList,
  window: ContextWindow,
  duplicate: number | null,
  withTypes: boolean,
): readonly PromptContextMessage[] {
  const { start, current, pinned, hides } = window;
  const isUnbroken = hides === undefined && pinned === null && current === messages.length - 1;
  if (isUnbroken && !withTypes) return messages.showRange(start, duplicate ?? current);
  const indexes = pinned === null ? [] : [pinned];
  for (let index = start; index < messages.length; index++) {
    if (index !== duplicate && inclusionInWindow(window, index) === 'kept') indexes.push(index);
  }
  return indexes.map((index) => {
    const shown = messages.shownAt(index);
    return withTypes ? { ...shown, type: messages.at(index)?.speaker.type } : shown;
  });
}

/** Replaces a message of markers only: an empty prompt makes every agent fail. */
function handOver({ speaker }: ConversationMessage): string {
  return `(${speaker.roleName} hands off to you.)`;
}

/**
 * Every message of the conversation and what became of it, neighbours that fared alike in one run. The past is one run,
 * broken only by the pinned and the current message, and is not walked.
 */
export function planMessages(
  messages: MessageList,
  view: MemberView,
  droppedMessages: number,
): PlannedMessages[] {
  const runs: PlannedMessages[] = [];
  let toDrop = droppedMessages;
  const pinnedIsDropped = droppedMessages > 0 && droppedMessages === view.contextMessages.length;
  for (const [from, to] of stretchesOf(messages.length, view.window)) {
    let inclusion = from === view.duplicate ? 'duplicate' : inclusionInWindow(view.window, from);
    if (inclusion === 'pinned' && pinnedIsDropped) inclusion = 'budget';
    if (inclusion === 'kept' && toDrop-- > 0) inclusion = 'budget';
    const last = idAt(messages, to);
    const count = to - from + 1;
    const run = runs.at(-1);
    if (run?.inclusion === inclusion) runs[runs.length - 1] = { ...run, last, count: run.count + count };
    else runs.push({ first: idAt(messages, from), last, count, inclusion });
  }
  return runs;
}

/** Both ends of neighbours that surely fare alike: long ones in the past, then message by message. */
function* stretchesOf(
  length: number,
  { past, pinned, current }: ContextWindow,
): Generator<readonly [number, number]> {
  let next = 0;
  const breaks = [pinned ?? past.length, current, past.length].sort((one, other) => one - other);
  for (const index of breaks.filter((index) => index <= past.length)) {
    if (index > next) yield [next, index - 1];
    if (index < past.length) yield [index, index];
    next = Math.min(index + 1, past.length);
  }
  for (let index = past.length; index < length; index++) yield [index, index];
}

function idAt(messages: MessageList, index: number): MessageId {
  return (messages.at(index) as ConversationMessage).id;
}
