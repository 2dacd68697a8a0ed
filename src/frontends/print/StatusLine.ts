const EVERY_MILLISECONDS = 1000;
const CLEAR = '\r\u001b[K';
const DEFAULT_COLUMNS = 80;

/** One line at the bottom that says what is going on just now and is gone before anything else is written. */
export class StatusLine {
  readonly #stream: NodeJS.WritableStream & { readonly columns?: number };
  #timer: NodeJS.Timeout | undefined;
  #isShown = false;

  constructor(stream: NodeJS.WritableStream & { readonly columns?: number }) {
    this.#stream = stream;
  }

  /** Until `hide`, shows what `describe` says and asks it again every second. */
  show(describe: () => string): void {
    this.hide();
    const draw = (): void => {
      const room = (this.#stream.columns ?? DEFAULT_COLUMNS) - 1;
      this.#stream.write(`${CLEAR}${describe().slice(0, room)}`);
      this.#isShown = true;
    };
    draw();
    this.#timer = setInterval(draw, EVERY_MILLISECONDS).unref();
  }

  hide(): void {
    clearInterval(this.#timer);
    if (this.#isShown) this.#stream.write(CLEAR);
    this.#isShown = false;
  }
}
