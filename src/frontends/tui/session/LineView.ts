import { createInterface, type Interface } from 'node:readline';
import { summarizeRequest } from '../../../catalogue/permissionRequests.js';
import { isApart, type Paragraph } from '../../../presentation/Paragraph.js';
import { openPermissions } from '../../../presentation/Telling.js';
import { sanitizeToOneLine } from '../../../utils/sanitize.js';
import { formatParagraph } from '../../lines/formatParagraph.js';
import type { TerminalView, ViewSource } from './TerminalView.js';

const PROMPT = '> ';

/**
 * The view for those who want lines: what is written stays, nothing is painted over, and the terminal itself edits what
 * is typed. Answers are printed block by block; while one is awaited a line says so.
 */
export class LineView implements TerminalView {
  /** Always empty: what is being typed is the terminal's until Enter. */
  input = '';
  readonly hasKeys = false;
  readonly #source: ViewSource;
  #lines: Interface | null = null;
  #last: Paragraph | null = null;
  #announced = '';
  #isPrompting = false;

  constructor(source: ViewSource) {
    this.#source = source;
  }

  start(): void {
    this.#lines = createInterface({ input: process.stdin, terminal: false });
    this.#lines.on('line', (line) => {
      this.#isPrompting = false;
      this.#source.onSign();
      this.#source.typed.onSubmit(line);
      setImmediate(() => this.refresh());
    });
    // `watchProcess` hears of it too, and ends the session.
    this.#lines.on('error', () => undefined);
    // After what the caller prints first.
    setImmediate(() => this.refresh());
  }

  print(blocks: readonly Paragraph[]): void {
    for (const block of blocks) {
      this.#say(`${isApart(this.#last, block) ? '\n' : ''}${formatParagraph(block, this.#source.words)}`);
      this.#last = block;
    }
    // What an agent says after its question could look like another one: the real one is told again below.
    if (openPermissions(this.#source.screen()).length > 0) this.#announced = '';
    setImmediate(() => this.refresh());
  }

  refresh(): void {
    if (this.#lines === null) return;
    const { isBusy } = this.#source.status();
    const isSpeaking = this.#source.screen().turns.some(({ preview }) => preview !== '');
    const announcement = this.#announcement(isSpeaking);
    if (announcement !== '' && announcement !== this.#announced) this.#say(announcement);
    if (!isSpeaking) this.#announced = announcement;
    if (isBusy || this.#isPrompting) return;
    process.stdout.write(PROMPT);
    this.#isPrompting = true;
  }

  async close(): Promise<void> {
    this.restore();
  }

  restore(): void {
    if (this.#lines === null) return;
    if (this.#isPrompting) process.stdout.write('\n');
    this.#lines.close();
    this.#lines = null;
  }

  /** The line about what is happening, in our words and names of others; open questions before all else. */
  #announcement(isSpeaking: boolean): string {
    const { isBusy, now, hint } = this.#source.status();
    if (hint === this.#source.words.terminal.status.exitHint) return hint;
    const questions = openPermissions(this.#source.screen()).map((question) =>
      sanitizeToOneLine(
        `(${this.#source.words.terminal.openQuestion(question.number, summarizeRequest(question))})`,
      ),
    );
    if (questions.length > 0) return questions.join('\n');
    return isBusy && !isSpeaking ? sanitizeToOneLine(`(${now})`) : '';
  }

  #say(text: string): void {
    process.stdout.write(`${this.#isPrompting ? '\n' : ''}${text}\n`);
    this.#isPrompting = false;
  }
}
