import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { ConversationId } from '../../models/ids.js';
import { PAUSES, QUEUED_TURN } from '../../models/schema/events.js';
import { arrayOf, memberId, number, oneOf, record, text, turnId } from '../../models/schema/fields.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';
import type { ListedEntry, SearchedText } from '../listConversations.js';
import type { ConversationQuery } from '../Store.js';
import {
  type ConversationSummary,
  type ConversationTally,
  EMPTY_TALLY,
  sessionTitle,
  summarize,
} from '../summary.js';
import { showHost } from './databaseFailures.js';
import type { PostgresDatabase } from './PostgresDatabase.js';
import type { SharedRow } from './SharedStore.js';

/** Rows fetched at once. */
const PAGE_ROWS = 200;
/** Stands in the body of a message, and in no other: quotes in a text are escaped. */
const MESSAGE = '"type":"message-added"';

interface ConversationRow extends SharedRow {
  readonly number: number;
  readonly id: ConversationId;
  readonly opened: number;
  readonly tally: string;
  readonly place: string | null;
  readonly pid: number | null;
  readonly host: string | null;
  readonly role: string | null;
}

/** Columns of a list: the row, the process that holds it if that lives, and from where this role opened it last. */
const COLUMNS = `c.number, c.id, c.tally, p.pid, p.host, p.role, (
    SELECT v.place FROM huddle.visit v WHERE v.conversation = c.number AND v.role = session_user AND v.place <> ''
    ORDER BY v.opened DESC LIMIT 1) AS place`;
const HOLDER = 'LEFT JOIN huddle.process p ON p.id = c.holder AND p.expires > pg_catalog.now()';

const ALL = `SELECT ${COLUMNS}, c.opened FROM huddle.conversation c ${HOLDER}
  WHERE c.opened < $1 ORDER BY c.opened DESC LIMIT ${PAGE_ROWS}`;

/** Conversations that this role opened from some places, in the order in which it did. */
const VISITED = `SELECT ${COLUMNS}, seen.opened FROM (
    SELECT latest.* FROM pg_catalog.unnest($2::text[]) AS here (place) CROSS JOIN LATERAL (
      SELECT v.conversation, v.opened FROM huddle.visit v
      WHERE v.role = session_user AND v.place = here.place AND v.opened < $1
        AND NOT EXISTS (
          SELECT FROM huddle.visit other
          WHERE other.conversation = v.conversation AND other.role = v.role
            AND other.place = ANY ($2::text[]) AND other.opened > v.opened)
      ORDER BY v.opened DESC LIMIT ${PAGE_ROWS}
    ) AS latest ORDER BY latest.opened DESC LIMIT ${PAGE_ROWS}
  ) AS seen JOIN huddle.conversation c ON c.number = seen.conversation ${HOLDER}
  ORDER BY seen.opened DESC`;

const BY_ID = `SELECT ${COLUMNS}, c.opened FROM huddle.conversation c ${HOLDER} WHERE c.id = $1`;
const BY_PART = `SELECT ${COLUMNS}, c.opened FROM huddle.conversation c ${HOLDER}
  WHERE c.id LIKE $1 OR pg_catalog.reverse(c.id) COLLATE "C" LIKE $2 ORDER BY c.opened DESC LIMIT 1000`;

const MESSAGES = `SELECT seq, body FROM huddle.event
  WHERE conversation = $1 AND seq > $2 AND pg_catalog.strpos(body, $3) > 0 ORDER BY seq LIMIT ${PAGE_ROWS}`;

/** Lists of the conversations in a shared store. */
export class ConversationRows {
  readonly #database: PostgresDatabase;
  readonly #host: string;
  /** Folders by their hash, as far as this process was told of them: the database never is. */
  readonly #folders = new Map<string, string>();

  constructor(database: PostgresDatabase, host: string) {
    this.#database = database;
    this.#host = host;
  }

  /** A folder of this machine as the database knows it. */
  placeOf(folder: string): string {
    const place = createHash('sha256').update(`${this.#host}\0${folder}`).digest('hex');
    this.#folders.set(place, folder);
    return place;
  }

  async *list({ from, folders }: ConversationQuery): AsyncGenerator<ListedEntry> {
    const places = folders && [...new Set(['', ...folders.map((folder) => this.placeOf(folder))])];
    for (let before = from ?? Number.MAX_SAFE_INTEGER, isMore = true; isMore; ) {
      const rows =
        places === undefined
          ? await this.#database.query<ConversationRow>(ALL, [before])
          : await this.#database.query<ConversationRow>(VISITED, [before, places]);
      for (const row of rows) {
        before = row.opened;
        const { opened, number } = row;
        yield {
          opened,
          summary: this.#summarize(row),
          hasMessageWith: (text) => this.#hasMessage(number, text),
        };
      }
      isMore = rows.length === PAGE_ROWS;
    }
  }

  async find(word: string): Promise<readonly ConversationSummary[]> {
    if (!/^[A-Za-z0-9-]{1,64}$/.test(word)) return [];
    const same = await this.#database.query<ConversationRow>(BY_ID, [word]);
    const end = [...`-${word}`].reverse().join('');
    const rows =
      same.length > 0 ? same : await this.#database.query<ConversationRow>(BY_PART, [`${word}%`, `${end}%`]);
    return rows.map((row) => this.#summarize(row));
  }

  #summarize({ id, tally, place, pid, host, role }: ConversationRow): ConversationSummary {
    const folder = this.#folders.get(place ?? '');
    const holder =
      pid === null || host === null ? undefined : { pid, host: showHost(host), role: role ?? undefined };
    const read = readTally(tally);
    return read === null
      ? summarize({ id, folder, tally: EMPTY_TALLY }, 'damaged')
      : summarize({ id, folder, tally: showTally(read) }, holder);
  }

  async #hasMessage(conversation: number, text: SearchedText): Promise<boolean> {
    for (let after = 0; ; ) {
      const rows = await this.#database.query<{ seq: number; body: string }>(MESSAGES, [
        conversation,
        after,
        MESSAGE,
      ]);
      if (rows.some(({ body }) => text.isSaidInBody(body))) return true;
      if (rows.length < PAGE_ROWS) return false;
      after = rows.at(-1)?.seq ?? after;
    }
  }
}

const boolean = z.boolean();
const turn = record(QUEUED_TURN);

/** A summary as `countEvent` makes it. Whoever held the conversation last wrote it, and may write what they like. */
const tallySchema = z.object({
  title: text,
  name: text.optional(),
  teamName: text,
  members: arrayOf(z.object({ id: memberId, name: text })),
  isRehearsal: boolean,
  forkedFrom: text.optional(),
  replayOf: text.optional(),
  messages: number,
  turns: number,
  usage: z
    .object({
      turns: number,
      inputTokens: number,
      cachedInputTokens: number,
      outputTokens: number,
      usd: number,
      prices: z.object({ reported: number, estimated: number, unknown: number }),
    })
    .optional(),
  startedAt: number,
  changedAt: number,
  agenda: z.object({
    queue: arrayOf(turn),
    running: arrayOf(z.looseObject({ turnId, memberId })),
    unfinished: arrayOf(
      z.looseObject({ turn, kind: z.enum(['failed', 'cancelled', 'timed-out', 'interrupted']) }),
    ),
    pause: oneOf('kind', PAUSES).nullable(),
    awaited: z.object({ memberIds: arrayOf(memberId), named: boolean }).nullable(),
    isUnaddressed: boolean,
    isAnswered: boolean,
  }),
});

/** Reads what somebody wrote about a conversation; null when it is not as Huddle writes it. */
export function readTally(body: string): ConversationTally | null {
  try {
    const { data } = tallySchema.safeParse(JSON.parse(body), { jitless: true });
    // Of the same shape, with the ids that the compiler tells apart.
    return (data as ConversationTally | undefined) ?? null;
  } catch {
    return null; // No JSON.
  }
}

/** The same as a list may show it: every text on one line, and harmless for a terminal. */
export function showTally(tally: ConversationTally): ConversationTally {
  return {
    ...tally,
    title: sessionTitle(tally.title),
    ...(tally.name !== undefined && { name: sessionTitle(tally.name) }),
    teamName: sanitizeToOneLine(tally.teamName),
    members: tally.members.map(({ id, name }) => ({ id, name: sanitizeToOneLine(name) })),
  };
}
