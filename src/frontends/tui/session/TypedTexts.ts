import { truncateToWidth } from '@earendil-works/pi-tui';
import { describeError, describeSystemError } from '../../../catalogue/errors.js';
import type { Catalogue } from '../../../catalogue/words.js';
import type { ConversationEvent } from '../../../models/ConversationEvent.js';
import { HuddleError } from '../../../models/errors.js';
import { note, type Paragraph } from '../../../presentation/Paragraph.js';
import { sanitizeToOneLine } from '../../../utils/sanitize.js';
import type { Status } from '../screen/status.js';
import type { SavedHistory } from './TerminalOptions.js';
import type { TerminalView } from './TerminalView.js';

/** Texts that people type in a session: remembered for the arrow keys and for later sessions, and shown as it stood in the editor. */
export class TypedTexts {
  readonly #view: TerminalView;
  readonly #words: Catalogue;
  #history: SavedHistory | undefined;
  /** Messages on their way that the editor showed short, and how. */
  readonly #shortened = new Map<string, string>();

  /** Only what is typed in an editor is saved. */
  constructor(view: TerminalView, history: SavedHistory | undefined, words: Catalogue) {
    this.#words = words;
    this.#view = view;
    this.#history = view.hasKeys ? history : undefined;
  }

  /** Texts of earlier sessions, newest first. */
  load(): readonly string[] {
    try {
      return this.#history?.load() ?? [];
    } catch (error) {
      this.#giveUp(error);
      return [];
    }
  }

  /** `shown`: the text as it stood in the editor, with short names for long pastes. */
  add(text: string, shown: string): void {
    this.#view.remember?.(text);
    if (shown !== text) this.#shortened.set(text, shown);
    this.#history?.add(text).catch((error) => this.#giveUp(error));
  }

  /** The event to show: a message that was just sent from here reads as it did in the editor. */
  shorten(event: ConversationEvent): ConversationEvent {
    if (event.type !== 'message-added' || event.message.speaker.type !== 'human') return event;
    const { message } = event;
    const content = this.#shortened.get(message.content) ?? message.content;
    this.#shortened.delete(message.content);
    return { ...event, message: { ...message, content } };
  }

  /** Reports the first failure, and does without a saved history from then on. */
  #giveUp(error: unknown): void {
    const reason = this.#words.terminal.historyFailed(describeSystemError(error, this.#words));
    if (this.#history !== undefined) this.#view.print([note(reason, 'warning')]);
    this.#history = undefined;
  }
}

/** A message that is saved sooner is seen in the transcript right away. */
const SLOW_MILLISECONDS = 1000;
/** Leaves room on 80 columns for the reason. */
const COLUMNS = 30;

/** Keeps messages in view that are neither in the editor any more nor in the transcript yet. */
export class SlowSends {
  readonly #refresh: () => void;
  readonly #words: Catalogue;
  readonly #texts = new Set<{ readonly text: string }>();

  constructor(refresh: () => void, words: Catalogue) {
    this.#words = words;
    this.#refresh = refresh;
  }

  /** Waits for a message to be saved. */
  async follow(text: string, sent: Promise<unknown>): Promise<void> {
    const slow = { text };
    const timer = setTimeout(() => {
      this.#texts.add(slow);
      this.#refresh();
    }, SLOW_MILLISECONDS).unref();
    try {
      await sent;
    } finally {
      clearTimeout(timer);
      if (this.#texts.delete(slow)) this.#refresh();
    }
  }

  /** The status with the first of them in place of what happens now. */
  show({ silence, ...status }: Status): Status {
    const [slow] = this.#texts;
    if (slow === undefined) return silence === undefined ? status : { ...status, silence };
    const text = truncateToWidth(sanitizeToOneLine(slow.text), COLUMNS, '…');
    return { ...status, now: this.#words.company.sending(text), tone: 'warning' };
  }
}

/** Tells why something was not done, each failure once: a log that cannot be written fails for all that wait for it. */
export class FailedAttempts {
  readonly #words: Catalogue;
  readonly #told = new WeakSet<Error>();

  constructor(words: Catalogue) {
    this.#words = words;
  }

  describe(error: unknown): readonly Paragraph[] {
    if (!(error instanceof Error)) return [note(String(error), 'bad')];
    if (this.#told.has(error)) return [];
    this.#told.add(error);
    return [note(error instanceof HuddleError ? describeError(error, this.#words) : error.message, 'bad')];
  }
}

/** Whether a text would stand where the message has to be typed that the error asks for. */
export function isInTheWay(text: string, error: unknown): boolean {
  return /^[/／]/u.test(text) && error instanceof HuddleError && error.code === 'HOLDER_GONE';
}
