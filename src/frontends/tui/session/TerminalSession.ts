import { words } from '../../../catalogue/words.js';
import type { Conversation } from '../../../coordinator/Conversation.js';
import { type OpenPermission, openPermissions } from '../../../presentation/Telling.js';
import type { TerminalExit } from '../FrontEnd.js';
import { note, type Paragraph } from '../screen/Paragraph.js';
import { applyEvent, createScreen, type Screen } from '../screen/Screen.js';
import { describeStatus, type Status } from '../screen/status.js';
import { type CommandContext, offeredCommands, readCommand } from './commands.js';
import { Demonstration } from './Demonstration.js';
import { introduce } from './introduction.js';
import type { Completion } from './MemberCompletion.js';
import type { TerminalOptions } from './TerminalOptions.js';
import type { CreateView, TerminalView, ViewSource } from './TerminalView.js';

const ANIMATION_MILLISECONDS = 120;
const SECOND_PRESS_MILLISECONDS = 2000;
/** Answers that may be typed while an agent asks for permission. */
const VERDICTS: Readonly<Record<string, 'allow' | 'deny'>> = {
  y: 'allow',
  yes: 'allow',
  n: 'deny',
  no: 'deny',
};

/** A session at one terminal, of one person or several. */
export class TerminalSession implements CommandContext, ViewSource {
  readonly conversation: Conversation;
  readonly why: TerminalOptions['why'];
  speaker: string | undefined;
  readonly completion: Completion;
  frame = 0;
  readonly #options: TerminalOptions;
  readonly #leave: (exit: TerminalExit) => void;
  readonly #view: TerminalView;
  readonly #people: readonly string[];
  #screen: Screen;
  #animation: NodeJS.Timeout | undefined;
  #unsubscribe: (() => void) | null = null;
  #interruptedAt = Number.NEGATIVE_INFINITY;
  #loop: Promise<void> | null = null;
  #seenQuestions: readonly OpenPermission[] = [];
  /** The last line that was likely meant as a command. */
  #slip: string | undefined;
  readonly #demonstration: Demonstration | null;

  constructor(
    conversation: Conversation,
    options: TerminalOptions,
    createView: CreateView,
    leave: (exit: TerminalExit) => void,
  ) {
    this.conversation = conversation;
    this.why = options.why;
    this.#options = options;
    this.#demonstration = options.demonstration === undefined ? null : new Demonstration();
    this.#leave = leave;
    this.#screen = createScreen(conversation.team, conversation.snapshot());
    this.#people = conversation.team.members.filter(({ type }) => type === 'human').map(({ name }) => name);
    this.speaker = this.#people[0];
    this.completion = this.#listCompletions();
    this.#view = createView(this);
  }

  start(): void {
    const { conversation } = this;
    const snapshot = conversation.snapshot();
    this.#view.print(introduce(conversation.team, snapshot, this.#options));
    for (const { speaker, content } of snapshot.messages)
      if (speaker.type === 'human') this.#view.remember?.(content);
    this.#unsubscribe = conversation.subscribe((event) => {
      const { screen, paragraphs } = applyEvent(this.#screen, event);
      this.#screen = screen;
      this.#view.print(paragraphs);
      this.#animate();
    });
    this.#options.firstPrompt?.handOver((text) => this.print([note(text, 'plain')]));
    this.#view.start();
    const { opening, demonstration } = this.#options;
    if (opening !== undefined) this.#attempt(opening, () => this.send(opening));
    if (demonstration !== undefined) this.#demonstrate(demonstration);
  }

  async close(): Promise<void> {
    this.#stopFollowing();
    await this.#view.close();
  }

  restore(): void {
    this.#stopFollowing();
    this.#view.restore();
  }

  screen(): Screen {
    return this.#screen;
  }

  print(blocks: readonly Paragraph[]): void {
    this.#view.print(blocks);
  }

  async send(text: string): Promise<void> {
    this.#slip = undefined;
    this.#view.remember?.(text);
    await this.conversation.send(text, this.speaker === undefined ? {} : { as: this.speaker });
    this.#reportLoopFailure();
  }

  async resume(): Promise<void> {
    await this.conversation.resume();
    this.#reportLoopFailure();
  }

  async retry(): Promise<number> {
    const count = await this.conversation.retry();
    this.#reportLoopFailure();
    return count;
  }

  seenQuestions(): readonly OpenPermission[] {
    return this.#seenQuestions;
  }

  leave(): void {
    this.#leave({ reason: 'quit' });
  }

  onFirstKey(isAllShown: boolean): void {
    this.#seenQuestions = isAllShown ? openPermissions(this.#screen) : [];
  }

  onSubmit(text: string): void {
    this.#attempt(text, async () => {
      if (text.startsWith('/')) return this.#runCommand(text);
      const verdict = this.#canAnswer() ? VERDICTS[text.trim().toLowerCase()] : undefined;
      if (verdict !== undefined) return this.#runCommand(`/${verdict}`);
      if (text !== '') return this.send(text);
      if (this.#screen.conversation.pause !== null) return this.resume();
    });
  }

  onStop(): void {
    this.#attempt('', () => this.conversation.cancel());
  }

  /** Once stops the turn or empties the line, twice in a short time exits. */
  onInterrupt(): void {
    const now = performance.now();
    const isSecond = now - this.#interruptedAt < SECOND_PRESS_MILLISECONDS;
    this.#interruptedAt = now;
    if (isSecond) this.leave();
    else if (this.#screen.conversation.running.length > 0) this.onStop();
    else this.#view.input = '';
    setTimeout(() => this.#view.refresh(), SECOND_PRESS_MILLISECONDS).unref();
  }

  onLeave(): void {
    if (this.#demonstration?.mayExit() ?? true) this.leave();
  }

  onDisconnect(): void {
    this.#leave({ reason: 'disconnected' });
  }

  onSign(): void {
    this.#demonstration?.noteSign();
  }

  status(): Status {
    const status = describeStatus(this.#screen, Date.now());
    const figures = [
      ...(this.#options.isRehearsal ? [words.terminal.status.rehearsal] : []),
      ...(this.#people.length > 1 ? [words.terminal.status.speakingAs(this.speaker ?? '')] : []),
      ...status.figures,
    ];
    return { ...status, figures, hint: this.#hint(status.hint) };
  }

  async #demonstrate(opening: string): Promise<void> {
    this.#view.askWhoIsThere?.();
    await this.send(opening);
    await this.#loop;
    if (this.#demonstration?.end()) this.print([note(words.terminal.demoEnded)]);
    else this.leave();
  }

  /** Runs a command. A slip stays in the editor; sent again as it is, it is a message. */
  async #runCommand(line: string): Promise<void> {
    const read = readCommand(line, offeredCommands(this));
    const isInsisted = line === this.#slip;
    this.#slip = undefined;
    if (read.kind === 'message' || (read.kind === 'slip' && isInsisted)) return this.send(line);
    this.#view.remember?.(line);
    if (read.kind === 'command') return read.command.run(this, read.argument);
    this.#slip = line;
    this.print([note(words.terminal.unknownCommand(read.name, read.nearest), 'warning')]);
    if (this.#view.input === '') this.#view.input = line;
  }

  /** Does what a person typed, which is never lost: if it fails, the text is put back, with the reason. */
  async #attempt(text: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.print([note(error instanceof Error ? error.message : String(error), 'bad')]);
      if (this.#view.input === '') this.#view.input = text;
    }
  }

  /** Reports once if what a conversation does by itself fails. */
  #reportLoopFailure(): void {
    this.#loop ??= this.#attempt('', () => this.conversation.settled()).finally(() => {
      this.#loop = null;
    });
  }

  #hint(usual: string): string {
    if (performance.now() - this.#interruptedAt < SECOND_PRESS_MILLISECONDS)
      return words.terminal.status.exitHint;
    const permissions = openPermissions(this.#screen);
    if (permissions.length === 0) return usual;
    if (permissions.length === 1 && this.#view.hasKeys) return words.terminal.permissionHint;
    return words.terminal.numberedHint(permissions.map(({ number }) => number));
  }

  /** Whether a yes or no can be meant for a question; otherwise it is a message like any other. */
  #canAnswer(): boolean {
    return openPermissions(this.#screen).length + this.#seenQuestions.length > 0;
  }

  /** Runs while an agent works: the time and the spinner continue without events. */
  #animate(): void {
    if (this.#screen.turns.length === 0) this.#stopAnimation();
    else
      this.#animation ??= setInterval(() => {
        this.frame += 1;
        this.#view.refresh();
      }, ANIMATION_MILLISECONDS);
  }

  #stopAnimation(): void {
    clearInterval(this.#animation);
    this.#animation = undefined;
  }

  #stopFollowing(): void {
    this.#stopAnimation();
    this.#unsubscribe?.();
    this.#unsubscribe = null;
  }

  #listCompletions(): Completion {
    return {
      listMembers: () => this.#listOthers(),
      commands: offeredCommands(this).map(({ name, listArguments }) => ({
        name,
        description: words.terminal.commands[name],
        ...(listArguments && { listArguments: () => listArguments(this) }),
      })),
    };
  }

  /** Agents first. */
  #listOthers(): ReturnType<Completion['listMembers']> {
    const others = this.conversation.team.members.filter(({ name }) => name !== this.speaker);
    return others
      .toSorted((one, other) => one.type.localeCompare(other.type))
      .map(({ name, title, type }) => ({
        name,
        description: title ?? words.telling[type === 'ai' ? 'agent' : 'human'],
      }));
  }
}
