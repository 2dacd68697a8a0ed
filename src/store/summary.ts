import type {
  ConversationFact,
  HumanAwaited,
  MemberSummary,
  PauseReason,
  RecordedEvent,
  TurnEnd,
  TurnResult,
} from '../models/ConversationEvent.js';
import type { ConversationId, TurnId } from '../models/ids.js';
import { truncateToBytes } from '../utils/bytes.js';
import { sanitizeToOneLine } from '../utils/sanitize.js';

/** A conversation in a list. */
export interface ConversationSummary extends ConversationTally {
  readonly id: ConversationId;
  /** Where on this machine it is held; absent when nobody said. */
  readonly folder?: string;
  readonly state: ConversationStanding;
}

export type ConversationStanding =
  /** A process has it open. */
  | 'open'
  /** Huddle ended while a turn was running or waiting. */
  | 'interrupted'
  /** At a limit, or because somebody asked for it. */
  | 'paused'
  /** Somebody stopped a turn. */
  | 'stopped'
  /** A turn failed, and nobody has said anything since. */
  | 'failed'
  /** For people whom an agent asked for by name. */
  | 'waiting'
  /** Nothing is left to run. */
  | 'done'
  /** Nothing was ever said. */
  | 'empty'
  /** Its entry is not as it was written, so nothing else here is known. */
  | 'damaged';

/** What a list shows of a conversation, counted along while it is written. */
export interface ConversationTally {
  /** The beginning of the first message, on one line; empty before it. */
  readonly title: string;
  readonly teamName: string;
  readonly members: readonly Pick<MemberSummary, 'id' | 'name'>[];
  readonly isRehearsal: boolean;
  readonly messages: number;
  readonly turns: number;
  readonly queued: number;
  readonly running: readonly TurnId[];
  /** Ended without an answer since a person last spoke, and not asked for again. */
  readonly unfinished: readonly UnfinishedTurn[];
  readonly pause: PauseReason | null;
  /** Names of the people an agent has asked for by name, and who have not answered. */
  readonly awaited: readonly string[];
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly changedAt: number;
}

export interface UnfinishedTurn {
  readonly turnId: TurnId;
  readonly kind: Exclude<TurnResult['kind'], 'completed'>;
}

export const EMPTY_TALLY: ConversationTally = {
  title: '',
  teamName: '',
  members: [],
  isRehearsal: false,
  messages: 0,
  turns: 0,
  queued: 0,
  running: [],
  unfinished: [],
  pause: null,
  awaited: [],
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
        members: fact.team.members.map(({ id, name }) => ({ id, name })),
        isRehearsal: fact.isRehearsal,
      };
    case 'message-added':
      return {
        messages: tally.messages + 1,
        title: tally.title === '' ? titleOf(fact.message.content) : tally.title,
        ...(fact.message.speaker.type === 'human' && { awaited: [], unfinished: [] }),
      };
    case 'turns-queued':
      return {
        queued: tally.queued + fact.turns.length,
        unfinished: tally.unfinished.filter(
          ({ turnId }) => !fact.turns.some(({ retryOf }) => retryOf === turnId),
        ),
      };
    case 'turns-dropped':
      return { queued: tally.queued - fact.turnIds.length };
    case 'turn-start':
      return {
        turns: tally.turns + 1,
        queued: tally.queued - 1,
        running: [...tally.running, fact.turnId],
      };
    case 'turn-end':
      return endTurn(tally, fact);
    case 'human-awaited':
      return fact.named ? { awaited: [...new Set([...tally.awaited, ...namesOf(tally, fact)])] } : {};
    case 'conversation-pause':
      return { pause: fact.reason };
    case 'conversation-resume':
      return { pause: null };
    case 'task-changed':
    case 'brief-changed':
    case 'turn-activity':
    case 'permission-decided':
    case 'notice':
      return {};
  }
}

function endTurn({ running, unfinished }: ConversationTally, { turnId, result }: TurnEnd) {
  return {
    running: running.filter((id) => id !== turnId),
    ...(result.kind !== 'completed' && { unfinished: [...unfinished, { turnId, kind: result.kind }] }),
  };
}

function namesOf({ members }: ConversationTally, { memberIds }: HumanAwaited): string[] {
  return memberIds.map((memberId) => members.find(({ id }) => id === memberId)?.name ?? memberId);
}

function titleOf(content: string): string {
  return truncateToBytes(sanitizeToOneLine(content.slice(0, TITLE_BYTES * 4)), TITLE_BYTES);
}

/** What a store keeps of a conversation beside its events. */
interface KeptConversation {
  readonly id: ConversationId;
  readonly folder: string | undefined;
  readonly tally: ConversationTally;
}

export function summarize({ id, folder, tally }: KeptConversation, isOpen: boolean): ConversationSummary {
  const state = isOpen ? 'open' : standingOf(tally);
  return { id, ...(folder !== undefined && { folder }), state, ...tally };
}

/** What keeps a conversation from being done, the most telling first. */
function standingOf(tally: ConversationTally): ConversationStanding {
  const { running, pause, unfinished, queued, awaited, messages } = tally;
  const [last] = unfinished.slice(-1);
  if (running.length > 0) return 'interrupted';
  if (pause !== null) return pause.kind === 'cancelled' ? 'stopped' : 'paused';
  if (last !== undefined) return STANDING_AFTER[last.kind];
  if (queued > 0) return 'interrupted';
  if (awaited.length > 0) return 'waiting';
  return messages === 0 ? 'empty' : 'done';
}

const STANDING_AFTER: Readonly<Record<UnfinishedTurn['kind'], ConversationStanding>> = {
  interrupted: 'interrupted',
  cancelled: 'stopped',
  failed: 'failed',
  'timed-out': 'failed',
};
