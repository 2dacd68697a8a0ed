import type { UserSettings } from '../../models/UserSettings.js';
import { SanitizedPieces, sanitizeForTerminal, sanitizeToOneLine } from '../../utils/sanitize.js';
import { widthOf } from '../../utils/widthOf.js';
import { edgeOf, hang, INDENT, PrefixedText, type PrintStream } from './PrefixedText.js';
import { createPaint, isLiveTerminal, type Paint, type Role } from './paint.js';

/** The streams of a printer: results to one stream, everything else to the other. */
export interface PrintStreams {
  readonly stdout: PrintStream;
  readonly stderr: PrintStream;
}

/**
 * Writes blocks of text to one stream and single lines about them to the other. Both may be the same terminal, so a
 * line never begins in the middle of another. Whatever it is given is made harmless here, and only here painted.
 */
export class LineWriter {
  readonly #streams: PrintStreams;
  readonly #paint: { readonly stdout: Paint; readonly stderr: Paint };
  readonly #status: StatusLine | undefined;
  #describeStatus: (() => string) | undefined;
  #isFirstBlock = true;
  #isMidLine = false;
  #text: PrefixedText | undefined;
  readonly #pieces = new SanitizedPieces();

  constructor(
    streams: PrintStreams,
    env: Readonly<Record<string, string | undefined>>,
    colours?: UserSettings['colours'],
  ) {
    this.#streams = streams;
    this.#paint = {
      stdout: createPaint(streams.stdout, env, colours),
      stderr: createPaint(streams.stderr, env, colours),
    };
    if (isLiveTerminal(streams.stderr, env)) this.#status = new StatusLine(streams.stderr);
  }

  /** A new block under its head. */
  begin(role: Role, head: string): void {
    this.endLine();
    this.#status?.hide();
    const { stdout } = this.#streams;
    const painted = this.#paint.stdout(role, hang(sanitizeToOneLine(head), stdout));
    stdout.write(`${this.#isFirstBlock ? '' : '\n'}${painted}\n`);
    this.#isFirstBlock = false;
    this.#text = new PrefixedText({ prefix: INDENT, columns: edgeOf(stdout) });
  }

  /** More of the block, as it comes. */
  write(text: string): void {
    if (text === '') return;
    this.#status?.hide();
    this.#writeSafe(this.#pieces.take(text));
    this.#isMidLine = !text.endsWith('\n');
    this.#showStatus();
  }

  /** A line of the block that is not part of what was said. */
  writeLine(line: string, role: Role, prefix = ''): void {
    this.endLine();
    this.#status?.hide();
    const { stdout } = this.#streams;
    const text = new PrefixedText({ prefix, columns: edgeOf(stdout) }).takeAll(sanitizeForTerminal(line));
    stdout.write(`${this.#paint.stdout(role, text === '' ? prefix : text)}\n`);
  }

  /** A text that is all there is. `isExact`: byte for byte, except on a screen. */
  writeAlone(text: string, isExact: boolean): void {
    this.endLine();
    this.#status?.hide();
    const { stdout } = this.#streams;
    stdout.write(`${isExact && !stdout.isTTY ? text : sanitizeForTerminal(text)}\n`);
  }

  endLine(): void {
    if (!this.#isMidLine) return;
    this.#writeSafe(this.#pieces.end());
    this.write('\n');
  }

  /** A line about the text, on the other stream. */
  note(line: string, role: Role = 'faint'): void {
    const { stderr } = this.#streams;
    this.#writeNote(hang(sanitizeToOneLine(line), stderr), role);
  }

  /** Lines that are safe already and know how wide they may be; undefined: any width. */
  noteLines(layOut: (columns: number | undefined) => readonly string[]): void {
    const { stderr } = this.#streams;
    const columns = edgeOf(stderr);
    const fit = (line: string): string =>
      widthOf(line) <= (columns ?? Infinity) ? line : hang(line, stderr);
    this.#writeNote(layOut(columns).map(fit).join('\n'), 'faint');
  }

  /** A text of several lines, further in, under its head. */
  noteText(head: string, text: string, role: Role): void {
    this.note(head, role);
    const indented = new PrefixedText({ prefix: INDENT, columns: edgeOf(this.#streams.stderr) });
    this.#writeNote(indented.take(sanitizeForTerminal(text)), role);
  }

  /** The same with every blank it has. */
  noteExactly(line: string, role: Role): void {
    this.#writeNote(sanitizeForTerminal(line), role);
  }

  /** Sets the status until further notice; shown while nothing is being written. */
  setStatus(describe: (() => string) | undefined): void {
    this.#describeStatus = describe;
    this.#status?.hide();
    this.#showStatus();
  }

  #writeNote(text: string, role: Role): void {
    this.endLine();
    this.#status?.hide();
    this.#streams.stderr.write(`${this.#paint.stderr(role, text)}\n`);
    this.#showStatus();
  }

  #writeSafe(text: string): void {
    this.#streams.stdout.write(this.#text?.take(text) ?? text);
  }

  #showStatus(): void {
    const describe = this.#describeStatus;
    if (describe !== undefined && !this.#isMidLine) this.#status?.show(() => sanitizeToOneLine(describe()));
  }
}

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
