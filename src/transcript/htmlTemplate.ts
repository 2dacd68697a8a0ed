import { sanitizeForTerminal } from '../utils/sanitize.js';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Markup that may stand in a page. Only `html` makes it. */
class Html {
  readonly #markup: string;

  constructor(markup: string) {
    this.#markup = markup;
  }

  toString(): string {
    return this.#markup;
  }
}

export type { Html };

/**
 * A template of markup. Every value in it is escaped, whatever its type, unless it is markup itself; the items of a list
 * follow each other.
 */
export function html(strings: TemplateStringsArray, ...values: readonly unknown[]): Html {
  return new Html(String.raw({ raw: strings }, ...values.map(toMarkup)));
}

function toMarkup(value: unknown): string {
  if (value instanceof Html) return String(value);
  return Array.isArray(value) ? value.map(toMarkup).join('') : escapeHtml(String(value));
}

/** Text for between tags and inside quoted attributes. What HTML does not allow, or would turn around or hide, is shown. */
function escapeHtml(text: string): string {
  return sanitizeForTerminal(text.toWellFormed().replace(/\r\n?/gu, '\n')).replace(
    /[&<>"']/g,
    (character) => ENTITIES[character] ?? character,
  );
}
