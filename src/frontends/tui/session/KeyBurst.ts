/** No hand types keys that fast. */
const BURST_MILLISECONDS = 8;
/** The rest of what is certainly a paste may take its time: the terminal or a busy machine hands it on in pieces. */
const PASTE_MILLISECONDS = 80;
const ENTER = '\r';
/** Characters, and the control characters that a pasted text has. */
const TEXT = /^[^\p{Cc}]|^[\t\n]$/u;
/** An Enter between two pieces of text. */
const INNER_ENTER = /[^\r]\r+[^\r]/u;
const ONLY_ENTERS = /^\r+$/u;

/** Takes a key. `isAlone`: nothing else came with it. */
export type TakeKey = (key: string, isAlone: boolean) => void;

/**
 * Finds pastes among the keys of terminals that do not mark them: text and Enter that arrive faster than anyone types.
 * Such a paste is handed on as a marked one. An Enter that nothing follows stays the key it is.
 */
export class KeyBurst {
  readonly #take: TakeKey;
  /** Keys of the read that is under way. */
  #read: string[] = [];
  /** Text that may be a paste, from its first line or the Enter after that. */
  #held = '';
  #timer: NodeJS.Timeout | undefined;
  #lastTextAt = Number.NEGATIVE_INFINITY;
  #isWatching = false;

  constructor(take: TakeKey) {
    this.#take = take;
  }

  /** Lines that were typed before there was an editor come at once too, and were typed one by one: they are past in two turns of the event loop. */
  start(): void {
    setImmediate(() =>
      setImmediate(() => {
        this.#isWatching = true;
      }),
    );
  }

  stop(): void {
    this.#isWatching = false;
    clearTimeout(this.#timer);
    this.#held = '';
  }

  /** The keys of one read are added in one go, and looked at together. */
  add(key: string): void {
    if (this.#read.push(key) === 1) queueMicrotask(() => this.#takeRead());
  }

  #takeRead(): void {
    const keys = this.#read;
    this.#read = [];
    if (this.#isWatching) this.#split(keys);
    else this.#takeAll(keys);
  }

  /** Runs of text, and the keys between them. */
  #split(keys: readonly string[]): void {
    let run: string[] = [];
    for (const key of keys) {
      if (key === ENTER || TEXT.test(key)) run.push(key);
      else {
        this.#takeText(run);
        run = [];
        this.#release();
        this.#take(key, keys.length === 1);
      }
    }
    this.#takeText(run);
  }

  #takeText(run: readonly string[]): void {
    if (run.length === 0) return;
    const text = run.join('');
    const isQuick = performance.now() - this.#lastTextAt < BURST_MILLISECONDS;
    this.#lastTextAt = performance.now();
    const isPaste = this.#held !== '' || INNER_ENTER.test(isQuick ? `.${text}` : text);
    const typed = isPaste ? [] : run.slice(0, run.findLastIndex((key) => key !== ENTER) + 1);
    const mayContinue = isPaste || typed.length > 0 || isQuick;
    this.#takeAll(mayContinue ? typed : run);
    if (mayContinue && typed.length < run.length)
      this.#hold(run.slice(typed.length).join(''), isPaste ? PASTE_MILLISECONDS : BURST_MILLISECONDS);
  }

  #hold(text: string, milliseconds: number): void {
    this.#held += text;
    clearTimeout(this.#timer);
    // What the terminal has sent by then is read first, also if this process was busy.
    this.#timer = setTimeout(() => setImmediate(() => this.#release()), milliseconds);
  }

  /** Hands on what was held: a paste, or an Enter that nothing followed. */
  #release(): void {
    const held = this.#held;
    this.#held = '';
    clearTimeout(this.#timer);
    if (ONLY_ENTERS.test(held)) this.#takeAll([...held]);
    else if (held !== '') this.#take(`\x1b[200~${held}\x1b[201~`, false);
  }

  #takeAll(keys: readonly string[]): void {
    for (const key of keys) this.#take(key, keys.length === 1);
  }
}
