import { randomUUID } from 'node:crypto';
import type { ConversationId } from '../models/ids.js';
import type { SharedRow, SharedStore } from '../store/postgres/SharedStore.js';
import { UnknownConversationError } from '../store/storeErrors.js';
import { within } from '../utils/within.js';
import type { WrittenCommand } from './commands.js';
import { ASK_FOR_WHOLE } from './LiveText.js';

/** Looks so often even without a notification: that is a hint that may get lost. */
const LOOK_MILLISECONDS = 1000;
/** A person waits for these answers. */
const ANSWER_MILLISECONDS = 5000;
/** Time that whoever leaves waits at most; others then see it when its row expires. */
const LEAVE_MILLISECONDS = 2000;

/** A conversation as the store knows it at one moment. */
export interface SharedState {
  readonly lastSeq: number;
  readonly holder: StoredHolder | null;
  /** Roles of the processes that follow. */
  readonly here: readonly string[];
}

export interface StoredHolder {
  readonly role: string;
  readonly host: string;
  readonly isHere: boolean;
  readonly isGone: boolean;
}

/** A command that waits for the holder. */
export interface OpenCommand extends WrittenCommand {
  readonly number: number;
  readonly role: string;
  /** Asked of a holder before this one. */
  readonly isOld: boolean;
}

/** A command that waits no longer: done, with the first event that follows from it, or refused. */
export interface SettledCommand {
  readonly number: number;
  readonly seq: number | null;
  readonly refusal: string | null;
  /** The last event of the conversation by then: all that follows from it at once is there. */
  readonly lastSeq: number;
}

/** A conversation as the store shares it: who is there, and the commands, which its tables call wishes. */
export class SharedConversation {
  readonly id: ConversationId;
  readonly #store: SharedStore;
  readonly #number: number;
  readonly #channel: string;
  /** Made when this process joined: only commands with it count. */
  #attendance: string | null = null;

  private constructor(store: SharedStore, id: ConversationId, number: number, channel: string) {
    this.#store = store;
    this.id = id;
    this.#number = number;
    this.#channel = channel;
  }

  /** Rejects with UnknownConversationError. */
  static async find(store: SharedStore, id: ConversationId): Promise<SharedConversation> {
    const [row] = await store.database.query<{ number: number; channel: string }>(
      'SELECT number, channel FROM huddle.conversation WHERE id = $1',
      [id],
    );
    if (row === undefined) throw new UnknownConversationError(id);
    return new SharedConversation(store, id, row.number, row.channel);
  }

  /** Rejects with UnknownConversationError once it is deleted. */
  async readState(): Promise<SharedState> {
    const process = await this.#store.presence.arrive();
    const [row] = await this.#ask<StateRow>(LOOK, [this.#number, process]);
    if (row === undefined) throw new UnknownConversationError(this.id);
    const { last_seq: lastSeq, role, host, is_here: isHere, is_gone: isGone, here } = row;
    return { lastSeq, here, holder: role === null ? null : { role, host, isHere, isGone } };
  }

  /** Joins as a follower, for others to see. Commands from before count no more, even if they arrive later. */
  async join(): Promise<void> {
    const attendance = randomUUID();
    await this.#call('SELECT huddle.attend($1, $2, $3)', attendance);
    this.#attendance = attendance;
  }

  async leave(): Promise<void> {
    await within(LEAVE_MILLISECONDS, this.#call('SELECT huddle.stay_away($1, $2)'));
  }

  /** For those who joined. @param key Made once for a command: asked again with it, it is the same one. */
  async ask(key: string, { kind, body }: WrittenCommand): Promise<number> {
    const [row] = await this.#call<{ number: number }>(
      'SELECT huddle.ask_wish($1, $2, $3, $4, $5, $6) AS number',
      this.#attendance,
      key,
      kind,
      body,
    );
    return Number(row?.number);
  }

  /** The commands among these that wait no longer. */
  async readSettled(numbers: readonly number[]): Promise<readonly SettledCommand[]> {
    return this.#ask<SettledCommand & SharedRow>(
      `SELECT w.number, w.seq, w.refusal, c.last_seq AS "lastSeq"
       FROM huddle.wish w JOIN huddle.conversation c ON c.number = w.conversation
       WHERE w.number = ANY ($1) AND w.is_settled ORDER BY w.number`,
      [numbers],
    );
  }

  /** The keys among these whose commands wait no longer. */
  async readSettledKeys(keys: readonly string[]): Promise<readonly string[]> {
    const rows = await this.#ask<{ key: string }>(
      'SELECT w.key FROM huddle.wish w WHERE w.role = session_user AND w.key = ANY ($1) AND w.is_settled',
      [keys],
    );
    return rows.map(({ key }) => key);
  }

  /** The first commands that wait, in their order. */
  async readOpen(): Promise<readonly OpenCommand[]> {
    return this.#ask<OpenCommand & SharedRow>(READ_OPEN, [this.#number]);
  }

  /** Settles a command from which no event follows; `refusal` says why it is not done. For the holder. */
  async settle(command: number, refusal: string | null): Promise<void> {
    await this.#call('SELECT huddle.settle_wish($1, $2, $3, $4)', command, refusal);
  }

  /** Calls back for every payload, and with undefined now and then. Returns the end of it. */
  subscribe(onPayload: (payload: string | undefined) => void): () => void {
    const unlisten = this.#store.listener.listen(this.#channel, (payload) => {
      if (payload === undefined) this.notify(ASK_FOR_WHOLE);
      onPayload(payload);
    });
    const timer = setInterval(() => onPayload(undefined), LOOK_MILLISECONDS).unref();
    return () => {
      clearInterval(timer);
      unlisten();
    };
  }

  notify(payload: string): void {
    void this.#store.listener.notify(this.#channel, payload);
  }

  /** Calls a function with this conversation and this process as its first arguments. */
  async #call<Row extends SharedRow>(statement: string, ...values: readonly unknown[]): Promise<Row[]> {
    const process = await this.#store.presence.arrive();
    return this.#ask<Row>(statement, [this.#number, process, ...values]);
  }

  #ask<Row extends SharedRow>(statement: string, values: readonly unknown[]): Promise<Row[]> {
    return this.#store.database.ask<Row>(statement, values, ANSWER_MILLISECONDS);
  }
}

interface StateRow extends SharedRow {
  readonly last_seq: number;
  readonly role: string | null;
  readonly host: string;
  readonly is_here: boolean;
  readonly is_gone: boolean;
  readonly here: readonly string[];
}

const LOOK = `
SELECT c.last_seq, h.role, h.host, h.id = $2 AS is_here, h.expires <= pg_catalog.now() AS is_gone,
  ARRAY(
    SELECT DISTINCT p.role FROM huddle.attendance a JOIN huddle.process p ON p.id = a.process
    WHERE a.conversation = c.number AND p.expires > pg_catalog.now() AND p.id IS DISTINCT FROM c.holder
    ORDER BY p.role
  ) AS here
FROM huddle.conversation c LEFT JOIN huddle.process h ON h.id = c.holder WHERE c.number = $1`;

const READ_OPEN = `
SELECT w.number, w.role, w.kind, w.body, w.asked < c.held_since AS "isOld"
FROM huddle.open_wish w JOIN huddle.conversation c ON c.number = w.conversation
WHERE w.conversation = $1 ORDER BY w.number LIMIT 100`;
