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
