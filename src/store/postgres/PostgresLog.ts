import type { ConversationFact, RecordedEvent } from '../../models/ConversationEvent.js';
import { defer } from '../../utils/defer.js';
import { within } from '../../utils/within.js';
import { numberFacts, requireNext } from '../numberFacts.js';
import type { Checkpoint, Claim, ConversationLog, LeaseHolder } from '../Store.js';
import { LeaseLostError, StoreOutOfReachError } from '../storeErrors.js';
import { type ConversationTally, countEvent } from '../summary.js';
import {
  type Appended,
  chooseBatch,
  type HeldBy,
  nameSpeaker,
  restoreEvents,
  writeEvent,
} from './batches.js';
import { explainStoreRefusal, SQL_STATES, sqlStateOf, untilReached } from './databaseFailures.js';
import { CLOSE_MILLISECONDS, type PostgresDatabase } from './PostgresDatabase.js';
import { PostgresReader, type StoredLog } from './PostgresReader.js';
import type { Listener } from './SharedStore.js';

/** So long a batch is waited for before it is sent again, on another connection. */
const ANSWER_MILLISECONDS = 5000;

/** The codes that say that this process does not hold the conversation any more. */
const LOST: ReadonlySet<string | undefined> = new Set([
  SQL_STATES.leaseLost,
  SQL_STATES.unknownProcess,
  SQL_STATES.otherEnd,
]);

/** A conversation that this process holds. */
export interface SharedHold extends StoredLog {
  readonly fence: number;
  readonly channel: string;
  readonly tally: ConversationTally;
}

export interface PostgresLogParts {
  readonly database: PostgresDatabase;
  readonly listener: Listener;
  /** The row of this process. */
  readonly process: string;
  readonly conversation: SharedHold;
  readonly clock: () => number;
  /** So long facts that cannot be sent are sent again, in milliseconds. */
  readonly patience: number;
  readonly takenOverFrom?: LeaseHolder | undefined;
  readonly onClose: () => void;
}

/** Appends in batches: while one is on its way the next one gathers. */
export class PostgresLog extends PostgresReader implements ConversationLog {
  readonly takenOverFrom?: LeaseHolder;
  readonly #listener: Listener;
  readonly #process: string;
  readonly #fence: number;
  readonly #channel: string;
  readonly #clock: () => number;
  readonly #patience: number;
  readonly #onClose: () => void;
  #tally: ConversationTally;
  #waiting: Appended[] = [];
  #sending: Promise<void> | null = null;
  #failure: { readonly error: unknown } | null = null;
  /** The number of the last event that others should know of. */
  #news = 0;
  #telling: Promise<void> | null = null;

  constructor(parts: PostgresLogParts) {
    const { database, conversation, takenOverFrom } = parts;
    super(database, conversation);
    this.#listener = parts.listener;
    this.#process = parts.process;
    this.#fence = conversation.fence;
    this.#channel = conversation.channel;
    this.#tally = conversation.tally;
    this.#clock = parts.clock;
    this.#patience = parts.patience;
    this.#onClose = parts.onClose;
    this.takenOverFrom = takenOverFrom;
  }

  append(facts: readonly ConversationFact[], claim?: Claim): RecordedEvent[] {
    if (this.#failure !== null) throw this.#failure.error;
    const firstSeq = this.lastSeq + 1;
    const said = facts.map((fact) => nameSpeaker(fact, this.database.role));
    const events = [...requireNext(numberFacts(said, this.lastSeq, this.#clock()), this.lastSeq)];
    if (events.length === 0) return events;
    const bodies = events.map(writeEvent);
    this.#tally = events.reduce(countEvent, this.#tally);
    this.lastKnownSeq += events.length;
    const kept = defer<void>();
    // A writer that does not ask is not told.
    kept.promise.catch(() => undefined);
    this.#waiting.push({
      firstSeq,
      bodies,
      characters: bodies.reduce((sum, { length }) => sum + length, 0),
      tally: this.#tally,
      claim,
      kept,
    });
    this.#sending ??= this.#sendAll();
    return events;
  }

  kept(): Promise<void> | undefined {
    if (this.#failure !== null) return Promise.reject(this.#failure.error);
    return this.#waiting.at(-1)?.kept.promise;
  }

  override async *read(from?: number, to = this.lastSeq): AsyncGenerator<RecordedEvent> {
    await this.kept();
    yield* super.read(from, to);
  }

  async restore(events: Iterable<RecordedEvent>): Promise<void> {
    await this.kept();
    const end = { tally: this.#tally, lastSeq: this.lastSeq };
    const { tally, lastSeq } = await this.#write(() =>
      this.database.transaction((query) => restoreEvents(query, this.#lease, end, events)),
    );
    this.#tally = tally;
    this.lastKnownSeq = lastSeq;
    this.restoredUpTo = lastSeq;
    this.#tellOthers(lastSeq);
  }

  async saveCheckpoint({ seq, value }: Checkpoint): Promise<void> {
    await this.kept();
    const save = 'SELECT huddle.save_checkpoint($1, $2, $3, $4, $5)';
    const values = [...this.#lease, seq, JSON.stringify(value)];
    await this.#write(() => this.database.ask(save, values, CLOSE_MILLISECONDS));
  }

  override async close(): Promise<void> {
    await this.#sending;
    this.#failure ??= { error: new LeaseLostError(this.id) };
    try {
      const release = 'SELECT huddle.release_conversation($1, $2, $3)';
      await within(CLOSE_MILLISECONDS, this.database.ask(release, this.#lease, CLOSE_MILLISECONDS));
    } catch (error) {
      // What cannot be given back is free as soon as the row of this process expires.
      const isGone = sqlStateOf(error) === SQL_STATES.unknownProcess;
      if (!isGone && !(error instanceof StoreOutOfReachError)) throw error;
    } finally {
      this.#onClose();
    }
  }

  get #lease(): HeldBy {
    return [this.number, this.#process, this.#fence];
  }

  /** Never rejects: those who wait for the facts are told. */
  async #sendAll(): Promise<void> {
    // What is appended in the same tick goes together.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const batch = chooseBatch(this.#waiting);
      try {
        await this.#write(() => this.#deliver(batch));
      } catch (error) {
        this.#failure ??= { error };
        for (const { kept } of this.#waiting.splice(0)) kept.reject(error);
        break;
      }
      this.#waiting.splice(0, batch.length);
      for (const { kept } of batch) kept.resolve();
      const { firstSeq, bodies } = batch.at(-1) as Appended;
      this.#tellOthers(firstSeq + bodies.length - 1);
    }
    this.#sending = null;
  }

  /** Tells those who listen where the log ends now; of what is news meanwhile only the latest. */
  #tellOthers(seq: number): void {
    this.#news = seq;
    this.#telling ??= this.#tellNews();
  }

  async #tellNews(): Promise<void> {
    for (let told = 0; told < this.#news; ) {
      told = this.#news;
      await this.#listener.notify(this.#channel, String(told));
    }
    this.#telling = null;
  }

  /** Sends a batch until it is answered: the same one twice is kept once. */
  async #deliver(batch: readonly Appended[]): Promise<void> {
    const values = this.#valuesOf(batch);
    const append = 'SELECT huddle.append($1, $2, $3, $4, $5, $6, $7, $8, $9)';
    await untilReached(() => this.database.askOften('append', append, values, ANSWER_MILLISECONDS), {
      patience: this.#patience,
    });
  }

  #valuesOf(batch: readonly Appended[]): unknown[] {
    const { command } = batch[0]?.claim ?? {};
    // Of a turn the last report that is taken stands for those before it.
    const reports = batch.findLast(({ claim }) => claim?.reports !== undefined)?.claim?.reports;
    return [
      ...this.#lease,
      batch[0]?.firstSeq,
      batch.flatMap(({ bodies }) => bodies).join('\n'),
      JSON.stringify(batch.at(-1)?.tally),
      command ?? null,
      reports?.turnId ?? null,
      reports?.upTo ?? null,
    ];
  }

  async #write<Value>(work: () => Promise<Value>): Promise<Value> {
    try {
      return await work();
    } catch (error) {
      if (LOST.has(sqlStateOf(error))) throw new LeaseLostError(this.id);
      throw explainStoreRefusal(error, this.id);
    }
  }
}
