import {
  applyToStatus,
  type ConversationStatus,
  INITIAL_STATUS,
} from '../conversation/ConversationStatus.js';
import { type ConversationFact, EVENT_VERSION, type RecordedEvent } from '../models/ConversationEvent.js';
import type { ConversationId } from '../models/ids.js';
import type { ConversationLog } from '../store/Store.js';
import { toAsync } from '../utils/AnyIterable.js';
import { factKey } from './pairFacts.js';

/** The log of a conversation that is played: it has the times of the recording, and knows what of that has come about. */
export class PlayedLog {
  readonly events: RecordedEvent[] = [];
  status: ConversationStatus = INITIAL_STATUS;
  /** Recorded facts that have not come about, by their keys. */
  readonly #upcoming = new Map<string, RecordedEvent[]>();
  readonly #past = new Set<RecordedEvent>();
  #run = 0;

  constructor(recording: readonly RecordedEvent[]) {
    for (const event of recording) {
      const key = factKey(event);
      const alike = this.#upcoming.get(key);
      if (alike === undefined) this.#upcoming.set(key, [event]);
      else alike.push(event);
    }
  }

  /** Whether a fact of the recording has come about. */
  has(recorded: RecordedEvent): boolean {
    return this.#past.has(recorded);
  }

  /** Takes facts as they were recorded. */
  restore(events: readonly RecordedEvent[]): void {
    for (const event of events) {
      this.#takeRecorded(event);
      this.#add({ ...event, seq: this.events.length + 1 });
    }
  }

  /** Opens it for one more run of the conversation; the run before can write no more. */
  open(
    id: ConversationId,
    before: Pick<ConversationLog, 'takenOverFrom' | 'restoredSeq'> = {},
  ): ConversationLog {
    this.end();
    const { events } = this;
    const run = this.#run;
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
        if (run !== this.#run) throw new RunIsOver();
        return facts.map((fact) => this.#append(fact));
      },
    };
  }

  /** The run that has it open can write no more. */
  end(): void {
    this.#run += 1;
  }

  #append(fact: ConversationFact): RecordedEvent {
    const recorded = this.#takeRecorded(fact);
    const at = recorded?.at ?? this.events.at(-1)?.at ?? 0;
    const place = { v: EVENT_VERSION, seq: this.events.length + 1, at };
    const event = { ...withTimesOf(recorded, fact), ...place } as RecordedEvent;
    this.#add(event);
    return event;
  }

  #takeRecorded(fact: ConversationFact): RecordedEvent | undefined {
    const recorded = this.#upcoming.get(factKey(fact))?.shift();
    if (recorded !== undefined) this.#past.add(recorded);
    return recorded;
  }

  #add(event: RecordedEvent): void {
    this.events.push(event);
    this.status = applyToStatus(this.status, event);
  }
}

/** The run of a conversation that writes was ended by the next one. */
class RunIsOver extends Error {}

/** Everything that follows from the clock is as it was. */
function withTimesOf(recorded: RecordedEvent | undefined, fact: ConversationFact): ConversationFact {
  if (fact.type === 'message-added' && recorded?.type === 'message-added')
    return { ...fact, message: { ...fact.message, timestamp: recorded.message.timestamp } };
  if (fact.type === 'turn-end')
    return { ...fact, milliseconds: recorded?.type === 'turn-end' ? recorded.milliseconds : 0 };
  if (fact.type === 'conversation-start' && recorded?.type === 'conversation-start')
    return { ...fact, replayOf: recorded.replayOf, redacted: recorded.redacted };
  return fact;
}
