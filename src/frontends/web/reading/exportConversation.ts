import { HuddleError } from '../../../models/errors.js';
import { EXPORT_WRITERS } from '../../../transcript/exportFormats.js';
import type { TextAnswer } from '../routes.js';
import type { ReadEvents } from './ReadingQuestion.js';

const TYPES = {
  md: 'text/markdown; charset=utf-8',
  html: 'text/html; charset=utf-8',
  json: 'application/json; charset=utf-8',
  jsonl: 'application/jsonl; charset=utf-8',
};

/** Writes a conversation as `huddle export` does, as a file to save. Of a damaged one what can be read; its name says so. */
export async function exportConversation(
  read: ReadEvents,
  conversationId: string,
  format: keyof typeof TYPES,
): Promise<TextAnswer> {
  let isDamaged = false;
  const readIntact = async function* () {
    try {
      yield* read();
    } catch (error) {
      if (!(error instanceof HuddleError && error.code === 'STORE_DAMAGED')) throw error;
      isDamaged = true;
    }
  };
  const pieces: string[] = [];
  for await (const piece of EXPORT_WRITERS[format](readIntact)) pieces.push(piece);
  const name = `huddle-${conversationId.replaceAll(/[^\w.-]/gu, '_')}`;
  const fileName = `${name}${isDamaged ? '-incomplete' : ''}.${format}`;
  return { type: TYPES[format], text: pieces.join(''), fileName };
}
