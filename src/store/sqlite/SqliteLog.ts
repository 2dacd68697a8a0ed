import type { ConversationFact, RecordedEvent } from '../../models/ConversationEvent.js';
import type { TurnId } from '../../models/ids.js';
import { numberFacts, requireNext } from '../numberFacts.js';
import type { Checkpoint, ConversationContents, ConversationLog, LeaseHolder } from '../Store.js';
import { LeaseLostError, StoreWriteError } from '../storeErrors.js';
import { countEvent } from '../summary.js';
import { saveAnswer } from './answerFiles.js';
import type { ConversationTable, StoredConversation } from './ConversationTable.js';
import { checksumOf } from './checksums.js';
import type { Database, Statement } from './loadSqlite.js';
import { SqliteReader } from './SqliteReader.js';
import { withFile } from './sqliteFailures.js';
import { inTransaction } from './transaction.js';
import type { WalRoom } from './WalRoom.js';

export interface SqliteLogParts {
  readonly database: Database;
  readonly file: string;
  readonly conversations: ConversationTable;
  readonly conversation: StoredConversation;
  readonly clock: () => number;
  readonly walRoom: WalRoom;
  readonly takenOverFrom?: LeaseHolder;
}

export class SqliteLog extends SqliteReader implements ConversationLog {
  readonly takenOverFrom?: LeaseHolder;
  readonly #conversations: ConversationTable;
  readonly #clock: () => number;
  readonly #walRoom: WalRoom;
  readonly #insert: Statement;
  readonly #saveCheckpoint: Statement;

  constructor(parts: SqliteLogParts) {
    const { database, file, conversations, conversation, clock, walRoom, takenOverFrom } = parts;
    super(database, file, conversation);
    this.#conversations = conversations;
    this.#clock = clock;
    this.#walRoom = walRoom;
    if (takenOverFrom !== undefined) this.takenOverFrom = takenOverFrom;
    this.#insert = database.prepare('INSERT INTO event (place, body, checksum) VALUES (?, ?, ?)');
    this.#saveCheckpoint = database.prepare(
      `INSERT OR REPLACE INTO checkpoint (number, seq, body, checksum)
       SELECT ?1, ?2, ?3, ?4 FROM conversation WHERE number = ?1 AND fence = ?5`,
    );
  }

  saveAnswer(turnId: TurnId, text: string): Promise<string> {
    return saveAnswer(this.file, this.id, turnId, text);
  }

  append(facts: readonly ConversationFact[]): RecordedEvent[] {
    const events = numberFacts(facts, this.lastSeq, this.#clock());
    this.#add(events, () => this.restoredSeq);
    this.#walRoom.noteAppend();
    return events;
  }

  /** A commit is on the disk when `append` returns. */
  kept(): undefined {}

  async restore(events: Iterable<RecordedEvent>): Promise<void> {
    this.#restore(events);
  }

  /** Writes all that is in a new conversation and gives it back; nothing is awaited, so it can be part of a transaction. */
  fill({ restored = [], added = [], checkpoint }: ConversationContents): void {
    this.#restore(restored);
    this.append(added);
    const made = checkpoint?.() ?? null;
    if (made !== null) this.#keepCheckpoint(made);
    this.#release();
  }

  #restore(events: Iterable<RecordedEvent>): void {
    this.#add(events, (lastSeq) => lastSeq);
  }

  #add(events: Iterable<RecordedEvent>, restoredSeqAt: (lastSeq: number) => number): void {
    let { tally, lastSeq } = this.conversation;
    const advanced = () => ({ ...this.conversation, tally, lastSeq, restoredSeq: restoredSeqAt(lastSeq) });
    const write = (): void => {
      if (!this.#conversations.isHeld(this.conversation)) throw new LeaseLostError(this.id);
      for (const event of requireNext(events, lastSeq)) {
        const body = JSON.stringify(event);
        this.#insert.run(this.placeOf(event.seq), body, checksumOf(body, this.id, event.seq));
        tally = countEvent(tally, event);
        lastSeq = event.seq;
      }
      this.#conversations.update(advanced());
    };
    withFile(this.file, () => inTransaction(this.database, write), 'write');
    this.conversation = advanced();
  }

  async saveCheckpoint(checkpoint: Checkpoint): Promise<void> {
    this.#keepCheckpoint(checkpoint);
  }

  #keepCheckpoint({ seq, value }: Checkpoint): void {
    const { number, fence } = this.conversation;
    const body = JSON.stringify(value);
    const save = () =>
      this.#saveCheckpoint.run(number, seq, body, checksumOf(body, 'checkpoint', this.id, seq), fence);
    withFile(this.file, save, 'write');
  }

  override async close(): Promise<void> {
    try {
      this.#release();
    } catch (error) {
      // A lease that cannot be given back is stale as soon as this process ends.
      if (!(error instanceof StoreWriteError)) throw error;
    }
  }

  #release(): void {
    const { number, fence } = this.conversation;
    withFile(this.file, () => this.#conversations.setLease(number, fence, null), 'write');
  }
}
