import { words } from '../../catalogue/words.js';
import { cutToWidth } from '../../frontends/lines/formatTable.js';
import { createPaint, type Paint, type Role } from '../../frontends/lines/paint.js';
import { widthOf } from '../../utils/widthOf.js';
import type { CliContext } from '../start/CliContext.js';
import type { PickerState } from './PickerState.js';

/** A row to pick. */
export interface Choice {
  /** Text on one line, safe to show. */
  readonly label: string;
  /** The text, in small letters, in which a picker looks for what is typed. */
  readonly searched: string;
}

interface Line {
  readonly text: string;
  readonly role?: Role;
}

const MOST_CHOICES = 12;
/** Rows besides the choices: the question above, the keys below, and one that stays free. */
const OTHER_ROWS = 3;
const USUAL_SIZE = { columns: 80, rows: 24 };
const CLEAR_BELOW = '\r\x1b[J';
const [HIDE_CURSOR, SHOW_CURSOR] = ['\x1b[?25l', '\x1b[?25h'];

/** The rows of a picker, painted over themselves. */
export class PickerScreen {
  readonly #question: string;
  readonly #stdout: CliContext['stdout'];
  readonly #paint: Paint;
  /** The texts on the screen. */
  #painted: readonly string[] = [];

  constructor(question: string, { stdout, env }: CliContext) {
    this.#question = question;
    this.#stdout = stdout;
    this.#paint = createPaint(stdout, env);
  }

  /** Number of choices that have room. */
  get rows(): number {
    return Math.max(1, Math.min(MOST_CHOICES, (this.#stdout.rows || USUAL_SIZE.rows) - OTHER_ROWS));
  }

  paint({ filter, marked }: PickerState, matches: readonly Choice[]): void {
    const { asked, keys, noMatch } = words.sessions.picker;
    const lines = [
      { text: asked(this.#question, filter) },
      ...(matches.length > 0 ? this.#layOut(matches, marked) : [{ text: `  ${noMatch}` }]),
      { text: keys(Math.min(marked + 1, matches.length), matches.length), role: 'faint' as const },
    ].map((line: Line) => ({ ...line, text: cutToWidth(line.text, this.#columns - 1) }));
    const painted = lines.map(({ text, role }) => (role === undefined ? text : this.#paint(role, text)));
    this.#stdout.write(`${HIDE_CURSOR}${this.#erase()}${painted.join('\n')}`);
    this.#painted = lines.map(({ text }) => text);
  }

  clear(): void {
    this.#stdout.write(`${this.#erase()}${SHOW_CURSOR}`);
    this.#painted = [];
  }

  /** The choices around the marked one. */
  #layOut(matches: readonly Choice[], marked: number): readonly Line[] {
    const first = Math.max(0, Math.min(marked - Math.floor(this.rows / 2), matches.length - this.rows));
    return matches
      .slice(first, first + this.rows)
      .map(({ label }, index) =>
        first + index === marked ? { text: `❯ ${label}`, role: 'name' } : { text: `  ${label}` },
      );
  }

  get #columns(): number {
    return this.#stdout.columns || USUAL_SIZE.columns;
  }

  /** Goes back to the first row and clears all; a terminal that has become narrower has wrapped some of them. */
  #erase(): string {
    const rowsOf = (line: string): number => Math.max(1, Math.ceil(widthOf(line) / this.#columns));
    const rows = this.#painted.reduce((sum, line) => sum + rowsOf(line), 0);
    return rows > 1 ? `\x1b[${rows - 1}A${CLEAR_BELOW}` : CLEAR_BELOW;
  }
}
