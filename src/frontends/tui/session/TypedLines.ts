import { truncateToWidth } from '@earendil-works/pi-tui';
import { describeError, describeSystemError } from '../../../catalogue/errors.js';
import type { Catalogue } from '../../../catalogue/words.js';
import { canContinue } from '../../../conversation/questions.js';
import type { ConversationEvent } from '../../../models/ConversationEvent.js';
import { HuddleError } from '../../../models/errors.js';
import { note } from '../../../presentation/Paragraph.js';
import { readTypedLine } from '../../../presentation/readTypedLine.js';
import { type OpenPermission, openPermissions } from '../../../presentation/Telling.js';
import { sanitizeToOneLine } from '../../../utils/sanitize.js';
import { toHalfWidth } from '../../../utils/toHalfWidth.js';
import type { Status } from '../screen/status.js';
import type { AskedQuestion, CommandContext } from './CommandContext.js';
import { offeredCommands } from './commands.js';
import type { SavedHistory } from './TerminalOptions.js';
import type { TerminalView, TypingHandlers } from './TerminalView.js';

/** Answers that may be typed while an agent asks for permission. */
const VERDICTS: Readonly<Record<string, 'allow' | 'deny'>> = {
  y: 'allow',
  yes: 'allow',
  n: 'deny',
  no: 'deny',
};
/** A message that is saved sooner is seen in the transcript right away. */
const SLOW_MILLISECONDS = 1000;
/** Columns for a message that is on its way: of 80, some are for the reason. */
const SLOW_COLUMNS = 30;

/** Takes what is typed: messages, commands, answers to questions. Whatever fails, nothing that was typed is lost. */
export class TypedLines implements TypingHandlers {
  readonly #context: CommandContext;
  readonly #view: TerminalView;
  readonly #words: Catalogue;
  #history: SavedHistory | undefined;
  /** Messages on their way that the editor showed short, and how. */
  readonly #shortened = new Map<string, string>();
  /** Messages that are neither in the editor any more nor in the transcript yet. */
  readonly #slow = new Set<{ readonly text: string }>();
  /** Failures that were told: a log that cannot be written fails for all that wait for it. */
  readonly #toldFailures = new WeakSet<Error>();
  /** The last line that was likely not meant as a message. */
  #slip: string | undefined;
  /** Waits for a yes. */
  #asked: AskedQuestion | undefined;
  #seenQuestions: readonly OpenPermission[] = [];

  /** Only what is typed in an editor is saved. */
  constructor(context: CommandContext, view: TerminalView) {
    this.#context = context;
    this.#view = view;
    this.#words = context.options.words;
    this.#history = view.hasKeys ? context.options.history : undefined;
  }

  /** The questions that were open and on the screen when what is typed was begun. */
  get seenQuestions(): readonly OpenPermission[] {
    return this.#seenQuestions;
  }

  /** Tells the keys to press, while something is asked. */
  get hint(): string | undefined {
    if (this.#asked !== undefined) return this.#asked.hint;
    const permissions = openPermissions(this.#context.screen());
    const { permissionHint, numberedHint } = this.#words.terminal;
    if (permissions.length === 0) return undefined;
    if (permissions.length === 1 && this.#view.hasKeys) return permissionHint;
    return numberedHint(permissions.map(({ number }) => number));
  }

  onFirstKey(isAllShown: boolean): void {
    this.#seenQuestions = isAllShown ? openPermissions(this.#context.screen()) : [];
  }

  onSubmit(text: string, shown = text): void {
    this.attempt(text, async () => {
      if (this.#asked !== undefined && (await this.#answer(this.#asked, text))) return;
      const verdict = this.#canAnswer() ? verdictIn(text) : undefined;
      if (verdict !== undefined) return this.take(`/${verdict}`);
      if (text === '') {
        const { conversation } = this.#context.screen();
        return canContinue(conversation) ? this.#context.resume() : undefined;
      }
      this.#remember(text, shown);
      return this.take(text);
    });
  }

  onHelp(): void {
    this.attempt('', () => this.take('/help'));
  }

  loadHistory(): readonly string[] {
    try {
      return this.#history?.load() ?? [];
    } catch (error) {
      this.#giveUpHistory(error);
      return [];
    }
  }

  /** Asks something that is done after a yes; the next line is the answer. */
  ask(asked: AskedQuestion): void {
    this.#asked = asked;
    this.#view.print([note(asked.question, 'strong')]);
    this.#view.refresh();
  }

  decline(): void {
    if (this.#asked !== undefined) this.#view.print([note(this.#asked.declined)]);
    this.#asked = undefined;
  }

  /** Runs a command or sends a message. What is likely neither stays in the editor; sent again as it is, it is a message. */
  async take(line: string): Promise<void> {
    const offered = offeredCommands(this.#context);
    const members = this.#context.conversation.team.members.map(({ name }) => name);
    const names = offered.map(({ name }) => name);
    const typed = readTypedLine(line, members, names, this.#words);
    const isInsisted = line === this.#slip;
    this.#slip = undefined;
    if (typed.kind === 'command')
      return offered.find(({ name }) => name === typed.name)?.run(this.#context, typed.argument);
    if (typed.kind === 'message' || isInsisted) return this.#context.send(line);
    this.#slip = line;
    this.#view.print([note(this.#words.typed.sendAgain(typed.reason), 'warning')]);
    if (this.#view.input === '') this.#view.input = line;
  }

  /** Waits for a message to be saved, and shows it meanwhile if that takes long. */
  async follow(text: string, sent: Promise<unknown>): Promise<void> {
    this.#slip = undefined;
    const slow = { text };
    const timer = setTimeout(() => {
      this.#slow.add(slow);
      this.#view.refresh();
    }, SLOW_MILLISECONDS).unref();
    try {
      await sent;
    } finally {
      clearTimeout(timer);
      if (this.#slow.delete(slow)) this.#view.refresh();
    }
  }

  /** The status, with the first message that is on its way for long in place of what happens now. */
  showSlow(status: Status): Status {
    const [slow] = this.#slow;
    if (slow === undefined) return status;
    const text = truncateToWidth(sanitizeToOneLine(slow.text), SLOW_COLUMNS, '…');
    return { ...status, silence: undefined, now: this.#words.company.sending(text), tone: 'warning' };
  }

  /** Does what a person typed. If it fails, the text is put back, with the reason. */
  async attempt(text: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#tellFailure(error);
      if (this.#view.input === '' && !isInTheWay(text, error)) this.#view.input = text;
    }
  }

  /** The event to show: a message that was just sent from here reads as it did in the editor. */
  shorten(event: ConversationEvent): ConversationEvent {
    if (event.type !== 'message-added' || event.message.speaker.type !== 'human') return event;
    const { message } = event;
    const content = this.#shortened.get(message.content) ?? message.content;
    this.#shortened.delete(message.content);
    return { ...event, message: { ...message, content } };
  }

  /** Takes a line for the answer to a question of ours. False: it is something else, so the answer is no. */
  async #answer({ onYes }: AskedQuestion, text: string): Promise<boolean> {
    const verdict = verdictIn(text);
    if (verdict === 'allow') {
      this.#asked = undefined;
      await onYes();
      return true;
    }
    this.decline();
    return verdict === 'deny' || text === '';
  }

  /** Whether a yes or no can be meant for a question; otherwise it is a message like any other. */
  #canAnswer(): boolean {
    return openPermissions(this.#context.screen()).length + this.#seenQuestions.length > 0;
  }

  #remember(text: string, shown: string): void {
    this.#view.remember?.(text);
    if (shown !== text) this.#shortened.set(text, shown);
    this.#history?.add(text).catch((error) => this.#giveUpHistory(error));
  }

  /** Reports the first failure, and does without a saved history from then on. */
  #giveUpHistory(error: unknown): void {
    const reason = this.#words.terminal.historyFailed(describeSystemError(error, this.#words));
    if (this.#history !== undefined) this.#view.print([note(reason, 'warning')]);
    this.#history = undefined;
  }

  #tellFailure(error: unknown): void {
    if (error instanceof Error && this.#toldFailures.has(error)) return;
    if (error instanceof Error) this.#toldFailures.add(error);
    this.#view.print([note(this.#describeFailure(error), 'bad')]);
  }

  #describeFailure(error: unknown): string {
    if (error instanceof HuddleError) return describeError(error, this.#words);
    return error instanceof Error ? error.message : String(error);
  }
}

function verdictIn(text: string): 'allow' | 'deny' | undefined {
  return VERDICTS[toHalfWidth(text).trim().toLowerCase()];
}

/** Whether a text would stand where the message has to be typed that the error asks for. */
function isInTheWay(text: string, error: unknown): boolean {
  return /^[/／]/u.test(text) && error instanceof HuddleError && error.code === 'HOLDER_GONE';
}
