import { describeSystemError } from '../../../catalogue/errors.js';
import { words } from '../../../catalogue/words.js';
import type { ConversationEvent } from '../../../models/ConversationEvent.js';
import { note } from '../screen/Paragraph.js';
import type { SavedHistory } from './TerminalOptions.js';
import type { TerminalView } from './TerminalView.js';

/** Texts that people type in a session: remembered for the arrow keys and for later sessions, and shown as it stood in the editor. */
export class TypedTexts {
  readonly #view: TerminalView;
  #history: SavedHistory | undefined;
  /** Messages on their way that the editor showed short, and how. */
  readonly #shortened = new Map<string, string>();

  /** Only what is typed in an editor is saved. */
  constructor(view: TerminalView, history: SavedHistory | undefined) {
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
    const reason = words.terminal.historyFailed(describeSystemError(error));
    if (this.#history !== undefined) this.#view.print([note(reason, 'warning')]);
    this.#history = undefined;
  }
}
