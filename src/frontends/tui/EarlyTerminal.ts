import { openingEnglish as words } from '../../catalogue/opening.js';
import { wantsColour } from '../print/paint.js';
import type { Drawing } from './Drawing.js';
import { KeptKeys } from './KeptKeys.js';
import type { Paragraph } from './Paragraph.js';
import { PiTerminalView } from './PiTerminalView.js';
import type { TerminalView, ViewSource } from './TerminalView.js';
import { createTheme, type Theme } from './theme.js';
import { watchProcess } from './watchProcess.js';

/**
 * The terminal program before it has a conversation: an editor to type in while everything else is still loaded. What is
 * done at the keys and said meanwhile is kept for the session that follows. Where none can, or a question comes first,
 * the terminal is given back as it was.
 */
export class EarlyTerminal {
  readonly #keys = new KeptKeys(() => this.#die('SIGINT'));
  readonly #view: PiTerminalView;
  #said: string[] = [];
  #isFollowed = false;
  #stopWatching = (): void => undefined;

  constructor() {
    forgetDebugVariables();
    const theme = createTheme(wantsColour(process.stdout, process.env));
    this.#view = new PiTerminalView(this.#keys, drawOpening(theme), theme.editor);
  }

  /** Paints the editor. Until a session follows, whatever ends the process gives the terminal back first. */
  open(): void {
    this.#stopWatching = watchProcess({
      onExit: (exit) => {
        if (exit.reason === 'signal') this.#die(exit.signal);
        else this.#keys.onDisconnect();
      },
      onCrash: (error) => {
        this.#restore();
        // Whoever else listens has heard of it too, and may have ended the program.
        setImmediate(() => {
          throw error;
        });
      },
      onProcessEnd: () => this.#restore(),
    });
    this.#view.start();
  }

  get isOpen(): boolean {
    return this.#view.isStarted;
  }

  /** What was typed for a session that never came; nobody else has it. */
  get unheard(): string {
    return this.#isFollowed ? '' : [...this.#keys.sent, this.#view.input].join('\n').trim();
  }

  /** A line for people, which must not be written across what is painted. */
  say(line: string): void {
    if (this.#isFollowed) this.#view.print([noteOf(line)]);
    else this.#said.push(line);
  }

  /** From now on the view is that of a session, which gets what was kept as soon as it has started. */
  follow(source: ViewSource, drawing: Drawing): TerminalView {
    this.#stopWatching();
    this.#isFollowed = true;
    this.#view.follow(source, drawing);
    this.#view.print(this.#said.splice(0).map(noteOf));
    setImmediate(() => this.#keys.replay(source.handlers));
    return this.#view;
  }

  /** For a question or a failure: nothing of the editor is left on the screen, and what was said stands there. */
  async close(): Promise<void> {
    if (this.isOpen) await this.#view.close();
    this.#restore();
  }

  #restore(): void {
    this.#stopWatching();
    this.#view.restore();
    for (const line of this.#said.splice(0)) process.stderr.write(`${line}\n`);
  }

  /** A signal does what it would have done without us. */
  #die(signal: NodeJS.Signals): void {
    this.#restore();
    process.kill(process.pid, signal);
  }
}

function drawOpening({ tones }: Theme): Drawing {
  return {
    transcript: { add: () => undefined, hasMore: false, take: () => [], layOutAgain: () => [] },
    renderTurns: () => [],
    renderStatus: () => `  ${tones.quiet(words.status)}`,
  };
}

function noteOf(text: string): Paragraph {
  return { kind: 'note', tone: 'plain', text };
}

/** They would make pi-tui write what is on the screen into files. */
function forgetDebugVariables(): void {
  for (const name of Object.keys(process.env)) if (name.startsWith('PI_')) delete process.env[name];
}
