import { setTimeout as delay } from 'node:timers/promises';
import {
  decodeKittyPrintable,
  Editor,
  getKeybindings,
  isKeyRelease,
  type Keybinding,
  matchesKey,
  ProcessTerminal,
  setCapabilities,
} from '@earendil-works/pi-tui';
import { wantsColour } from '../../print/paint.js';
import { CodeColours } from '../paint/CodeColours.js';
import { renderStatus, renderTurns } from '../paint/renderLive.js';
import { ScrollbackQueue } from '../paint/ScrollbackQueue.js';
import { createTheme, type Theme } from '../paint/theme.js';
import type { Paragraph } from '../screen/Paragraph.js';
import { MemberCompletion } from './MemberCompletion.js';
import { ScrollbackTui } from './ScrollbackTui.js';
import type { TerminalView, ViewSource } from './TerminalView.js';

const LARGEST_MENU = 8;
const STAYING_MILLISECONDS = 60_000;
/** Every terminal answers this question, and nothing that only looks like one does. */
const WHO_IS_THERE = '\x1b[c';
/** The byte that an end of input becomes if it came while the keys were not yet ours. Later the same byte is a key: Ctrl-Space. */
const EARLY_END = '\0';
const EARLY_MILLISECONDS = 500;
/** The first thing that is sent to the terminal. No one types it: what is written here comes back as if it were typed. */
const OWN_ECHO = '\x1b[?2004h';
/** So long after its start pi-tui still turns on a protocol for keys, also in a terminal that was given back. */
const PROTOCOL_MILLISECONDS = 160;
/** Keys of the editor's menu. */
const MENU_KEYS: readonly Keybinding[] = [
  'tui.select.up',
  'tui.select.down',
  'tui.select.cancel',
  'tui.select.confirm',
  'tui.input.tab',
];
/** After these the editor asks again what to offer, as it does after a character. */
const DELETE_KEYS: readonly Keybinding[] = ['tui.editor.deleteCharBackward', 'tui.editor.deleteCharForward'];
const TERMINAL_IS_THERE = /^\x1b\[\?[\d;]*c$/;

/** The view over pi-tui: transcript above, the turns that run, the editor, the status line. */
export class PiTerminalView implements TerminalView {
  readonly hasKeys = true;
  readonly #source: ViewSource;
  readonly #theme: Theme;
  readonly #transcript: ScrollbackQueue;
  readonly #terminal: ProcessTerminal;
  readonly #tui: ScrollbackTui;
  readonly #editor: Editor;
  readonly #completion: MemberCompletion;
  #startedAt = 0;

  constructor(source: ViewSource) {
    forgetDebugVariables();
    // Links are printed in full: a link whose target is hidden is one more way to mislead.
    setCapabilities({ images: null, trueColor: false, hyperlinks: false });
    this.#source = source;
    const colours = new CodeColours(() => this.refresh());
    this.#theme = createTheme(wantsColour(process.stdout, process.env, source.colours), colours.highlight);
    const hasColours = this.#theme.highlight !== undefined;
    this.#transcript = new ScrollbackQueue(
      this.#theme,
      (block) => hasColours && block.kind === 'text' && colours.isAwaitedBy(block.text),
    );
    this.#terminal = new ProcessTerminal();
    this.#tui = new ScrollbackTui(this.#terminal, {
      transcript: this.#transcript,
      renderLive: (width, rows) => this.#renderLive(width, rows),
      onInput: (data) => this.#handleInput(data),
    });
    this.#editor = new Editor(this.#tui, this.#theme.editor, {
      paddingX: 2,
      autocompleteMaxVisible: LARGEST_MENU,
    });
    this.#editor.onSubmit = (text) => source.onSubmit(text);
    this.#completion = new MemberCompletion(source.completion);
    this.#editor.setAutocompleteProvider(this.#completion);
    this.#tui.setFocus(this.#editor);
  }

  start(): void {
    this.#startedAt = performance.now();
    this.#tui.start();
  }

  print(paragraphs: readonly Paragraph[]): void {
    this.#transcript.add(paragraphs);
    this.refresh();
  }

  refresh(): void {
    this.#tui.requestRender();
  }

  get input(): string {
    return this.#editor.getExpandedText();
  }

  set input(text: string) {
    this.#editor.setText(text);
    this.refresh();
  }

  remember(text: string): void {
    this.#editor.addToHistory(text);
  }

  askWhoIsThere(): void {
    this.#terminal.write(WHO_IS_THERE);
  }

  async close(): Promise<void> {
    await delay(Math.max(0, PROTOCOL_MILLISECONDS - this.#age()));
    await this.#terminal.drainInput();
    this.restore();
  }

  restore(): void {
    this.#tui.stop();
  }

  /** Gives the terminal back to the shell until it says that we continue. */
  #suspend(): void {
    this.#tui.stop();
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
    const editor = this.#editor.render(width).map(joinQuiet);
    const room = Math.max(0, rows - editor.length - 2);
    const look = { width, frame: this.#source.frame, theme: this.#theme };
    const turns = renderTurns(this.#source.screen(), room, look);
    return [...turns, '', ...editor, renderStatus(this.#source.status(), look)];
  }

  #handleInput(data: string): void {
    if (isKeyRelease(data)) return;
    const source = this.#source;
    const isMenuOpen = this.#editor.isShowingAutocomplete();
    if (isMenuOpen) this.#closeStaleMenu(data);
    const isEarlyEnd = data === EARLY_END && this.#age() < EARLY_MILLISECONDS;
    if (!isEarlyEnd) source.onSign();
    if (TERMINAL_IS_THERE.test(data)) return;
    if (this.#editor.getText() === '') source.onFirstKey(!this.#transcript.hasMore);
    if (data === OWN_ECHO) source.onDisconnect();
    else if (isEarlyEnd) source.onLeave();
    else if (matchesKey(data, 'ctrl+c')) source.onInterrupt();
    else if (matchesKey(data, 'ctrl+z')) this.#suspend();
    else if (matchesKey(data, 'escape') && !isMenuOpen) source.onStop();
    else if (matchesKey(data, 'ctrl+d') && this.#editor.getText() === '') source.onLeave();
    else this.#editor.handleInput(data);
    this.refresh();
  }

  /** A menu is good for the text it was made for, and for as long as the editor follows what becomes of it. */
  #closeStaleMenu(data: string): void {
    if (isFollowed(data)) return;
    const place = { lines: this.#editor.getLines(), ...this.#editor.getCursor() };
    const isFresh = isOneOf(data, MENU_KEYS) && this.#completion.isFor(place);
    if (!isFresh) this.#editor.setAutocompleteProvider(this.#completion);
  }
}

/** Whether the editor asks again what to offer after this key. */
function isFollowed(data: string): boolean {
  const isCharacter = decodeKittyPrintable(data) !== undefined || /^[^\p{Cc}]/u.test(data);
  return isCharacter || isOneOf(data, DELETE_KEYS);
}

function isOneOf(data: string, keys: readonly Keybinding[]): boolean {
  return keys.some((key) => getKeybindings().matches(data, key));
}

/** The editor paints its rules character by character, which makes them twelve times as long as they look. */
function joinQuiet(line: string): string {
  return line.replaceAll('\x1b[22m\x1b[2m', '');
}

/** They would make pi-tui write what is on the screen into files. */
function forgetDebugVariables(): void {
  for (const name of Object.keys(process.env)) if (name.startsWith('PI_')) delete process.env[name];
}
