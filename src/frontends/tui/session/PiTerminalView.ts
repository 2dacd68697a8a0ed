import { setTimeout as delay } from 'node:timers/promises';
import { isKeyRelease, matchesKey, ProcessTerminal, setCapabilities } from '@earendil-works/pi-tui';
import { note, type Paragraph } from '../../../presentation/Paragraph.js';
import { wantsColour } from '../../lines/paint.js';
import { renderStatus, renderTurns } from '../paint/renderLive.js';
import { ScrollbackQueue } from '../paint/ScrollbackQueue.js';
import { CodeColours, createTheme, type Theme } from '../paint/theme.js';
import { MessageEditor } from './MessageEditor.js';
import { ScrollbackTui } from './ScrollbackTui.js';
import type { TerminalView, ViewSource } from './TerminalView.js';

const STAYING_MILLISECONDS = 60_000;
/** Every terminal answers this question, and nothing that only looks like one does. */
const WHO_IS_THERE = '\x1b[c';
/**
 * The byte that an end of input becomes if it came while the keys were not yet ours: the first thing to be read, soon after the
 * start, which takes long on a busy machine. Later, or after the answer of a terminal, the same byte is a key: Ctrl-Space.
 */
const EARLY_END = '\0';
const EARLY_MILLISECONDS = 5000;
/** The first thing that is sent to the terminal. No one types it: what is written here comes back as if it were typed. */
const OWN_ECHO = '\x1b[?2004h';
/** So long after its start pi-tui still turns on a protocol for keys, also in a terminal that was given back. */
const PROTOCOL_MILLISECONDS = 160;
/** The second one is of a Chinese keyboard. */
const HELP_KEYS: readonly string[] = ['?', '？'];
const TERMINAL_IS_THERE = /^\x1b\[\?[\d;]*c$/;

/** The view over pi-tui: transcript above, the turns that run, the editor, the status line. */
export class PiTerminalView implements TerminalView {
  readonly hasKeys = true;
  readonly #source: ViewSource;
  readonly #theme: Theme;
  readonly #transcript: ScrollbackQueue;
  readonly #terminal: ProcessTerminal;
  readonly #tui: ScrollbackTui;
  readonly #editor: MessageEditor;
  readonly #signals: TerminalSignals;
  /** Aborted when the view is closed: whatever has the terminal meanwhile ends too. */
  readonly #closing = new AbortController();
  #isLent = false;
  #startedAt = 0;
  #hasRead = false;

  constructor(source: ViewSource) {
    // Links are printed in full: a link whose target is hidden is one more way to mislead.
    setCapabilities({ images: null, trueColor: false, hyperlinks: false });
    this.#source = source;
    const colours = new CodeColours(() => this.refresh());
    this.#theme = createTheme(
      wantsColour(process.stdout, process.env, source.colours),
      source.words,
      colours.highlight,
    );
    const hasColours = this.#theme.highlight !== undefined;
    this.#transcript = new ScrollbackQueue(
      this.#theme,
      (block) => hasColours && block.kind === 'text' && colours.isAwaitedBy(block.text),
    );
    this.#terminal = new ScreenTerminal();
    this.#signals = new TerminalSignals({ env: process.env, write: (text) => this.#write(text) });
    this.#tui = new ScrollbackTui(this.#terminal, {
      transcript: this.#transcript,
      renderLive: (width, rows) => this.#renderLive(width, rows),
      onInput: (data, isAlone) => this.#handleInput(data, isAlone),
    });
    this.#editor = new MessageEditor(this.#tui, {
      theme: this.#theme,
      completion: source.completion,
      loadHistory: () => source.typed.loadHistory(),
      onSubmit: (text, shown) => source.typed.onSubmit(text, shown),
    });
  }

  start(): void {
    this.#startedAt = performance.now();
    this.#tui.start();
    this.#signals.resume();
  }

  print(paragraphs: readonly Paragraph[]): void {
    this.#transcript.add(paragraphs);
    this.refresh();
  }

  refresh(): void {
    this.#tui.requestRender();
  }

  get input(): string {
    return this.#editor.text;
  }

  set input(text: string) {
    this.#editor.text = text;
    this.refresh();
  }

  remember(text: string): void {
    this.#editor.remember(text);
  }

  setTitle(title: string): void {
    this.#signals.setTitle(title);
  }

  notify(text: string): void {
    this.#signals.notify(text);
  }

  askWhoIsThere(): void {
    this.#write(WHO_IS_THERE);
  }

  /** Writes past the screen, but not into that of the editor that has the terminal; the title is shown again afterwards. */
  #write(text: string): void {
    if (!this.#isLent) this.#terminal.write(text);
  }

  async close(): Promise<void> {
    await this.#calm();
    this.restore();
  }

  restore(): void {
    this.#closing.abort();
    this.#tui.stop();
    this.#signals.stop();
  }

  /** Waits until nothing more of the keyboard's protocols is on its way, in either direction. */
  async #calm(): Promise<void> {
    await delay(Math.max(0, PROTOCOL_MILLISECONDS - this.#age()));
    await this.#terminal.drainInput();
  }

  /** Lends the terminal to the user's editor, and takes what was written there. What is printed meanwhile waits. */
  async #editElsewhere(): Promise<void> {
    const { signal } = this.#closing;
    this.#isLent = true;
    await this.#calm();
    this.#tui.stop();
    const edited = await this.#source.editText(this.#editor.text, signal);
    this.#isLent = false;
    if (signal.aborted) return;
    if ('text' in edited) this.#editor.replace(edited.text);
    else this.print([note(edited.reason, 'warning')]);
    this.start();
  }

  /** Gives the terminal back to the shell until it says that we continue. */
  #suspend(): void {
    this.restore();
    // Without a terminal to listen to there is nothing else that keeps the process until then.
    const staying = setInterval(() => undefined, STAYING_MILLISECONDS);
    process.once('SIGCONT', () => {
      clearInterval(staying);
      this.start();
    });
    process.kill(0, 'SIGTSTP');
  }

  #age(): number {
    return performance.now() - this.#startedAt;
  }

  #renderLive(width: number, rows: number): string[] {
    const editor = this.#editor.render(width);
    const room = Math.max(0, rows - editor.length - 2);
    const look = { width, frame: this.#source.frame, theme: this.#theme };
    const turns = renderTurns(this.#source.shownTurns(), room, look);
    return [...turns, '', ...editor, renderStatus(this.#source.status(), look)];
  }

  #handleInput(data: string, isAlone: boolean): void {
    if (isKeyRelease(data) || this.#isLent) return;
    const source = this.#source;
    const editor = this.#editor;
    const isEarlyEnd = data === EARLY_END && !this.#hasRead && this.#age() < EARLY_MILLISECONDS;
    this.#hasRead = true;
    if (!isEarlyEnd) source.onSign();
    if (TERMINAL_IS_THERE.test(data)) return;
    if (editor.isEmpty) source.typed.onFirstKey(!this.#transcript.hasMore);
    if (data === OWN_ECHO) source.onDisconnect();
    else if (isEarlyEnd) source.onLeave();
    else if (matchesKey(data, 'ctrl+z')) this.#suspend();
    else if (editor.isSearching) editor.handleKey(data);
    else if (matchesKey(data, 'ctrl+c')) source.onInterrupt();
    else if (matchesKey(data, 'escape') && !editor.isBusy) source.onStop();
    else if (matchesKey(data, 'ctrl+d') && editor.isEmpty) source.onLeave();
    else if (matchesKey(data, 'ctrl+g')) this.#editElsewhere();
    else if (HELP_KEYS.includes(data) && isAlone && editor.isEmpty) source.typed.onHelp();
    else editor.handleKey(data);
    this.refresh();
  }
}

/** The terminal of pi-tui, which writes to the screen alone: agents are given the variables that would make it keep a file as well. */
class ScreenTerminal extends ProcessTerminal {
  override write(data: string): void {
    process.stdout.write(data);
  }
}

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
