import type { SearchedText } from '../SearchedText.js';
import type { Database, Statement } from './loadSqlite.js';

/** Rows fetched at once. */
const PAGE_ROWS = 500;
/** Stands in the body of a message, and in no other: quotes in a text are escaped. */
const MESSAGE = '"type":"message-added"';

/** Looks for text in the messages of stored conversations. */
export class MessageSearch {
  readonly #page: Statement;

  constructor(database: Database) {
    this.#page = database.prepare(
      `SELECT place, body FROM event
       WHERE place > ?1 AND place < ((?2 + 1) << 32) AND instr(body, ?3) > 0
       ORDER BY place LIMIT ${PAGE_ROWS}`,
    );
  }

  has(conversation: number, text: SearchedText): boolean {
    let place = conversation * 2 ** 32;
    for (;;) {
      const rows = this.#page.all(place, conversation, MESSAGE);
      if (rows.some(({ body }) => typeof body === 'string' && text.isSaidInBody(body))) return true;
      if (rows.length < PAGE_ROWS) return false;
      place = Number(rows.at(-1)?.place);
    }
  }
}
