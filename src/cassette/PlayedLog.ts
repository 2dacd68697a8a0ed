import {
  applyToStatus,
  type ConversationStatus,
  INITIAL_STATUS,
} from '../conversation/ConversationStatus.js';
import { type ConversationFact, EVENT_VERSION, type RecordedEvent } from '../models/ConversationEvent.js';
import type { ConversationId, TurnId } from '../models/ids.js';
import type { ConversationLog, LostLease } from '../store/Store.js';
import { toAsync } from '../utils/AnyIterable.js';
import { factKey } from './pairFacts.js';

/** The log of a conversation that is played: it has the times of the recording, and remembers what has happened. */
export class PlayedLog {
  readonly events: RecordedEvent[] = [];
  readonly started = new Set<TurnId>();
  readonly ended = new Set<TurnId>();
  /** Activities by turn, questions apart. */
  readonly activities = new Map<TurnId, number>();
  limits = 0;
  status: ConversationStatus = INITIAL_STATUS;
  readonly #recorded = new Map<string, RecordedEvent[]>();
  #at = 0;
  #opened = 0;

  constructor(recording: readonly RecordedEvent[]) {
    for (const event of recording) {
      const key = factKey(event);
      const same = this.#recorded.get(key);
      if (same === undefined) this.#recorded.set(key, [event]);
      else same.push(event);
    }
  }

  /** Takes facts as they were recorded. */
  restore(events: readonly RecordedEvent[]): void {
    for (const event of events) {
      this.#recorded.get(factKey(event))?.shift();
      this.#add({ ...event, seq: this.events.length + 1 });
    }
  }

  /** Opens it for one more run of the conversation; the run before can write no more. */
  open(
    id: ConversationId,
    before: Pick<ConversationLog, 'takenOverFrom' | 'restoredSeq'> = {},
  ): ConversationLog {
    const { events } = this;
    const run = ++this.#opened;
    return {
      id,
      ...before,
      get lastSeq() {
        return events.length;
      },
      read: (from = 1, to = events.length) => toAsync(events.slice(Math.max(0, from - 1), to)),
      readCheckpoint: async () => null,
      saveCheckpoint: async () => undefined,
      close: async () => undefined,
      kept: () => undefined,
      restore: async () => undefined,
      append: (facts) => {
        if (run !== this.#opened) throw new RunIsOver();
        return facts.map((fact) => this.#append(fact));
      },
    };
  }

  /** The run that has it open can write no more. */
  end(): void {
    this.#opened += 1;
  }

  #append(fact: ConversationFact): RecordedEvent {
    const recorded = this.#recorded.get(factKey(fact))?.shift();
    this.#at = recorded?.at ?? this.#at;
    const place = { v: EVENT_VERSION, seq: this.events.length + 1, at: this.#at };
    const event = { ...withTimesOf(recorded, fact), ...place } as RecordedEvent;
    this.#add(event);
    return event;
  }

  #add(event: RecordedEvent): void {
    this.events.push(event);
    this.status = applyToStatus(this.status, event);
    this.#at = event.at;
    if (event.type === 'turn-start') this.started.add(event.turnId);
    if (event.type === 'turn-end') this.ended.add(event.turnId);
    if (event.type === 'conversation-pause' && event.reason.kind === 'limit') this.limits += 1;
    if (event.type === 'turn-activity' && event.event.type !== 'permission-request')
      this.activities.set(event.turnId, (this.activities.get(event.turnId) ?? 0) + 1);
  }
}

/** The run of a conversation that writes was ended by the next one. */
class RunIsOver extends Error {}

/** Makes the holder of a log out of what a notice says of it. */
export function holderOf({
  pid,
  host,
  continuedBy,
}: Pick<LostLease, 'pid' | 'host' | 'continuedBy'>): LostLease {
  return { pid, host, processStart: null, since: 0, ...(continuedBy !== undefined && { continuedBy }) };
}

/** Everything that follows from the clock is as it was. */
function withTimesOf(recorded: RecordedEvent | undefined, fact: ConversationFact): ConversationFact {
  if (fact.type === 'message-added' && recorded?.type === 'message-added')
    return { ...fact, message: { ...fact.message, timestamp: recorded.message.timestamp } };
  if (fact.type === 'turn-end')
    return { ...fact, milliseconds: recorded?.type === 'turn-end' ? recorded.milliseconds : 0 };
  if (fact.type === 'conversation-start' && recorded?.type === 'conversation-start') {
    const { replayOf, redacted } = recorded;
    return { ...fact, ...(replayOf !== undefined && { replayOf }), ...(redacted && { redacted }) };
  }
  return fact;
}
