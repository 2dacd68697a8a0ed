import type { Client } from 'pg';
import type { Logger } from '../../utils/logger.js';
import { within } from '../../utils/within.js';
import { CLOSE_MILLISECONDS, type PostgresDatabase } from './PostgresDatabase.js';
import type { Listener } from './SharedStore.js';

/** Times in milliseconds, and a number of processes. */
export interface ListenerHabits {
  /** Every notification wakes every listener, so that among more than so many it is cheaper for each to look now and then. */
  readonly crowd: number;
  readonly pollEvery: number;
  /** Time between two looks at how many are there, and whether the connection lives. */
  readonly lookEvery: number;
  readonly answerWithin: number;
}

const HABITS: ListenerHabits = { crowd: 40, pollEvery: 1000, lookEvery: 10_000, answerWithin: 5000 };
const MOST_MILLISECONDS_BETWEEN_ATTEMPTS = 5000;
const SAFE_CHANNEL = /^[a-z_][a-z0-9_]{0,62}$/;

const COUNT = 'SELECT count(*) AS there FROM huddle.process WHERE expires > pg_catalog.now()';

type OnPayload = (payload: string | undefined) => void;

/** The one connection on which the server tells news; in a crowd none, and looks instead. */
export class PostgresListener implements Listener {
  readonly #database: PostgresDatabase;
  readonly #logger: Logger;
  readonly #habits: ListenerHabits;
  readonly #listeners = new Map<string, Set<OnPayload>>();
  #client: Promise<Client | null> | null = null;
  /** The connection in use, also while it is made. */
  #used: Client | null = null;
  #poll: NodeJS.Timeout | null = null;
  #count: NodeJS.Timeout | null = null;
  #again: NodeJS.Timeout | null = null;
  #attempts = 0;
  #saying: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(database: PostgresDatabase, logger: Logger = {}, habits: ListenerHabits = HABITS) {
    this.#database = database;
    this.#logger = logger;
    this.#habits = habits;
  }

  listen(channel: string, onPayload: OnPayload): () => void {
    if (!SAFE_CHANNEL.test(channel)) throw new RangeError(`Not a channel: ${channel}`);
    const listeners = this.#listeners.get(channel) ?? new Set();
    this.#listeners.set(channel, listeners.add(onPayload));
    if (this.#client === null) this.#connect();
    else if (listeners.size === 1) void this.#say(`LISTEN ${channel}`, () => onPayload(undefined));
    return () => {
      listeners.delete(onPayload);
      if (listeners.size > 0 || this.#listeners.get(channel) !== listeners) return;
      this.#listeners.delete(channel);
      void this.#say(`UNLISTEN ${channel}`);
    };
  }

  async notify(channel: string, payload: string): Promise<void> {
    if (this.#client === null) this.#connect();
    await this.#say('SELECT pg_catalog.pg_notify($1, $2)', undefined, [channel, payload]);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const timer of [this.#poll, this.#count, this.#again]) if (timer !== null) clearTimeout(timer);
    const ended = Promise.resolve(this.#client).then((client) => client && hangUp(client));
    await within(CLOSE_MILLISECONDS, ended);
  }

  #connect(): void {
    if (this.#isClosed) return;
    this.#client = this.#open();
    this.#count ??= setInterval(() => void this.#lookAround(), this.#habits.lookEvery).unref();
  }

  /** Null when there is no connection to use: it failed, or too many others are there. */
  async #open(): Promise<Client | null> {
    const client = this.#database.createClient(this.#habits.answerWithin);
    client.on('error', (error) => this.#lose(client, error));
    client.on('end', () => this.#lose(client));
    client.on('notification', ({ channel, payload }) => this.#deliver(channel, payload));
    this.#used = client;
    try {
      await client.connect();
      if (await this.#isCrowded(client)) {
        this.#startPolling();
        return null;
      }
      // A notification is a hint; nobody needs it to survive the server.
      const listens = [...this.#listeners.keys()].map((channel) => `LISTEN ${channel};`);
      await client.query(`SET synchronous_commit = off; ${listens.join(' ')}`);
      this.#attempts = 0;
      this.#wakeAll();
      return client;
    } catch (error) {
      this.#lose(client, error);
      return null;
    }
  }

  /** Gives a connection up and tries again later, at first soon. Whatever is told meanwhile is missed. */
  #lose(client: Client, error?: unknown): void {
    if (this.#used !== client || this.#isClosed) return;
    this.#used = null;
    this.#logger.debug?.(`No news from the store: ${error instanceof Error ? error.message : 'it ended'}`);
    hangUp(client).catch((reason: unknown) => this.#logger.debug?.(String(reason)));
    const wait = Math.min(100 * 2 ** this.#attempts++, MOST_MILLISECONDS_BETWEEN_ATTEMPTS);
    this.#again = setTimeout(() => this.#connect(), wait);
  }

  /** Sends one statement after the other: a connection takes no two at once. */
  #say(text: string, then?: () => void, values: string[] = []): Promise<void> {
    this.#saying = this.#saying.then(() => this.#sayNow(text, then, values));
    return this.#saying;
  }

  async #sayNow(text: string, then: (() => void) | undefined, values: string[]): Promise<void> {
    const client = await this.#client;
    // Whoever listens hears of every new connection that something may have been missed.
    if (client === null || client !== this.#used) return;
    try {
      await client.query(text, values);
      then?.();
    } catch (error) {
      this.#lose(client, error);
    }
  }

  async #isCrowded(client: Client | null): Promise<boolean> {
    const rows = client === null ? await this.#database.query(COUNT) : (await client.query(COUNT)).rows;
    return Number(rows[0]?.there) > this.#habits.crowd;
  }

  /** Looks how many are there, on the connection that listens: one that is dead is noticed so. */
  async #lookAround(): Promise<void> {
    const client = await this.#client;
    try {
      const isCrowded = await this.#isCrowded(client);
      if (isCrowded && this.#poll === null) this.#startPolling();
      else if (!isCrowded && this.#poll !== null) {
        clearInterval(this.#poll);
        this.#poll = null;
        this.#connect();
      }
    } catch (error) {
      if (client !== null) this.#lose(client, error);
    }
  }

  #startPolling(): void {
    const client = this.#used;
    this.#used = null;
    this.#client = Promise.resolve(null);
    if (client !== null) hangUp(client).catch((error: unknown) => this.#logger.debug?.(String(error)));
    this.#poll ??= setInterval(() => this.#wakeAll(), this.#habits.pollEvery);
  }

  #deliver(channel: string, payload: string | undefined): void {
    for (const onPayload of [...(this.#listeners.get(channel) ?? [])]) onPayload(payload ?? '');
  }

  #wakeAll(): void {
    for (const listeners of [...this.#listeners.values()])
      for (const onPayload of [...listeners]) onPayload(undefined);
  }
}

/** A server that does not answer does not hang up either, and must not keep this process alive. */
function hangUp(client: Client): Promise<void> {
  (client as Client & { unref(): void }).unref();
  return client.end();
}
