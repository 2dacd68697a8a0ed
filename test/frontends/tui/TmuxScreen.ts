import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { isFast } from '../../tier.js';

const DEADLINE_MILLISECONDS = 50_000;
const POLL_MILLISECONDS = 25;
/** A screen that nothing was written to is looked at again after this: the copy of what is written may come late. */
const RELOOK_MILLISECONDS = 500;

/** Whether a screen can be had here. Where one must be had, its absence is a failure. */
export function hasTmux(): boolean {
  if (isFast) return false;
  try {
    execFileSync('tmux', ['-V'], { stdio: 'ignore' });
    return true;
  } catch (error) {
    if (process.env.HUDDLE_REQUIRE_PTY === '1') throw error;
    console.warn('Skipped: tmux is not installed; no screen can be compared.');
    return false;
  }
}

export interface ScreenOrder {
  readonly columns?: number;
  readonly rows?: number;
  /** In this folder. */
  readonly program?: string;
  /** Handed to the program as its one argument. */
  readonly order?: object;
  /** Arguments in place of an order. */
  readonly args?: readonly string[];
  /** Where the program is started. */
  readonly folder?: string;
  readonly patienceMilliseconds?: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** The program in a terminal of its own, closed with the test: a tmux server without configuration that nobody else uses. */
export class TmuxScreen {
  readonly folder = mkdtempSync(join(tmpdir(), 'huddle-tui-'));
  readonly #patience: number;
  #isOpen = true;
  readonly #socket = `huddle-test-${randomBytes(6).toString('hex')}`;

  constructor({
    columns = 80,
    rows = 24,
    program = 'program.mjs',
    order = {},
    args = [JSON.stringify(order)],
    env = {},
    folder = '.',
    patienceMilliseconds = DEADLINE_MILLISECONDS,
  }: ScreenOrder = {}) {
    this.#patience = patienceMilliseconds;
    const variables = Object.entries({ LANG: 'C.UTF-8', HOME: this.folder, ...env }).map(
      ([name, value]) => `${name}=${value}`,
    );
    const file = fileURLToPath(new URL(program, import.meta.url));
    const command = ['env', '-u', 'NO_COLOR', '-u', 'CI', ...variables, process.execPath, file, ...args];
    // The shell stays when the program has ended, so that what it left behind can be seen.
    const line = `${command.map(quote).join(' ')}; echo "code: $?"; stty -a | grep -o -- '-\\?icanon'; cat`;
    const size = ['-x', String(columns), '-y', String(rows)];
    this.#tmux('new-session', '-d', ...size, '-c', folder, 'sh', '-c', line);
    this.#tmux('set-option', '-g', 'history-limit', '100000');
    this.#tmux('pipe-pane', '-o', `cat >> ${quote(join(this.folder, 'bytes'))}`);
    onTestFinished(() => this.close());
  }

  /** Types text as it is. */
  type(text: string): void {
    this.#tmux('send-keys', '-l', text);
  }

  /** Presses keys by the names tmux gives them: `Enter`, `Escape`, `C-c`. */
  press(...keys: string[]): void {
    this.#tmux('send-keys', ...keys);
  }

  paste(text: string): void {
    this.#tmux('set-buffer', text);
    this.#tmux('paste-buffer', '-p');
  }

  resize(columns: number, rows: number): void {
    this.#tmux('resize-window', '-x', String(columns), '-y', String(rows));
  }

  /** The visible rows, without blanks at their ends. */
  rows(): string[] {
    return this.#capture([]);
  }

  /** The scrollback and the visible rows. */
  everything(): string[] {
    return this.#capture(['-S', '-']);
  }

  cursor(): string {
    return this.#tmux('display-message', '-p', '#{cursor_x},#{cursor_y},#{cursor_flag}').trim();
  }

  /** All that was sent to the terminal since just after the start. */
  bytes(): string {
    return readFileSync(join(this.folder, 'bytes'), 'utf8');
  }

  programPid(): number {
    const shell = this.#tmux('display-message', '-p', '#{pane_pid}').trim();
    return Number(
      execFileSync('ps', ['-o', 'pid=', '--ppid', shell], { encoding: 'utf8' }).trim().split('\n')[0],
    );
  }

  /** Waits until the screen shows this and is not just being painted; fails with what it shows instead. */
  async until(isThere: string | ((rows: string[]) => boolean)): Promise<string[]> {
    const condition =
      typeof isThere === 'string' ? (rows: string[]) => rows.join('\n').includes(isThere) : isThere;
    const deadline = Date.now() + this.#patience;
    const looked = { at: 0, written: -1 };
    for (let before = -1; ; ) {
      // A look takes a process, so it is taken when something was written, and nothing more is.
      const written = this.#written();
      const isNews = written !== looked.written || Date.now() - looked.at > RELOOK_MILLISECONDS;
      if (written === before && isNews) {
        const rows = this.rows();
        if (condition(rows)) return rows;
        Object.assign(looked, { at: Date.now(), written });
      }
      if (Date.now() > deadline)
        throw new Error(`Not on the screen: ${String(isThere)}\n${this.rows().join('\n')}`);
      before = written;
      await wait(POLL_MILLISECONDS);
    }
  }

  /** Number of bytes that were sent to the terminal. */
  #written(): number {
    return statSync(join(this.folder, 'bytes'), { throwIfNoEntry: false })?.size ?? 0;
  }

  /** Resolves when everything that ran in the terminal has ended: a shell still writes its history then. */
  async close(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    const session = this.#tmux('display-message', '-p', '#{pane_pid}').trim();
    this.#tmux('kill-server');
    const deadline = Date.now() + this.#patience;
    for (let left = running(session); left !== ''; left = running(session)) {
      if (Date.now() > deadline) throw new Error(`Still running after the terminal was closed:\n${left}`);
      await wait(POLL_MILLISECONDS);
    }
    rmSync(this.folder, { recursive: true, force: true });
  }

  #capture(range: readonly string[]): string[] {
    const rows = this.#tmux('capture-pane', '-p', ...range)
      .split('\n')
      .map((row) => row.trimEnd());
    while (rows.at(-1) === '') rows.pop();
    return rows;
  }

  #tmux(...args: string[]): string {
    return execFileSync('tmux', ['-L', this.#socket, '-f', '/dev/null', ...args], { encoding: 'utf8' });
  }
}

/** What runs in a session of processes, a line each; dead ones that nobody has collected do not count. */
function running(session: string): string {
  const lines = execFileSync('ps', ['-e', '-o', 'sid=,stat=,pid=,args='], { encoding: 'utf8' }).split('\n');
  return lines.filter((line) => new RegExp(`^\\s*${session}\\s+[^Z\\s]`, 'u').test(line)).join('\n');
}

function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
