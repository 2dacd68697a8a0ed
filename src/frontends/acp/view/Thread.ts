import type { SessionUpdate } from '@agentclientprotocol/sdk/unstable';
import { closingFence, nextFence } from '../../../markdown/fences.js';
import { escapeMarkdown } from '../../../transcript/quoteMarkdown.js';
import { GatheredText } from '../../../utils/GatheredText.js';

/** Between blocks of text, as in a stored answer. */
export const BLOCK_BREAK = '\n\n';

/** Characters of one chunk: clients read a whole line at a time. */
export const LONGEST_CHUNK = 64 * 1024;

/** More of a line is not needed to see whether it begins or ends code. */
const LINE_START = 100;

/** The source of an update, for clients that look: a member, and the turn if it is one's. */
export interface Source {
  readonly member: string;
  readonly turn?: string;
}

const CHUNK_KINDS = ['user_message_chunk', 'agent_message_chunk', 'agent_thought_chunk'] as const;
type ChunkKind = (typeof CHUNK_KINDS)[number];

/** A piece of what someone says or thinks. */
export type TextChunk = Extract<SessionUpdate, { sessionUpdate: ChunkKind }> & {
  content: { type: 'text' };
};

/** A line of Huddle among the words of members. */
export interface ThreadNote {
  readonly text: string;
  readonly messageId: string;
  readonly source?: Source;
  /** The text before it continues after it. */
  readonly isInBlock?: boolean;
}

/**
 * Everything a client shows one below the other, as far as it decides how the next text begins. Clients that know no
 * `messageId` put all text together until something else comes; those that do, show what has one id in one place.
 */
export class Thread {
  /** Id of the text that the next one can continue. */
  #open: string | undefined;
  #hasText = false;
  /** The fence of the code that the text is in, and the beginning of its last line. */
  #fence: string | null = null;
  #line = '';

  /** A person has spoken: what follows stands alone. */
  begin(): void {
    this.#open = undefined;
    this.#hasText = false;
    this.#endLine();
  }

  /** Something else than text has come. */
  interrupt(): void {
    this.#open = undefined;
  }

  isOpen(messageId: string): boolean {
    return this.#open === messageId;
  }

  /** Separates a text from what stands before it in the same place. */
  get lead(): string {
    return this.#hasText ? BLOCK_BREAK : '';
  }

  addText(kind: ChunkKind, messageId: string, text: string, source: object): SessionUpdate {
    this.#open = messageId;
    if (kind === 'agent_message_chunk') {
      this.#hasText = true;
      this.#follow(text);
    } else this.#endLine();
    return { sessionUpdate: kind, messageId, content: { type: 'text', text }, _meta: metaOf(source) };
  }

  /** Ends code that a text leaves open: what comes after it would be read as code. */
  closeCode(source: Source): SessionUpdate[] {
    const fence = nextFence(this.#fence, this.#line);
    const id = this.#open;
    this.#endLine();
    if (fence === null || id === undefined) return [];
    const text = `\n${closingFence(fence)}`;
    const closing = this.addText('agent_message_chunk', id, text, { ...source, isNote: true });
    this.#endLine();
    return [closing];
  }

  /** Adds a line in italics, with a mark for clients that look. */
  addNote({ text, messageId, source, isInBlock = false }: ThreadNote): SessionUpdate {
    const line = `${this.lead}*${escapeMarkdown(text)}*${isInBlock ? BLOCK_BREAK : ''}`;
    const note = this.addText('agent_message_chunk', messageId, line, { ...source, isNote: true });
    this.interrupt();
    return note;
  }

  #follow(text: string): void {
    const lines = (this.#line + text).split('\n');
    this.#line = (lines.pop() ?? '').slice(0, LINE_START);
    this.#fence = lines.reduce(nextFence, this.#fence);
  }

  #endLine(): void {
    this.#fence = null;
    this.#line = '';
  }
}

/** The mark of an update's source, for clients that look. */
export function metaOf(source: object): { huddle: object } {
  return { huddle: source };
}

export function isTextChunk(update: SessionUpdate): update is TextChunk {
  return (CHUNK_KINDS as readonly string[]).includes(update.sessionUpdate);
}

/** The same chunk with another text. */
export function withText(chunk: TextChunk, text: string): TextChunk {
  return { ...chunk, content: { type: 'text', text } };
}

/** An update in as many as it takes. */
export function* splitLong(update: SessionUpdate): Generator<SessionUpdate> {
  if (!isTextChunk(update) || update.content.text.length <= LONGEST_CHUNK) return yield update;
  const rest = new GatheredText();
  rest.add(update.content.text);
  while (rest.length > 0) yield withText(update, rest.take(LONGEST_CHUNK));
}
