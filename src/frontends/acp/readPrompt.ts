import { basename, isAbsolute, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ContentBlock } from '@agentclientprotocol/sdk/unstable';
import type { WordsOf } from '../../catalogue/words.js';
import type { Attachment } from '../../coordinator/Conversations.js';
import { closingFence, fenceCode, fenceInline, nextFence } from '../../markdown/fences.js';
import { utf8Length } from '../../utils/bytes.js';
import { isBlank } from '../../utils/isBlank.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';
import { invalidRequest } from './sessionRequests.js';

const MEGABYTE = 1024 * 1024;
const MOST_BYTES = 16 * MEGABYTE;
const MOST_ATTACHMENTS = 20;
const MOST_ATTACHED_BYTES = 10 * MEGABYTE;

/** A part of a prompt: text, or a file that was attached in its place. */
type Part = string | Attachment;

/** A file whose contents came with a prompt. */
interface SentContent {
  /** Its path or address, as `readUri` has it. */
  readonly place: string;
  readonly text: string;
}

/** A prompt as it was typed, with the files that have to be saved before it can be said. */
export interface PromptContent {
  /** In the order in which they were typed. */
  readonly parts: readonly Part[];
  /** Contents that the client sent along. In the message they stand below. */
  readonly contents: readonly SentContent[];
}

/** Reads a prompt. Throws if there is nothing in it or too much; nothing has happened then. */
export function readPrompt(
  blocks: readonly ContentBlock[],
  folder: string,
  words: WordsOf<'acp'>,
): PromptContent {
  const content = {
    parts: blocks.map((block, at) => readPart(block, at + 1, folder)),
    contents: blocks.flatMap((block) => readContent(block, folder)),
  };
  requireFitting(content, words);
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

function requireFitting({ parts, contents }: PromptContent, words: WordsOf<'acp'>): void {
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

/** A place as agents can open it: the path of a file, relative where it is in the folder, or the address as it is. */
function readUri(uri: string, folder: string): string {
  const path = pathOf(uri);
  if (path === undefined) return uri;
  const inside = relative(folder, path.file);
  const isInside = inside !== '..' && !inside.startsWith('../') && !isAbsolute(inside);
  return `${isInside ? inside || '.' : path.file}${path.lines}`;
}

function pathOf(uri: string): { readonly file: string; readonly lines: string } | undefined {
  if (isAbsolute(uri)) return { file: uri, lines: '' };
  try {
    const url = new URL(uri);
    const lines = decodeURIComponent(url.hash);
    url.hash = '';
    return { file: fileURLToPath(url), lines };
  } catch {
    // No address, or not one of a file here: it is shown as it is.
    return undefined;
  }
}

/** A name that someone else chose, as code in a line: markers in it do nothing. */
function quoteInline(name: string): string {
  return fenceInline(/\p{Cc}|[\u2028\u2029]/u.test(name) ? JSON.stringify(name) : name);
}

/** A message with the contents of a file below it, as code: markers in it do nothing. */
function addContent(message: string, { place, text }: SentContent): string {
  const open = message.split('\n').reduce(nextFence, null as string | null);
  const above = open === null ? message : `${message}\n${closingFence(open)}`;
  return `${above}\n\n${quoteInline(place)}:\n\n${fenceCode(text.replace(/\n$/u, ''))}`;
}
