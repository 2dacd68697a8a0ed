import type { SessionUpdate } from '@agentclientprotocol/sdk/unstable';
import { escapeMarkdown } from '../../../transcript/quoteMarkdown.js';
import type { ChunkKind } from './textChunk.js';

/** Between blocks of text, as in a stored answer. */
export const BLOCK_BREAK = '\n\n';

/** The source of an update, for clients that look: a member, and the turn if it is one's. */
export interface Source {
  readonly member: string;
  readonly turn?: string;
}

/** A line of Huddle among the words of members. */
export interface ThreadNote {
  readonly text: string;
  /** Default: an id of its own. */
  readonly messageId?: string;
  readonly source?: Source;
  /** The text before it goes on after it. */
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
  #notes = 0;

  /** A person has spoken: what follows stands alone. */
  begin(): void {
    this.#open = undefined;
    this.#hasText = false;
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
    this.#hasText ||= kind === 'agent_message_chunk';
    return { sessionUpdate: kind, messageId, content: { type: 'text', text }, _meta: metaOf(source) };
  }

  /** Adds a line in italics, with a mark for clients that look. */
  addNote({ text, messageId, source, isInBlock = false }: ThreadNote): SessionUpdate {
    this.#notes += 1;
    const id = messageId ?? `note-${this.#notes}`;
    const line = `${this.lead}*${escapeMarkdown(text)}*${isInBlock ? BLOCK_BREAK : ''}`;
    const note = this.addText('agent_message_chunk', id, line, { ...source, isNote: true });
    this.interrupt();
    return note;
  }
}

/** The mark of an update's source, for clients that look. */
export function metaOf(source: object): { huddle: object } {
  return { huddle: source };
}
