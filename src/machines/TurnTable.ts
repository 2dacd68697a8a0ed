import { createHash } from 'node:crypto';
import type { TurnAddress } from '../agents/AgentAdapter.js';
import type { SharedRow, SharedStore } from '../store/postgres/SharedStore.js';
import type { RequestRow } from './requests.js';

/** asked → running → ended, or lost, or withdrawn; `gone`: there is no such turn any more. */
export type TurnState = 'asked' | 'running' | 'ended' | 'lost' | 'withdrawn' | 'gone';

/** A turn as the process sees it that asked for it. */
export interface TurnNews {
  readonly state: TurnState;
  readonly reported: number;
  /** Seconds since it was asked, by the clock of the database. */
  readonly asked_for: number;
  /** The process that took it is gone. */
  readonly is_worker_gone: boolean;
  /** The account that had no free place when a worker last tried. */
  readonly waits_for: string | null;
  readonly waits_running: number | null;
  readonly waits_at_once: number | null;
  readonly reports: readonly WrittenReport[];
}

export interface WrittenReport {
  readonly number: number;
  readonly body: string;
}

/** A turn of which a process has yet to hear. */
export interface AskedTurn {
  readonly number: number;
  readonly channel: string;
}

/** A turn as it stands in the shared store, where anyone with enough rights may have written it. */
export interface TurnRow extends RequestRow {
  readonly turn: string;
  readonly member: string;
}

/** A turn that a worker has claimed. */
export interface ClaimedTurn extends TurnRow, AskedTurn {
  readonly isWatched: boolean;
}

/** Reports that are read at once. */
const PAGE = 200;

/** The channel on which workers of a role hear that there is work. Names of channels are short, those of roles are not. */
export function channelOfWorkers(storeId: string, role: string): string {
  return `huddle_work_${createHash('sha256').update(`${storeId}/${role}`).digest('hex').slice(0, 32)}`;
}

/** The tables of turns, as the functions of the store let a process use them. */
export class TurnTable {
  readonly #store: Pick<SharedStore, 'database' | 'presence'>;

  constructor(store: Pick<SharedStore, 'database' | 'presence'>) {
    this.#store = store;
  }

  /** Rejects with the code of an unknown worker where none of that role was invited. */
  async ask(
    { conversationId, turnId, memberId, runsOn }: TurnAddress,
    request: string,
    { isWatched, isUrgent }: { readonly isWatched: boolean; readonly isUrgent: boolean },
  ): Promise<AskedTurn> {
    const process = await this.#store.presence.arrive();
    const row = await this.#queryOne<AskedTurn>(
      'SELECT number, channel FROM huddle.ask_turn($1, $2, $3, $4, $5, $6, $7, $8)',
      [conversationId, process, turnId, memberId, runsOn, request, isWatched, isUrgent],
    );
    if (row === null) throw new TypeError('ask_turn gives a row');
    return row;
  }

  /** A turn that was asked for before. */
  findAsked({ conversationId, turnId }: TurnAddress): Promise<(AskedTurn & { taken: number }) | null> {
    return this.#queryOne(
      `SELECT t.number, t.channel, coalesce(h.taken, 0) AS taken FROM huddle.turn t
       JOIN huddle.conversation c ON c.number = t.conversation LEFT JOIN huddle.turn_holding h ON h.turn = t.number
       WHERE c.id = $1 AND t.id = $2`,
      [conversationId, turnId],
    );
  }

  /** The state of a turn and what was reported of it after a number; null when it is not there. */
  look(number: number, seen: number): Promise<TurnNews | null> {
    return this.#queryOne(LOOK, [number, seen, PAGE]);
  }

  /** Seconds since a worker of a role was here that runs the member; 0: one is; null: none ever was. */
  async lastSeen(role: string, memberId: string): Promise<number | null> {
    const rows = await this.#store.database.query<{
      seconds: number;
      is_here: boolean;
      offers: string | null;
    }>(
      `SELECT extract(epoch FROM now() - seen)::float8 AS seconds, expires > now() AS is_here, offers
       FROM huddle.process WHERE role = $1 ORDER BY seen DESC LIMIT 100`,
      [role],
    );
    const seen = rows.map(({ seconds, is_here, offers }) =>
      is_here && isOffered(offers, memberId) ? 0 : Math.max(1, seconds),
    );
    return seen.length === 0 ? null : Math.min(...seen);
  }

  withdraw(conversation: string, number: number): Promise<TurnState> {
    return this.#step('SELECT huddle.withdraw_turn($2, $1, $3) AS state', conversation, number);
  }

  lose(conversation: string, number: number): Promise<TurnState> {
    return this.#step('SELECT huddle.lose_turn($2, $1, $3) AS state', conversation, number);
  }

  /** Writes reports; the same ones twice count once. Gives the state of the turn afterwards. */
  report(number: number, { first, bodies, isEnd }: ReportBatch): Promise<TurnState> {
    const report = 'SELECT huddle.report_turn($2, $1, $3, $4, $5) AS state';
    return this.#step(report, number, first, bodies, isEnd);
  }

  /**
   * Takes the next turn of this role that can run here now, once over all workers; null: there is none.
   *
   * @param inHand Those that this process has: what it was given besides them, the answer got lost of.
   */
  async claim(inHand: readonly number[], offered: readonly OfferedMember[]): Promise<ClaimedTurn | null> {
    const process = await this.#store.presence.arrive();
    return this.#queryOne(
      `SELECT number, channel, conversation, turn, member, asked_by AS "askedBy", request, is_watched AS "isWatched"
       FROM huddle.claim_turn($1, $2, $3)`,
      [process, inHand, JSON.stringify(offered)],
    );
  }

  /** The turns of these that run no more, as far as the store knows. */
  async findStopped(numbers: readonly number[]): Promise<ReadonlySet<number>> {
    const rows = await this.#store.database.query<{ number: number }>(
      `SELECT t.number FROM huddle.turn t LEFT JOIN huddle.turn_holding h ON h.turn = t.number
       WHERE t.number = ANY ($1) AND t.state IN ('asked', 'running') AND h.given_up IS NULL`,
      [numbers],
    );
    const running = new Set(rows.map(({ number }) => number));
    return new Set(numbers.filter((number) => !running.has(number)));
  }

  /** Calls a function that takes this process and gives the state of a turn. */
  async #step(text: string, ...values: readonly unknown[]): Promise<TurnState> {
    const process = await this.#store.presence.arrive();
    const row = await this.#queryOne<{ state: TurnState | null }>(text, [process, ...values]);
    return row?.state ?? 'gone';
  }

  async #queryOne<Row extends object>(text: string, values: readonly unknown[]): Promise<Row | null> {
    const [row] = await this.#store.database.query<Row & SharedRow>(text, values);
    return row ?? null;
  }
}

/** A member that a worker runs, as claims know it. */
export interface OfferedMember {
  readonly member: string;
  readonly account: string | undefined;
  /** Places of the account. */
  readonly at_once: number | undefined;
  /** Nothing of it can start now. */
  readonly is_busy: boolean;
}

export interface ReportBatch {
  /** Number of the first of them. */
  readonly first: number;
  readonly bodies: readonly string[];
  readonly isEnd: boolean;
}

const LOOK = `
SELECT coalesce(h.given_up, t.state) AS state, coalesce(h.given_up_after, t.reported) AS reported,
  extract(epoch FROM now() - t.asked)::float8 AS asked_for,
  h.given_up IS NULL AND t.state = 'running' AND coalesce(p.expires <= now(), true) AS is_worker_gone,
  t.waits_for, t.waits_running, t.waits_at_once,
  coalesce((SELECT json_agg(r) FROM (
    SELECT e.number, e.body FROM huddle.turn_event e WHERE e.turn = t.number AND e.number > $2 AND e.number <= coalesce(h.given_up_after, e.number)
    ORDER BY e.number LIMIT $3) r), '[]'::json) AS reports
FROM huddle.turn t LEFT JOIN huddle.process p ON p.id = t.process
LEFT JOIN huddle.turn_holding h ON h.turn = t.number WHERE t.number = $1`;

/** Offers are the words of others: whatever they are, they only say who may be waited for. */
function isOffered(offers: string | null, memberId: string): boolean {
  try {
    const { members } = Object(JSON.parse(offers ?? 'null')) as { members?: unknown };
    return Array.isArray(members) && members.includes(memberId);
  } catch {
    return false;
  }
}
