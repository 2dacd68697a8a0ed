import { performance } from 'node:perf_hooks';
import { StoreOutOfReachError, StoreRefusedError } from '../storeErrors.js';
import { SQL_STATES, sqlStateOf } from './databaseFailures.js';
import { CLOSE_MILLISECONDS, type PostgresDatabase } from './PostgresDatabase.js';
import type { Offers, Presence, PresenceNews } from './SharedStore.js';

/** Times of a lease, in milliseconds. */
export interface LeaseTimes {
  /** So long after its last renewal a process counts as gone; the database allows no more than 15 s. */
  readonly lease: number;
  readonly renewEvery: number;
  /** So long after its last renewal a process stops its own turns. */
  readonly stopAfter: number;
}

export const LEASE_TIMES: LeaseTimes = { lease: 15_000, renewEvery: 4000, stopAfter: 11_000 };

export interface PresenceParts {
  readonly database: PostgresDatabase;
  readonly host: string;
  readonly version: string;
  readonly times?: LeaseTimes | undefined;
}

/** Makes the row of this process, and renews it as long as it lives. */
export class PostgresPresence implements Presence {
  readonly #database: PostgresDatabase;
  readonly #host: string;
  readonly #version: string;
  readonly #times: LeaseTimes;
  readonly #listeners = new Set<(news: PresenceNews) => void>();
  #arrival: Promise<string> | null = null;
  #timer: NodeJS.Timeout | null = null;
  /** Time at which the last renewal that succeeded was sent, by a clock that only runs forward. */
  #renewedAt = 0;
  #isRenewing = false;
  #isSilent = false;
  #hasExpired = false;

  constructor({ database, host, version, times = LEASE_TIMES }: PresenceParts) {
    this.#database = database;
    this.#host = host;
    this.#version = version;
    this.#times = times;
  }

  arrive(): Promise<string> {
    this.#arrival ??= this.#enter().catch((error: unknown) => {
      this.#arrival = null;
      throw error;
    });
    return this.#arrival;
  }

  async offer(offers: Offers | null): Promise<void> {
    const process = await this.arrive();
    await this.#database.query('SELECT huddle.offer($1, $2)', [process, offers && JSON.stringify(offers)]);
  }

  subscribe(listener: (news: PresenceNews) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Frees at once what this process holds. */
  async leave(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    const arrival = this.#arrival;
    if (arrival === null) return;
    try {
      await this.#database.ask('SELECT huddle.leave($1)', [await arrival], CLOSE_MILLISECONDS);
    } catch (error) {
      // A row that cannot be given back expires by itself; that of a role that was removed has.
      const isGone = sqlStateOf(error) === SQL_STATES.unknownProcess;
      const isCutOff = error instanceof StoreOutOfReachError || error instanceof StoreRefusedError;
      if (!isGone && !isCutOff) throw error;
    }
  }

  async #enter(): Promise<string> {
    const sentAt = performance.now();
    const [row] = await this.#database.query<{ id: string }>('SELECT huddle.arrive($1, $2, $3, $4) AS id', [
      this.#host,
      process.pid,
      this.#version,
      this.#times.lease,
    ]);
    this.#renewedAt = sentAt;
    this.#timer ??= setInterval(() => this.#look(), this.#times.renewEvery / 4).unref();
    return String(row?.id);
  }

  #look(): void {
    const { renewEvery, stopAfter } = this.#times;
    const milliseconds = performance.now() - this.#renewedAt;
    if (milliseconds >= renewEvery && !this.#isRenewing) void this.#renew();
    if (milliseconds < renewEvery * 1.5) return;
    this.#isSilent = true;
    this.#report({ kind: 'silent', milliseconds });
    if (milliseconds >= stopAfter) this.#expire();
  }

  async #renew(): Promise<void> {
    const sentAt = performance.now();
    this.#isRenewing = true;
    try {
      const [row] = await this.#database.ask<{ has_lapsed: boolean }>(
        'SELECT huddle.renew($1, $2) AS has_lapsed',
        [await this.arrive(), this.#times.lease],
        this.#times.renewEvery,
      );
      this.#renewedAt = sentAt;
      // A machine that slept does not know it by its own clock.
      if (row?.has_lapsed) this.#expire();
      this.#comeBack();
    } catch (error) {
      if (sqlStateOf(error) === SQL_STATES.unknownProcess) {
        this.#expire();
        this.#arrival = null;
      }
      // Silence is told by how long it lasts, whatever the reason.
    } finally {
      this.#isRenewing = false;
    }
  }

  #expire(): void {
    if (this.#hasExpired) return;
    this.#hasExpired = true;
    this.#report({ kind: 'expired' });
  }

  #comeBack(): void {
    if (!this.#isSilent && !this.#hasExpired) return;
    this.#isSilent = false;
    this.#hasExpired = false;
    this.#report({ kind: 'back' });
  }

  #report(news: PresenceNews): void {
    for (const listener of [...this.#listeners]) listener(news);
  }
}
