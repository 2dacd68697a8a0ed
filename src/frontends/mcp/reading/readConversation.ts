import { formatTime } from '../../../catalogue/formats.js';
import { words } from '../../../catalogue/words.js';
import type { Conversations } from '../../../coordinator/Conversations.js';
import type { RecordedEvent } from '../../../models/ConversationEvent.js';
import { formatEntry, formatOpening } from '../../../transcript/markdown.js';
import { createTranscript, type Transcript, type TranscriptEntry } from '../../../transcript/Transcript.js';
import type { AnyIterable } from '../../../utils/AnyIterable.js';
import { sanitizeToOneLine } from '../../../utils/sanitize.js';
import { placeOfMessage } from './placeOfMessage.js';

const LISTED = 20;
/** Characters of a title in a list. */
const TITLE_CHARACTERS = 60;

/** A part of a conversation that is wanted. */
export interface PageQuery {
  /** The message to begin with. Default: the first. */
  readonly from?: string | undefined;
  readonly maxCharacters: number;
}

/** Reads a page of a conversation: whole messages, as many as there is room for, and where the next page begins. */
export async function readPage(events: AnyIterable<RecordedEvent>, query: PageQuery): Promise<string> {
  const { from, maxCharacters } = query;
  const transcript = await createTranscript(events);
  const { entries, conversationId } = transcript;
  const start = from === undefined ? 0 : placeOfMessage(entries, from);
  const parts = [formatOpening(transcript)];
  let room = maxCharacters - (parts[0]?.length ?? 0);
  for (const [index, entry] of entries.slice(start).entries()) {
    const text = formatWhole(entry, transcript);
    const isFirst = index === 0;
    if (text.length > room && !isFirst) {
      const next = nextMessage(entries.slice(start + index));
      return [...parts, ...(next === undefined ? [] : [words.mcp.moreFrom(conversationId, next)])].join(
        '\n\n',
      );
    }
    parts.push(cutText(text, room));
    room -= text.length;
  }
  return parts.join('\n\n');
}

/** A text of at most so many characters; what is cut is counted. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  const kept = text.slice(0, Math.max(0, most)).replace(/[\uD800-\uDBFF]$/u, '');
  return `${kept}${words.mcp.cutPrompt(text.length - kept.length)}`;
}

/** With the id of a message, by which the next page is asked for. */
function formatWhole(entry: TranscriptEntry, transcript: Transcript): string {
  const lines = formatEntry(entry, transcript);
  return [...(entry.kind === 'message' ? [`<!-- ${entry.message.id} -->`] : []), ...lines].join('\n\n');
}

function nextMessage(entries: readonly TranscriptEntry[]): string | undefined {
  return entries.flatMap((entry) => (entry.kind === 'message' ? [entry.message.id] : []))[0];
}

/** Lists the latest conversations of a folder. */
export async function listConversations(conversations: Conversations, folder: string): Promise<string> {
  const { summaries } = await conversations.list({ folder, limit: LISTED });
  if (summaries.length === 0) return words.mcp.noSessions;
  const lines = summaries.map(({ id, state, turns, title, changedAt }) => {
    const status = `${words.sessions.states[state]}, ${formatTime(changedAt)}`;
    return words.mcp.listed(id, status, turns, sanitizeToOneLine(title).slice(0, TITLE_CHARACTERS));
  });
  return [lines.join('\n'), words.mcp.listHint].join('\n\n');
}
