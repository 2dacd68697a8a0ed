import { CURSOR_MARKER, type ProcessTerminal, TUI, visibleWidth } from '@earendil-works/pi-tui';
import { clampLines, countRows, EMPTY_FRAME, type Frame, paintFrame } from '../paint/paintFrame.js';
import type { ScrollbackQueue } from '../paint/ScrollbackQueue.js';

const FRAME_MILLISECONDS = 16;
/** Time for laying out more than a screen at once: keys wait no longer than that. */
const LAYOUT_MILLISECONDS = 4;
/** Keys that come faster than this are shown together. */
const KEY_MILLISECONDS = 4;
const FAKE_CURSOR = /\x1b\[7m(.*?)\x1b\[0m/;

export interface ScrollbackOptions {
  readonly transcript: ScrollbackQueue;
  /** The lines that still change, at most as many as the screen has rows. */
  renderLive(width: number, rows: number): string[];
  readonly onInput: TakeKey;
}

/**
 * A TUI that repaints only what can still change and prints everything else once, above it. The inherited one keeps,
 * lays out and compares every line there ever was, and erases the user's scrollback when the window is resized.
 */
export class ScrollbackTui extends TUI {
  readonly #options: ScrollbackOptions;
  #frame: Frame = EMPTY_FRAME;
  #width = 0;
  #rows = 0;
  #timer: NodeJS.Timeout | null = null;
  #lastPaint = 0;
  #isRunning = false;
  readonly #keys = new KeyBurst((key, isAlone) => {
    this.#options.onInput(key, isAlone);
    this.#showKey();
  });

  constructor(terminal: ProcessTerminal, options: ScrollbackOptions) {
    super(terminal, true);
    this.#options = options;
  }

  /** Also again after `stop`: then it continues below what was printed meanwhile. */
  override start(): void {
    this.#isRunning = true;
    this.#timer = null;
    this.#keys.start();
    this.terminal.start(
      (key) => this.#keys.add(key),
      () => this.requestRender(),
    );
    this.#paintMore();
  }

  override requestRender(): void {
    this.#paintAfter(FRAME_MILLISECONDS - (performance.now() - this.#lastPaint));
  }

  /** Takes the live part away, prints what still waits, and gives the terminal back. Does nothing the second time. */
  override stop(): void {
    if (!this.#isRunning) return;
    this.#isRunning = false;
    this.#keys.stop();
    if (this.#timer !== null) clearTimeout(this.#timer);
    const { transcript } = this.#options;
    const printed = transcript.takeAll(this.#width);
    const empty: Frame = { ...EMPTY_FRAME, lines: [''] };
    this.terminal.write(paintFrame(this.#frame, empty, printed, this.#width));
    this.#frame = EMPTY_FRAME;
    this.terminal.showCursor();
    this.terminal.stop();
  }

  /** At once, however much waits to be printed or read: people who type look at what they type. */
  #showKey(): void {
    if (this.#isRunning && performance.now() - this.#lastPaint >= KEY_MILLISECONDS) this.#paint(() => []);
  }

  /** Paints what changes, and below what was there as much of the transcript as there is time for. */
  #paintMore(): void {
    this.#timer = null;
    const { transcript } = this.#options;
    this.#paint((width, rows) => {
      const deadline = performance.now() + LAYOUT_MILLISECONDS;
      return transcript.take(width, (count) => count >= rows && performance.now() >= deadline);
    });
    if (transcript.hasMore) this.#paintAfter(0);
  }

  #paint(takeLines: (width: number, rows: number) => readonly string[]): void {
    const { columns: width, rows } = this.terminal;
    const live = clampLines(this.#options.renderLive(width, rows), width).slice(-rows);
    const after = placeCursor(live);
    const printed = [...this.#leaveOldSize(width, rows, live.length), ...takeLines(width, rows)];
    this.terminal.write(paintFrame(this.#frame, after, printed, width));
    this.#frame = after;
    this.#width = width;
    this.#rows = rows;
    this.#lastPaint = performance.now();
  }

  #paintAfter(milliseconds: number): void {
    if (!this.#isRunning || this.#timer !== null) return;
    this.#timer = setTimeout(() => this.#paintMore(), Math.max(0, milliseconds));
  }

  /** After a resize nothing below our first line can be relied on. Says what is to be printed again; the scrollback stays. */
  #leaveOldSize(width: number, rows: number, liveRows: number): string[] {
    const isFirst = this.#width === 0;
    if (isFirst || (this.#width === width && this.#rows === rows)) return [];
    const oldWidth = this.#width;
    const { lines, cursor } = this.#frame;
    this.#frame = { ...this.#frame, lines: [] };
    if (oldWidth === width) return [];
    // The terminal has wrapped our lines at the new width, so they may take more rows than before.
    const { transcript } = this.#options;
    const above = [...transcript.layOutAgain(oldWidth), ...lines.slice(0, cursor.row)];
    const row = Math.min(rows - 1, countRows(above, width) + Math.floor(cursor.column / width));
    this.#frame = { ...this.#frame, cursor: { row, column: 0 } };
    const room = rows - liveRows;
    return room > 0 ? transcript.layOutAgain(width).slice(-room) : [];
  }
}

/** Finds the marked cursor. The terminal shows its own there, which input methods follow, so the drawn one goes. */
function placeCursor(marked: readonly string[]): Frame {
  const row = marked.findIndex((line) => line.includes(CURSOR_MARKER));
  const markedLine = marked[row];
  const lines = marked.map((line) => line.replace(/ +$/, ''));
  if (markedLine === undefined)
    return { lines, cursor: { row: Math.max(0, lines.length - 1), column: 0 }, isCursorShown: false };
  const [before = '', after = ''] = markedLine.split(CURSOR_MARKER);
  lines[row] = (before + after.replace(FAKE_CURSOR, '$1')).replace(/ +$/, '');
  return { lines, cursor: { row, column: visibleWidth(before) }, isCursorShown: true };
}

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
