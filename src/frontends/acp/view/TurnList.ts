import type { PlanEntry } from '@agentclientprotocol/sdk/unstable';
import { words } from '../../../catalogue/words.js';
import type { TodoListEvent } from '../../../models/AgentEvent.js';
import type { ConversationEvent, QueuedTurn } from '../../../models/ConversationEvent.js';
import type { MemberId, TurnId } from '../../../models/ids.js';
import { sanitizeToOneLine } from '../../../utils/sanitize.js';
import type { NamedSpeaker } from './TurnSpeech.js';

/** A turn that waits, runs or is over, with the to-do list of its agent. */
interface ListedTurn {
  readonly turnId: TurnId;
  readonly memberId: MemberId;
  readonly status: PlanEntry['status'];
  readonly todo: TodoListEvent['items'];
}

/** The turns of a prompt in the order in which they run: a value that events change. */
export type TurnList = readonly ListedTurn[];

export function applyToTurns(turns: TurnList, event: ConversationEvent): TurnList {
  switch (event.type) {
    case 'turns-queued': {
      const waiting = turns.findIndex(({ status }) => status === 'pending');
      const place = event.place === 'back' || waiting < 0 ? turns.length : waiting;
      return [...turns.slice(0, place), ...event.turns.map(wait), ...turns.slice(place)];
    }
    case 'turns-dropped':
      return turns.filter(({ turnId }) => !event.turnIds.includes(turnId));
    case 'turn-start': {
      const known = turns.some(({ turnId }) => turnId === event.turnId) ? turns : [...turns, wait(event)];
      return change(known, event.turnId, { status: 'in_progress' });
    }
    case 'turn-end':
      return change(turns, event.turnId, { status: 'completed' });
    case 'turn-activity':
      return event.event.type === 'todo-list'
        ? change(turns, event.turnId, { todo: event.event.items })
        : turns;
    default:
      return turns;
  }
}

/** The turns that a new prompt has from the one before. */
export function openTurns(turns: TurnList): TurnList {
  return turns.filter(({ status }) => status !== 'completed');
}

/** Lists turns where there are several, and what members mean to do. */
export function planEntries(turns: TurnList, speakerOf: (id: MemberId) => NamedSpeaker): PlanEntry[] {
  return turns.flatMap(({ memberId, status, todo }) => {
    const { name, title } = speakerOf(memberId);
    const own = turns.length > 1 ? [entry(title ? `${name} · ${title}` : name, status)] : [];
    const items = todo.map(({ text, done }) =>
      entry(words.joining.labelled(name, text), done ? 'completed' : 'pending'),
    );
    return [...own, ...items];
  });
}

function entry(content: string, status: PlanEntry['status']): PlanEntry {
  return { content: sanitizeToOneLine(content), priority: 'medium', status };
}

function wait({ turnId, memberId }: Pick<QueuedTurn, 'turnId' | 'memberId'>): ListedTurn {
  return { turnId, memberId, status: 'pending', todo: [] };
}

function change(turns: TurnList, turnId: TurnId, news: Partial<ListedTurn>): TurnList {
  return turns.map((turn) => (turn.turnId === turnId ? { ...turn, ...news } : turn));
}
