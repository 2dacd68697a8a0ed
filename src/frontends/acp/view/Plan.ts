import { isDeepStrictEqual } from 'node:util';
import type { PlanEntry } from '@agentclientprotocol/sdk/unstable';
import type { WordsOf } from '../../../catalogue/words.js';
import type { TodoListEvent } from '../../../models/AgentEvent.js';
import type { ConversationEvent, QueuedTurn } from '../../../models/ConversationEvent.js';
import type { MemberId, TurnId } from '../../../models/ids.js';
import { sanitizeToOneLine } from '../../../utils/sanitize.js';
import type { NamedSpeaker } from './TurnSpeech.js';

/** Clients print every plan. */
const BETWEEN_PLANS_MILLISECONDS = 200;

/** A turn that waits, runs or is over, with the to-do list of its agent. */
interface ListedTurn {
  readonly turnId: TurnId;
  readonly memberId: MemberId;
  readonly status: PlanEntry['status'];
  readonly todo: TodoListEvent['items'];
}

export interface PlanOptions {
  readonly speakerOf: (id: MemberId) => NamedSpeaker;
  readonly words: WordsOf<'joining'>;
  readonly send: (entries: PlanEntry[]) => void;
}

/** The turns of a prompt in the order in which they run, sent as a plan when it has changed, and not too often. */
export class Plan {
  readonly #options: PlanOptions;
  #turns: readonly ListedTurn[] = [];
  #sent: PlanEntry[] = [];
  #timer: NodeJS.Timeout | undefined;
  #lastAt = Number.NEGATIVE_INFINITY;

  constructor(options: PlanOptions) {
    this.#options = options;
  }

  /** A prompt begins. A plan that is done stays with its client; what was left open in one is taken away. */
  begin(): void {
    this.#turns = this.#turns.filter(({ status }) => status !== 'completed');
    if (this.#sent.every(({ status }) => status === 'completed')) this.#sent = [];
    this.#sendSoon();
  }

  take(event: ConversationEvent): void {
    const turns = applyToTurns(this.#turns, event);
    if (turns === this.#turns) return;
    this.#turns = turns;
    this.#sendSoon();
  }

  /** Sends it now, if it has changed. */
  flush(): void {
    this.stop();
    const entries = listEntries(this.#turns, this.#options);
    if (isDeepStrictEqual(entries, this.#sent)) return;
    this.#sent = entries;
    this.#lastAt = performance.now();
    this.#options.send(entries);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #sendSoon(): void {
    if (this.#timer !== undefined) return;
    const wait = this.#lastAt + BETWEEN_PLANS_MILLISECONDS - performance.now();
    if (wait <= 0) this.flush();
    else this.#timer = setTimeout(() => this.flush(), wait);
  }
}

function applyToTurns(turns: readonly ListedTurn[], event: ConversationEvent): readonly ListedTurn[] {
  const change = (turnId: TurnId, news: Partial<ListedTurn>) =>
    turns.map((turn) => (turn.turnId === turnId ? { ...turn, ...news } : turn));
  switch (event.type) {
    case 'turns-queued': {
      const waiting = turns.findIndex(({ status }) => status === 'pending');
      const place = event.place === 'back' || waiting < 0 ? turns.length : waiting;
      return turns.toSpliced(place, 0, ...event.turns.map((turn) => listTurn(turn, 'pending')));
    }
    case 'turns-dropped':
      return turns.filter(({ turnId }) => !event.turnIds.includes(turnId));
    case 'turn-start':
      return turns.some(({ turnId }) => turnId === event.turnId)
        ? change(event.turnId, { status: 'in_progress' })
        : [...turns, listTurn(event, 'in_progress')];
    case 'turn-end':
      return change(event.turnId, { status: 'completed' });
    case 'turn-activity':
      return event.event.type === 'todo-list' ? change(event.turnId, { todo: event.event.items }) : turns;
    default:
      return turns;
  }
}

function listTurn(
  { turnId, memberId }: Pick<QueuedTurn, 'turnId' | 'memberId'>,
  status: PlanEntry['status'],
): ListedTurn {
  return { turnId, memberId, status, todo: [] };
}

/** Lists turns where there are several, and what members mean to do. */
function listEntries(
  turns: readonly ListedTurn[],
  { speakerOf, words }: Pick<PlanOptions, 'speakerOf' | 'words'>,
): PlanEntry[] {
  return turns.flatMap(({ memberId, status, todo }) => {
    const { name, title } = speakerOf(memberId);
    const own = turns.length > 1 ? [createEntry(title ? `${name} · ${title}` : name, status)] : [];
    const items = todo.map(({ text, done }) =>
      createEntry(words.joining.labelled(name, text), done ? 'completed' : 'pending'),
    );
    return [...own, ...items];
  });
}

function createEntry(content: string, status: PlanEntry['status']): PlanEntry {
  return { content: sanitizeToOneLine(content), priority: 'medium', status };
}
