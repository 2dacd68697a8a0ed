import type { SessionUpdate } from '@agentclientprotocol/sdk/unstable';
import { GatheredText } from '../../../utils/GatheredText.js';

/** Characters of one chunk: clients read a whole line at a time. */
export const LONGEST_CHUNK = 64 * 1024;

export type ChunkKind = 'user_message_chunk' | 'agent_message_chunk' | 'agent_thought_chunk';

/** A piece of what someone says or thinks. */
export type TextChunk = Extract<SessionUpdate, { sessionUpdate: ChunkKind }> & {
  content: { type: 'text' };
};

const KINDS: ReadonlySet<string> = new Set<ChunkKind>([
  'user_message_chunk',
  'agent_message_chunk',
  'agent_thought_chunk',
]);

export function isTextChunk(update: SessionUpdate): update is TextChunk {
  return KINDS.has(update.sessionUpdate);
}

/** The same with another text. */
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
