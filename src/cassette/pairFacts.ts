import type { ConversationFact, RecordedEvent } from '../models/ConversationEvent.js';

/** A fact of a recording and the same one of its play; or one that only one of them has. */
export interface FactPair {
  readonly before?: RecordedEvent | undefined;
  readonly now?: RecordedEvent | undefined;
}

/** So far ahead is a fact looked for that is not in its place. */
const MOST_SKIPPED = 50;

/** Pairs the facts of a recording with those of its play, in order; one stands in place of another of its type. */
export function pairFacts(before: readonly RecordedEvent[], now: readonly RecordedEvent[]): FactPair[] {
  const [old, current] = [before.map(factKey), now.map(factKey)];
  const pairs: FactPair[] = [];
  let [left, right] = [0, 0];
  while (left < old.length && right < current.length) {
    const missing = distanceTo(current[right], old, left);
    const extra = distanceTo(old[left], current, right);
    const areElsewhere = missing < Infinity || extra < Infinity;
    if (missing === 0 || (!areElsewhere && before[left]?.type === now[right]?.type))
      pairs.push({ before: before[left++], now: now[right++] });
    else if (missing <= extra) pairs.push({ before: before[left++] });
    else pairs.push({ now: now[right++] });
  }
  for (const event of before.slice(left)) pairs.push({ before: event });
  for (const event of now.slice(right)) pairs.push({ now: event });
  return pairs;
}

function distanceTo(key: string | undefined, keys: readonly string[], from: number): number {
  const distance = keys.slice(from, from + MOST_SKIPPED).indexOf(key ?? '');
  return distance === -1 ? Infinity : distance;
}

/** Names a fact so that the same one of another play of the conversation has the same name, whatever else it says. */
export function factKey(fact: ConversationFact): string {
  return [fact.type, ...namesOf(fact)].filter(Boolean).join(' ');
}

function namesOf(fact: ConversationFact): readonly (string | undefined)[] {
  switch (fact.type) {
    case 'message-added':
      return [fact.message.id];
    case 'turns-queued':
      return fact.turns.map(({ turnId }) => turnId);
    case 'turns-dropped':
      return fact.turnIds;
    case 'turn-start':
    case 'turn-end':
      return [fact.turnId];
    case 'turn-activity': {
      const { event, turnId } = fact;
      const id = event.type === 'permission-request' ? event.requestId : undefined;
      return [turnId, event.type, 'toolId' in event ? event.toolId : id];
    }
    case 'permission-decided':
      return [fact.requestId];
    case 'profile-changed':
      return [fact.memberId];
    case 'files-recorded':
      return [fact.by.kind, fact.copyOf];
    case 'notice':
      return [
        fact.code,
        'memberId' in fact ? fact.memberId : undefined,
        'messageId' in fact ? fact.messageId : undefined,
      ];
    case 'conversation-pause':
      return [fact.reason.kind];
    default:
      return [];
  }
}
