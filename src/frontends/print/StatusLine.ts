const EVERY_MILLISECONDS = 1000;
const CLEAR = '\r\u001b[K';
/** The terminal itself cuts what has no room: it knows how wide characters are. */
const [STOP_WRAPPING, WRAP] = ['\u001b[?7l', '\u001b[?7h'];

/** A line at the bottom that shows what is happening just now and is gone before anything else is written. */
export class StatusLine {
  readonly #stream: NodeJS.WritableStream;
  #timer: NodeJS.Timeout | undefined;
  #isShown = false;

  constructor(stream: NodeJS.WritableStream) {
    this.#stream = stream;
  }

  /** Until `hide`, shows what `describe` says and asks it again every second. */
  show(describe: () => string): void {
    this.hide();
    const draw = (): void => {
      this.#stream.write(`${CLEAR}${STOP_WRAPPING}${describe()}${WRAP}`);
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
