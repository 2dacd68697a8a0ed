const MOST_ENTRIES = 1000;

/** Texts that were entered before, newest first and each once, and the place of a person who leafs through them. */
export class InputHistory {
  #entries: readonly string[] = [];
  #loadOlder: (() => readonly string[]) | null;
  /** Index of the entry in the editor; -1: none of them is there. */
  #place = -1;
  /** The entry as the editor shows it; whatever else is there was typed since. */
  #shown = '';
  #draft = '';

  /** `loadOlder`: those of earlier sessions, newest first; called once they are asked for. */
  constructor(loadOlder: () => readonly string[]) {
    this.#loadOlder = loadOlder;
  }

  get entries(): readonly string[] {
    if (this.#loadOlder !== null) this.#entries = unite(this.#entries, this.#loadOlder());
    this.#loadOlder = null;
    return this.#entries;
  }

  add(text: string): void {
    this.#place = -1;
    if (text.trim() !== '') this.#entries = unite([text.trim()], this.#entries);
  }

  /** The entry before the one in the editor, whose text is `current`. */
  older(current: string): string | undefined {
    if (this.#place === -1 || current !== this.#shown) {
      this.#place = -1;
      this.#draft = current;
    }
    const entry = this.entries[this.#place + 1];
    if (entry !== undefined) this.#place += 1;
    return entry;
  }

  /** The entry after the one in the editor, or at last what was being typed. */
  newer(current: string): { readonly entry: string } | { readonly draft: string } | undefined {
    if (this.#place === -1 || current !== this.#shown) return undefined;
    this.#place -= 1;
    const entry = this.#entries[this.#place];
    return entry === undefined ? { draft: this.#draft } : { entry };
  }

  /** Takes note of how the editor shows the entry it was given. */
  noteShown(text: string): void {
    this.#shown = text;
  }
}

function unite(newer: readonly string[], older: readonly string[]): readonly string[] {
  return [...new Set([...newer, ...older])].slice(0, MOST_ENTRIES);
}

/** An incremental search in earlier texts, newest first. */
export class HistorySearch {
  readonly #entries: readonly string[];
  #query = '';
  #place = 0;

  constructor(entries: readonly string[]) {
    this.#entries = entries;
  }

  get query(): string {
    return this.#query;
  }

  /** The entry that was found; undefined: none, or nothing is looked for yet. */
  get match(): string | undefined {
    return this.#query === '' ? undefined : this.#entries[this.#find(this.#place)];
  }

  /** Looks for something else, from the newest entry on. */
  look(query: string): void {
    this.#query = query;
    this.#place = 0;
  }

  /** Goes to the next older entry, if there is one. */
  older(): void {
    const next = this.#find(this.#find(this.#place) + 1);
    if (next !== -1) this.#place = next;
  }

  #find(from: number): number {
    const wanted = this.#query.toLowerCase();
    return this.#entries.findIndex((entry, place) => place >= from && entry.toLowerCase().includes(wanted));
  }
}
