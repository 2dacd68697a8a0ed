/** Small enough that the pieces die young, large enough that joining them pays. */
const PIECES_PER_CHUNK = 512;

/** Makes one text of very many pieces. A rope of them would keep the collector busy with every piece until the end. */
export class TextBuilder {
  #pieces: string[] = [];
  readonly #chunks: string[] = [];

  append(piece: string): void {
    this.#pieces.push(piece);
    if (this.#pieces.length === PIECES_PER_CHUNK) this.#settle();
  }

  toString(): string {
    this.#settle();
    return this.#chunks.join('');
  }

  #settle(): void {
    this.#chunks.push(this.#pieces.join(''));
    this.#pieces = [];
  }
}
