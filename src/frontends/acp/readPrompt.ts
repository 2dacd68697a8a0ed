import { basename } from 'node:path';
import type { ContentBlock } from '@agentclientprotocol/sdk/unstable';
import { words } from '../../catalogue/words.js';
import type { Attachment } from '../../coordinator/Conversations.js';
import { utf8Length } from '../../utils/bytes.js';
import { isBlank } from '../../utils/isBlank.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';
import { invalidRequest } from './invalidRequest.js';
import { addContent, quoteInline, readUri, type SentContent } from './promptText.js';

const MEGABYTE = 1024 * 1024;
const MOST_BYTES = 16 * MEGABYTE;
const MOST_ATTACHMENTS = 20;
const MOST_ATTACHED_BYTES = 10 * MEGABYTE;

/** A part of a prompt: text, or a file that was attached in its place. */
type Part = string | Attachment;

/** A prompt as it was typed, with the files that have to be saved before it can be said. */
export interface PromptContent {
  /** In the order in which they were typed. */
  readonly parts: readonly Part[];
  /** Contents that the client sent along. In the message they stand below. */
  readonly contents: readonly SentContent[];
}

/** Reads a prompt. Throws if there is nothing in it or too much; nothing has happened then. */
export function readPrompt(blocks: readonly ContentBlock[], folder: string): PromptContent {
  const content = {
    parts: blocks.map((block, at) => readPart(block, at + 1, folder)),
    contents: blocks.flatMap((block) => readContent(block, folder)),
  };
  requireFitting(content);
  return content;
}

export function hasAttachments({ parts }: PromptContent): boolean {
  return parts.some(isAttachment);
}

/** The message. Its attachments are saved and named where they were put. */
export async function writeMessage(
  { parts, contents }: PromptContent,
  save: (attachment: Attachment) => Promise<string>,
): Promise<string> {
  let text = '';
  for (const part of parts) text += isAttachment(part) ? quoteInline(await save(part)) : part;
  return contents.reduce(addContent, text);
}

function requireFitting({ parts, contents }: PromptContent): void {
  const { blank, tooLong, tooMany, tooLarge } = words.acp;
  const attachments = parts.filter(isAttachment);
  const texts = [...parts.filter((part) => typeof part === 'string'), ...contents.map(({ text }) => text)];
  if (attachments.length === 0 && texts.every(isBlank)) throw invalidRequest(blank);
  const bytes = texts.reduce((sum, text) => sum + utf8Length(text), 0);
  if (bytes > MOST_BYTES) throw invalidRequest(tooLong(formatMegabytes(MOST_BYTES)));
  if (attachments.length > MOST_ATTACHMENTS) throw invalidRequest(tooMany(MOST_ATTACHMENTS));
  const large = attachments.find((attachment) => attachment.bytes.length > MOST_ATTACHED_BYTES);
  if (large !== undefined)
    throw invalidRequest(tooLarge(sanitizeToOneLine(large.name), formatMegabytes(MOST_ATTACHED_BYTES)));
}

function readPart(block: ContentBlock, number: number, folder: string): Part {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'resource_link':
      return quoteInline(readUri(block.uri, folder));
    case 'resource': {
      const { resource } = block;
      if ('text' in resource) return quoteInline(readUri(resource.uri, folder));
      return { name: nameOf(resource.uri), bytes: Buffer.from(resource.blob, 'base64') };
    }
    case 'image':
    case 'audio': {
      const uri = block.type === 'image' ? block.uri : undefined;
      const name = uri ? nameOf(uri) : nameByType(block.type, block.mimeType, number);
      return { name, bytes: Buffer.from(block.data, 'base64') };
    }
  }
}

function readContent(block: ContentBlock, folder: string): SentContent[] {
  if (block.type !== 'resource' || !('text' in block.resource)) return [];
  const { uri, text } = block.resource;
  return [{ place: readUri(uri, folder), text }];
}

function isAttachment(part: Part): part is Attachment {
  return typeof part !== 'string';
}

function nameOf(uri: string): string {
  return basename(readUri(uri, '/').replace(/[?#].*$/su, ''));
}

/** `image-2.png`. */
function nameByType(kind: string, mimeType: string, number: number): string {
  const [, ending] = /^[\w.-]+\/(?:x-)?([a-z0-9]+)/iu.exec(mimeType) ?? [];
  return ending === undefined ? `${kind}-${number}` : `${kind}-${number}.${ending.toLowerCase()}`;
}

function formatMegabytes(bytes: number): string {
  return `${bytes / MEGABYTE} MB`;
}
