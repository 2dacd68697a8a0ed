import { sanitizeForTerminal, sanitizeToOneLine } from '../../utils/sanitize.js';
import type { PrintStreams } from './Printer.js';
import { createPaint, isLiveTerminal, type Paint, type Role } from './paint.js';
import { StatusLine } from './StatusLine.js';

/**
 * Writes blocks of text to one stream and single lines beside them to the other. Both may be the same terminal, so a
 * line never begins in the middle of another. Whatever it is given is made harmless here, and only here painted.
 */
export class Transcript {
  readonly #streams: PrintStreams;
  readonly #paint: { readonly stdout: Paint; readonly stderr: Paint };
  readonly #status: StatusLine | undefined;
  #describeStatus: (() => string) | undefined;
  #isFirstBlock = true;
  #isMidLine = false;

  constructor(streams: PrintStreams, env: Readonly<Record<string, string | undefined>>) {
    this.#streams = streams;
    this.#paint = { stdout: createPaint(streams.stdout, env), stderr: createPaint(streams.stderr, env) };
    if (isLiveTerminal(streams.stderr, env)) this.#status = new StatusLine(streams.stderr);
  }

  /** A new block under its head. */
  begin(role: Role, head: string): void {
    this.endLine();
    this.#status?.hide();
    const painted = this.#paint.stdout(role, sanitizeToOneLine(head));
    this.#streams.stdout.write(`${this.#isFirstBlock ? '' : '\n'}${painted}\n`);
    this.#isFirstBlock = false;
  }

  /** More of the block, as it comes. */
  write(text: string): void {
    if (text === '') return;
    this.#status?.hide();
    this.#streams.stdout.write(sanitizeForTerminal(text));
    this.#isMidLine = !text.endsWith('\n');
    this.#showStatus();
  }

  /** A line of the block that is not part of what was said. */
  writeLine(line: string, role: Role): void {
    this.endLine();
    this.#status?.hide();
    this.#streams.stdout.write(`${this.#paint.stdout(role, sanitizeForTerminal(line))}\n`);
  }

  endLine(): void {
    if (this.#isMidLine) this.write('\n');
  }

  /** A line beside the text. */
  note(line: string, role: Role = 'faint'): void {
    this.endLine();
    this.#status?.hide();
    this.#streams.stderr.write(`${this.#paint.stderr(role, sanitizeToOneLine(line))}\n`);
    this.#showStatus();
  }

  /** The same with every blank it has. */
  noteExactly(line: string, role: Role): void {
    this.endLine();
    this.#status?.hide();
    this.#streams.stderr.write(`${this.#paint.stderr(role, sanitizeForTerminal(line))}\n`);
    this.#showStatus();
  }

  /** What is going on until further notice; shown while nothing is being written. */
  setStatus(describe: (() => string) | undefined): void {
    this.#describeStatus = describe;
    this.#status?.hide();
    this.#showStatus();
  }

  #showStatus(): void {
    const describe = this.#describeStatus;
    if (describe !== undefined && !this.#isMidLine) this.#status?.show(() => sanitizeToOneLine(describe()));
  }
}
