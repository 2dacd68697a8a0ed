import type { Catalogue } from '../../../catalogue/words.js';
import type { UserSettings } from '../../../models/UserSettings.js';
import type { Paragraph } from '../../../presentation/Paragraph.js';
import type { Screen } from '../screen/Screen.js';
import type { Status } from '../screen/status.js';
import type { Completion } from './MemberCompletion.js';

/** Handlers for what a person types. */
export interface TypingHandlers {
  /** A key on an empty line. `isAllShown`: what was printed until then is on the screen. */
  onFirstKey(isAllShown: boolean): void;
  /** Enter; the text may be empty. `shown`: as it stood in the editor, with short names for long pastes. */
  onSubmit(text: string, shown?: string): void;
  /** `?` on an empty line. */
  onHelp(): void;
  /** Texts of earlier sessions, newest first. */
  loadHistory(): readonly string[];
}

/** Handlers for everything else that a person does at the terminal. */
interface TerminalHandlers {
  /** Esc. */
  onStop(): void;
  /** Ctrl-C. */
  onInterrupt(): void;
  /** Ctrl-D on an empty line. */
  onLeave(): void;
  /** There is no terminal behind what looks like one. */
  onDisconnect(): void;
  /** A person, or at least a terminal, is there: a key, or an answer to `askWhoIsThere`. */
  onSign(): void;
}

/** The source of all a view shows besides the transcript, asked whenever it paints, and the receiver of its input. */
export interface ViewSource extends TerminalHandlers {
  readonly words: Catalogue;
  readonly completion: Completion;
  readonly typed: TypingHandlers;
  /** Has a text changed in the user's own editor, which gets the terminal for it. */
  editText(text: string, signal: AbortSignal): Promise<EditedText>;
  readonly colours: UserSettings['colours'];
  screen(): Screen;
  /** The same, with turns that can still be read although their machine is gone. */
  shownTurns(): Screen;
  status(): Status;
  /** Counts up while an agent works. */
  readonly frame: number;
}

/** The text that the user's editor left, or the sentence that says why there is none. */
export type EditedText = { readonly text: string } | { readonly reason: string };

export type CreateView = (source: ViewSource) => TerminalView;

/** All that the front end needs of a terminal. */
export interface TerminalView {
  /** It tells of first keys. False: the terminal has the keys until Enter. */
  readonly hasKeys: boolean;
  start(): void;
  /** Adds to the transcript. What is printed stays as it is. */
  print(blocks: readonly Paragraph[]): void;
  /** The live part has changed. */
  refresh(): void;
  input: string;
  /** Offers a text again with the arrow keys. */
  remember?(text: string): void;
  /** Shows what the team does where people see it who look elsewhere. */
  setTitle?(title: string): void;
  /** Calls people who look elsewhere. */
  notify?(text: string): void;
  /** A terminal answers by itself; what only looks like one does not. */
  askWhoIsThere?(): void;
  /** Gives the terminal back, and drops what was typed meanwhile. */
  close(): Promise<void>;
  /** Gives the terminal back at once: for a crash. */
  restore(): void;
}
