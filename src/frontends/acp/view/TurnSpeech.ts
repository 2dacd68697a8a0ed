import type { SessionUpdate } from '@agentclientprotocol/sdk/unstable';
import type { Catalogue } from '../../../catalogue/words.js';
import type { TurnId } from '../../../models/ids.js';
import type { UnfinishedOutcome } from '../../../models/TurnOutcome.js';
import { MAX_MESSAGE_ANSWER_BYTES } from '../../../models/textLimits.js';
import { escapeMarkdown } from '../../../transcript/quoteMarkdown.js';
import { utf8Length } from '../../../utils/bytes.js';
import { GatheredText } from '../../../utils/GatheredText.js';
import { tellTrouble } from '../../lines/sentences.js';
import { BLOCK_BREAK, type Source, type Thread } from './Thread.js';

/** A member as it is named above its this.#head.words. */
export interface NamedSpeaker {
  readonly name: string;
  readonly title?: string | undefined;
}

/** A turn, who has it, and the words it is told in. */
export interface TurnHead {
  readonly turnId: TurnId;
  readonly speaker: NamedSpeaker;
  /** The same object for all updates of the turn: by it they are known to belong together. */
  readonly source: Source;
  readonly words: Catalogue;
}

/** Between two thoughts that came as blocks; pieces of one thought bring their own blanks. */
const SENTENCE_END = /[.!?:*`)]$/u;
const SENTENCE_START = /^[\p{Lu}*#]/u;

/**
 * The words of a turn as they come. All of its text after each other is the header and the answer as it is stored; only an
 * attempt that the agent gave up stays where it is, with a line after it.
 */
export class TurnSpeech {
  readonly #head: TurnHead;
  readonly #thread: Thread;
  #blocks = 0;
  #textId = '';
  #thoughtId = '';
  #thoughtEnd = '';
  #hasSpoken = false;
  /** Deltas of the block that is being written. */
  readonly #written = new GatheredText();
  /** The blocks before it; null once they are too long for a message, which then has not all of them. */
  #told: string | null = '';

  constructor(head: TurnHead, thread: Thread) {
    this.#head = head;
    this.#thread = thread;
  }

  write(text: string): SessionUpdate[] {
    if (text === '') return [];
    const isFirst = this.#written.length === 0;
    this.#written.add(text);
    return [this.#speak(text, isFirst)];
  }

  /** Ends a block. A text that is not what was written before is shown as one of its own. */
  settle(text: string): SessionUpdate[] {
    const written = this.#written.text;
    const isContinued = written !== '' && text.startsWith(written);
    const before = isContinued ? [] : this.giveUp();
    this.#written.clear();
    this.#remember(text);
    const rest = isContinued ? text.slice(written.length) : text;
    return rest === '' ? before : [...before, this.#speak(rest, !isContinued)];
  }

  /** The agent writes the block anew. */
  giveUp(): SessionUpdate[] {
    if (this.#written.length === 0) return [];
    this.#written.clear();
    return [...this.#closeCode(), this.note(this.#head.words.acpView.startsAgain)];
  }

  think(text: string): SessionUpdate[] {
    if (text === '') return [];
    const isFirst = !this.#thread.isOpen(this.#thoughtId);
    if (isFirst) this.#thoughtId = this.#nextId();
    const isBlock = !isFirst && SENTENCE_END.test(this.#thoughtEnd) && SENTENCE_START.test(text);
    const lead = isFirst
      ? this.#head.words.joining.labelled(this.#head.speaker.name, '')
      : isBlock
        ? BLOCK_BREAK
        : '';
    this.#thoughtEnd = text.slice(-1);
    return [this.#add('agent_thought_chunk', this.#thoughtId, lead + text)];
  }

  /** Shows what of the message that the turn became was not shown while it was written. */
  complete(content: string): SessionUpdate[] {
    const rest = this.#completeAnswer(content);
    return [...rest, ...this.#closeCode()];
  }

  /** Shows what of the draft was not shown while it was written, and a line that says why it is a draft. */
  leave(result: UnfinishedOutcome): SessionUpdate[] {
    // Otherwise the header says that it is a draft.
    const isShown = this.#hasSpoken;
    const rest = [...this.#leaveDraft(result.draft), ...this.#closeCode()];
    if (result.kind !== 'cancelled')
      return [...rest, this.note(tellTrouble(this.#head.speaker.name, result, this.#head.words))];
    return isShown ? [...rest, this.note(this.#head.words.telling.draft)] : rest;
  }

  /** Adds a line of Huddle about the turn. */
  note(text: string): SessionUpdate {
    const isInBlock = this.#written.length > 0;
    return this.#thread.addNote({ text, messageId: this.#nextId(), source: this.#head.source, isInBlock });
  }

  #completeAnswer(content: string): SessionUpdate[] {
    const told = this.#told === '' ? this.#written.text : this.#told;
    this.#forget();
    if (told === null || told.trim() === content.trim() || isTooLong(told)) return [];
    if (told === '') return [this.#speak(content, true)];
    if (content.startsWith(told)) return [this.#speak(content.slice(told.length), false)];
    return [
      ...this.#closeCode(),
      this.note(this.#head.words.acpView.startsAgain),
      this.#speak(content, true),
    ];
  }

  #closeCode(): SessionUpdate[] {
    return this.#thread.isOpen(this.#textId) ? this.#thread.closeCode(this.#head.source) : [];
  }

  #leaveDraft(draft: string): SessionUpdate[] {
    const isKnown = this.#told !== null;
    const told = [this.#told, this.#written.text].filter((text) => text !== '').join(BLOCK_BREAK);
    this.#forget();
    if (!isKnown || draft === '') return [];
    if (told === '') return [this.#speak(draft, true, this.#head.words.telling.draft)];
    const rest = draft.startsWith(told) ? draft.slice(told.length) : '';
    return rest === '' ? [] : [this.#speak(rest, false)];
  }

  #speak(text: string, isNewBlock: boolean, mark?: string): SessionUpdate {
    const lead = isNewBlock ? this.#leadOf(mark) : '';
    if (isNewBlock || !this.#thread.isOpen(this.#textId)) this.#textId = this.#nextId();
    this.#hasSpoken = true;
    return this.#add('agent_message_chunk', this.#textId, lead + text);
  }

  #leadOf(mark: string | undefined): string {
    if (this.#hasSpoken) return BLOCK_BREAK;
    const { name, title } = this.#head.speaker;
    const facts = [title, mark].flatMap((fact) => (fact ? [` · ${escapeMarkdown(fact)}`] : []));
    return `${this.#thread.lead}**${escapeMarkdown(name)}**${facts.join('')}${BLOCK_BREAK}`;
  }

  #add(kind: 'agent_message_chunk' | 'agent_thought_chunk', id: string, text: string): SessionUpdate {
    return this.#thread.addText(kind, id, text, this.#head.source);
  }

  #remember(text: string): void {
    if (this.#told === null || text === '') return;
    this.#told += this.#told === '' ? text : BLOCK_BREAK + text;
    if (isTooLong(this.#told)) this.#told = null;
  }

  #forget(): void {
    this.#told = '';
    this.#written.clear();
  }

  #nextId(): string {
    this.#blocks += 1;
    return `${this.#head.turnId}.${this.#blocks}`;
  }
}

/** Whether a message has not all of it. */
function isTooLong(text: string): boolean {
  return utf8Length(text) > MAX_MESSAGE_ANSWER_BYTES;
}
