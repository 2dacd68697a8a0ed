type Say = (line: string) => void;

const SIGNALS: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGHUP', 'SIGINT'];
const CTRL_C = '\x03';
/** A paste that comes early stays one text: its lines are not sent one by one. */
const BRACKETED_PASTE = { on: '\x1b[?2004h', off: '\x1b[?2004l' };
/** From the line to type in back to the first row, which is blank: erased from there, tmux would keep it all in its history. */
const ERASE = '\x1b[A\r\x1b[J\x1b[A';

/**
 * The prompt while the program behind it is loaded: its rows painted by hand where the editor will be, and the keys that
 * are typed meanwhile kept for the session. A question or an error comes instead of it and finds the terminal as it was.
 */
export class FirstPrompt {
  readonly #status: string;
  #typed = '';
  #isPainted = false;
  /** Prints a line above what is painted; none while nothing is. */
  #sayAbove: Say | undefined;

  /** @param status what stands under the line to type in */
  constructor(status: string) {
    this.#status = status;
  }

  open(): void {
    const { stdin, stdout } = process;
    this.#isPainted = true;
    this.#sayAbove = (line) => stdout.write(`${ERASE}${line}\n${this.#layOut()}`);
    for (const signal of SIGNALS) process.on(signal, this.#die);
    process.on('exit', this.#restore);
    stdin.setRawMode(true).setEncoding('utf8').on('data', this.#keep);
    stdout.write(`${BRACKETED_PASTE.on}${this.#layOut()}`);
  }

  /** The keys that have reached no session. */
  get unheard(): string {
    return this.#typed.replaceAll('\r', '\n').trim();
  }

  /** Says a line for people above what is painted. False: nothing is, so it can be written anywhere. */
  say(line: string): boolean {
    this.#sayAbove?.(line);
    return this.#sayAbove !== undefined;
  }

  /** Makes room for a session, which reads the kept keys as if they were typed now, and from now on prints the lines. */
  handOver(sayAbove: Say): void {
    this.#restore();
    this.#sayAbove = sayAbove;
    // Enter on a line without text would continue a conversation that is not on the screen yet.
    process.stdin.unshift(this.#typed.replace(/^[\r\n]+/, ''), 'utf8');
    this.#typed = '';
  }

  /** Gives the terminal back, after everything that was typed until now has been read. */
  async close(): Promise<void> {
    this.#sayAbove = undefined;
    if (!this.#isPainted) return;
    for (let turn = 0; turn < 2; turn++) await new Promise(setImmediate);
    this.#restore();
    process.stdin.pause();
    // Node stops reading a little later, and reading must not have begun again by then.
    await new Promise(setImmediate);
  }

  readonly #keep = (keys: string): void => {
    this.#typed += keys;
    if (keys.includes(CTRL_C)) this.#die('SIGINT');
  };

  readonly #restore = (): void => {
    if (!this.#isPainted) return;
    this.#isPainted = false;
    for (const signal of SIGNALS) process.off(signal, this.#die);
    process.off('exit', this.#restore);
    process.stdout.write(`${ERASE}${BRACKETED_PASTE.off}`);
    process.stdin.off('data', this.#keep).setRawMode(false);
  };

  /** The rows of an empty editor, over what the terminal has shown of keys by itself, and the cursor where its text begins. */
  #layOut(): string {
    // A terminal that does not know its size says 0; the editor takes it for one of the usual size.
    const rule = quiet('─'.repeat(process.stdout.columns || 80));
    const lines = ['\r\x1b[K', rule, '', rule, `  ${quiet(this.#status)}`];
    return `${lines.join('\n')}\x1b[2A\r\x1b[2C`;
  }

  /** A signal does what it would have done without us. */
  readonly #die = (signal: NodeJS.Signals): void => {
    this.#restore();
    process.kill(process.pid, signal);
  };
}

function quiet(text: string): string {
  return `\x1b[2m${text}\x1b[22m`;
}
