import { Editor, isKeyRelease, matchesKey, ProcessTerminal, setCapabilities } from '@earendil-works/pi-tui';
import type { Block } from './Block.js';
import { type Completion, MemberCompletion } from './MemberCompletion.js';
import { ScrollbackTui } from './ScrollbackTui.js';
import type { TerminalHandlers, TerminalView } from './TerminalView.js';
import { Transcript } from './Transcript.js';
import type { Theme } from './theme.js';

export interface PiTerminalOptions {
  readonly theme: Theme;
  readonly completion: Completion;
  readonly handlers: TerminalHandlers;
  /** What is live above the editor, in at most `rows` lines, and the line below it. */
  renderAbove(width: number, rows: number): string[];
  renderBelow(width: number): string;
}

const LARGEST_MENU = 8;

/** The view over pi-tui: transcript above, the turns that run, the editor, the status line. */
export class PiTerminalView implements TerminalView {
  readonly #options: PiTerminalOptions;
  readonly #terminal = new ProcessTerminal();
  readonly #transcript: Transcript;
  readonly #tui: ScrollbackTui;
  readonly #editor: Editor;

  constructor(options: PiTerminalOptions) {
    // Links are printed in full: a link whose target is hidden is one more way to mislead.
    setCapabilities({ images: null, trueColor: false, hyperlinks: false });
    const { theme, completion, handlers } = options;
    this.#options = options;
    this.#transcript = new Transcript(theme);
    this.#tui = new ScrollbackTui(this.#terminal, {
      transcript: this.#transcript,
      renderLive: (width, rows) => this.#renderLive(width, rows),
      onInput: (data) => this.#handleInput(data),
    });
    this.#editor = new Editor(this.#tui, theme.editor, { paddingX: 2, autocompleteMaxVisible: LARGEST_MENU });
    this.#editor.setAutocompleteProvider(new MemberCompletion(completion));
    this.#editor.onSubmit = (text) => handlers.onSubmit(text);
    this.#tui.setFocus(this.#editor);
  }

  start(): void {
    this.#tui.start();
  }

  print(blocks: readonly Block[]): void {
    this.#transcript.add(blocks);
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

  async close(): Promise<void> {
    await this.#terminal.drainInput();
    this.restore();
  }

  restore(): void {
    this.#tui.stop();
  }

  #renderLive(width: number, rows: number): string[] {
    const editor = this.#editor.render(width);
    const below = [this.#options.renderBelow(width)];
    const room = Math.max(0, rows - editor.length - below.length - 1);
    return [...this.#options.renderAbove(width, room), '', ...editor, ...below];
  }

  #handleInput(data: string): void {
    if (isKeyRelease(data)) return;
    const { handlers } = this.#options;
    const isMenuOpen = this.#editor.isShowingAutocomplete();
    if (matchesKey(data, 'ctrl+c')) handlers.onInterrupt();
    else if (matchesKey(data, 'escape') && !isMenuOpen) handlers.onStop();
    else if (matchesKey(data, 'ctrl+d') && this.#editor.getText() === '') handlers.onLeave();
    else this.#editor.handleInput(data);
    this.refresh();
  }
}
