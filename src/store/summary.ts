import type { ConversationFact, RecordedEvent } from '../models/ConversationEvent.js';
import type { ConversationId, TurnId } from '../models/ids.js';
import { truncateToBytes } from '../utils/bytes.js';
import { sanitizeToOneLine } from '../utils/sanitize.js';

/** A conversation in a list. */
export interface ConversationSummary extends ConversationTally {
  readonly id: ConversationId;
  /**
   * `open`: a process has it open; `interrupted`: a turn was running when Huddle ended; `damaged`: its entry is not as it
   * was written, so nothing else here is known.
   */
  readonly state: 'open' | 'interrupted' | 'paused' | 'waiting' | 'idle' | 'damaged';
}

/** What a list shows of a conversation, counted along while it is written. */
export interface ConversationTally {
  /** The beginning of the first message, on one line; empty before it. */
  readonly title: string;
  readonly teamName: string;
  readonly memberNames: readonly string[];
  readonly isRehearsal: boolean;
  readonly messages: number;
  readonly turns: number;
  readonly queued: number;
  readonly running: readonly TurnId[];
  readonly isPaused: boolean;
  readonly isWaiting: boolean;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly changedAt: number;
}

export const EMPTY_TALLY: ConversationTally = {
  title: '',
  teamName: '',
  memberNames: [],
  isRehearsal: false,
  messages: 0,
  turns: 0,
  queued: 0,
  running: [],
  isPaused: false,
  isWaiting: false,
  startedAt: 0,
  changedAt: 0,
};

const TITLE_BYTES = 120;

export function countEvent(tally: ConversationTally, event: RecordedEvent): ConversationTally {
  const startedAt = tally.startedAt === 0 ? event.at : tally.startedAt;
  return { ...tally, ...changesBy(tally, event), startedAt, changedAt: event.at };
}

function changesBy(tally: ConversationTally, fact: ConversationFact): Partial<ConversationTally> {
  switch (fact.type) {
    case 'conversation-start':
      return {
        teamName: fact.team.name,
        memberNames: fact.team.members.map(({ name }) => name),
        isRehearsal: fact.isRehearsal,
      };
    case 'message-added':
      return {
        messages: tally.messages + 1,
        title: tally.title === '' ? titleOf(fact.message.content) : tally.title,
        isWaiting: tally.isWaiting && fact.message.speaker.type !== 'human',
      };
    case 'turns-queued':
      return { queued: tally.queued + fact.turns.length };
    case 'turns-dropped':
      return { queued: tally.queued - fact.turnIds.length };
    case 'turn-start':
      return {
        turns: tally.turns + 1,
        queued: tally.queued - 1,
        running: [...tally.running, fact.turnId],
      };
    case 'turn-end':
      return { running: tally.running.filter((turnId) => turnId !== fact.turnId) };
    case 'human-awaited':
      return { isWaiting: true };
    case 'conversation-pause':
      return { isPaused: true };
    case 'conversation-resume':
      return { isPaused: false };
    case 'task-changed':
    case 'brief-changed':
    case 'turn-activity':
    case 'permission-decided':
    case 'notice':
      return {};
  }
}

function titleOf(content: string): string {
  return truncateToBytes(sanitizeToOneLine(content.slice(0, TITLE_BYTES * 4)), TITLE_BYTES);
}

export function summarize(
  id: ConversationId,
  tally: ConversationTally,
  isOpen: boolean,
): ConversationSummary {
  return { ...tally, id, state: stateOf(tally, isOpen) };
}

function stateOf(
  { running, isPaused, isWaiting, queued }: ConversationTally,
  isOpen: boolean,
): ConversationSummary['state'] {
  if (isOpen) return 'open';
  if (running.length > 0) return 'interrupted';
  if (isPaused) return 'paused';
  return isWaiting && queued === 0 ? 'waiting' : 'idle';
}
