import type { RecordedEvent } from '../../../models/ConversationEvent.js';
import type { ShownMember } from '../../../presentation/Block.js';
import { showMembers } from '../../../presentation/Telling.js';
import { showMessage } from '../../../presentation/tell.js';
import { findFolded, foldText } from '../../../utils/foldText.js';
import type { Excerpt, SearchHit, SearchHits } from '../wire.js';
import type { ReadEvents } from './ReadingQuestion.js';

/** As many as a person looks through. */
const MOST_HITS = 200;
/** Units around a hit. */
const [BEFORE, AFTER] = [40, 100];

/** Finds a text in what messages show, in capitals or not: each message once, with its first place. */
export async function searchMessages(read: ReadEvents, text: string): Promise<SearchHits> {
  const folded = foldText(text);
  const hits: SearchHit[] = [];
  let members: readonly ShownMember[] = [];
  for await (const event of read()) {
    if (event.type === 'conversation-start') members = showMembers(event.team.members);
    const hit = findIn(event, folded, members);
    if (hit !== undefined) hits.push(hit);
  }
  return { hits: hits.slice(-MOST_HITS), isCut: hits.length > MOST_HITS };
}

function findIn(
  event: RecordedEvent,
  folded: string,
  members: readonly ShownMember[],
): SearchHit | undefined {
  if (event.type !== 'message-added' || !foldText(event.message.content).includes(folded)) return undefined;
  const { text, member } = showMessage({ members }, event.message);
  const place = findFolded(text, folded);
  if (place === undefined) return undefined;
  return {
    seq: event.seq,
    messageId: event.message.id,
    memberName: member.name,
    at: event.at,
    excerpt: cutOut(text, place),
  };
}

function cutOut(text: string, { start, end }: { readonly start: number; readonly end: number }): Excerpt {
  const from = Math.max(0, start - BEFORE);
  return {
    before: onOneLine(`${from > 0 ? '…' : ''}${text.slice(from, start)}`),
    match: onOneLine(text.slice(start, end)),
    after: onOneLine(`${text.slice(end, end + AFTER)}${text.length > end + AFTER ? '…' : ''}`),
  };
}

/** A cut may go through a pair of units. */
function onOneLine(text: string): string {
  return text.toWellFormed().replaceAll('\ufffd', '').replaceAll(/\s+/gu, ' ');
}
