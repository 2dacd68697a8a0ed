const BEL = '\x07';
const [PUSH_TITLE, POP_TITLE] = ['\x1b[22;0t', '\x1b[23;0t'];
/** Terminals that print what they do not know. */
const WITHOUT_COMMANDS = /^(?:|dumb|linux|vt\d.*|cons25.*|sun.*|eterm.*)$/u;
/** Terminals that take notifications in the form of rxvt. */
const LIKE_RXVT = /^(?:rxvt|foot)/u;

export interface SignalledTerminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  write(text: string): void;
}

/** Signals to a person who looks elsewhere: the title of the terminal, its bell, and what the desktop makes of a message. */
export class TerminalSignals {
  readonly #terminal: SignalledTerminal;
  #title: string | undefined;
  #isShown = false;

  constructor(terminal: SignalledTerminal) {
    this.#terminal = terminal;
  }

  /** Sets the title; `text` is safe to show. */
  setTitle(text: string): void {
    if (text === this.#title && this.#isShown) return;
    this.#title = text;
    this.#showTitle();
  }

  /** Rings, and says why where the terminal passes that on; in one form only, so that no one sees it twice. */
  notify(text: string): void {
    const { TERM = '', VTE_VERSION } = this.#terminal.env;
    const isLikeRxvt = LIKE_RXVT.test(TERM) || VTE_VERSION !== undefined;
    const message = isLikeRxvt ? `777;notify;Huddle;${text.replaceAll(';', ',')}` : `9;${text}`;
    this.#terminal.write(`${BEL}${this.#command(message)}`);
  }

  /** Gives the title back: as it was, or where it was not kept, none. */
  stop(): void {
    if (!this.#isShown) return;
    this.#isShown = false;
    this.#terminal.write(`${this.#command('0;')}${POP_TITLE}`);
  }

  /** Shows the title again after `stop`. */
  resume(): void {
    this.#showTitle();
  }

  #showTitle(): void {
    const command = this.#title === undefined ? '' : this.#command(`0;${this.#title}`);
    if (command === '') return;
    this.#terminal.write(`${this.#isShown ? '' : PUSH_TITLE}${command}`);
    this.#isShown = true;
  }

  #command(text: string): string {
    return WITHOUT_COMMANDS.test(this.#terminal.env.TERM ?? '') ? '' : `\x1b]${text}${BEL}`;
  }
}
