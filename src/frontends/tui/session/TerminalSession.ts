import { english } from '../../../catalogue/english.js';
import { terminalEnglish as words } from '../../../catalogue/terminal.js';
import type { Conversation } from '../../../coordinator/Conversation.js';
import { type OpenPermission, openPermissions } from '../../../presentation/Telling.js';
import { wantsColour } from '../../print/paint.js';
import type { TerminalExit } from '../FrontEnd.js';
import type { Paragraph } from '../screen/Paragraph.js';
import { applyEvent, createScreen, type Screen } from '../screen/Screen.js';
import { describeStatus, type Status } from '../screen/status.js';
import { type CommandContext, offeredCommands } from './commands.js';
import { Demonstration } from './Demonstration.js';
import { introduce } from './introduction.js';
import type { Completion } from './MemberCompletion.js';
import { readCommand } from './readCommand.js';
import type { TerminalOptions } from './TerminalOptions.js';
import type { CreateView, TerminalHandlers, TerminalView, ViewSource } from './TerminalView.js';

const ANIMATION_MILLISECONDS = 120;
const SECOND_PRESS_MILLISECONDS = 2000;
/** What may be typed while somebody asks for leave. */
const VERDICTS: Readonly<Record<string, 'allow' | 'deny'>> = {
  y: 'allow',
  yes: 'allow',
  n: 'deny',
  no: 'deny',
};

/** One person, or several, at one terminal. */
export class TerminalSession implements TerminalHandlers, CommandContext, ViewSource {
  readonly conversation: Conversation;
  readonly why: TerminalOptions['why'];
  speaker: string | undefined;
  readonly handlers = this;
  readonly completion: Completion;
  readonly hasColour: boolean;
  readonly #options: TerminalOptions;
  readonly #clock: () => number;
  readonly #leave: (exit: TerminalExit) => void;
  readonly #view: TerminalView;
  readonly #people: readonly string[];
  #screen: Screen;
  #frame = 0;
  #animation: NodeJS.Timeout | null = null;
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
    this.#clock = options.clock ?? Date.now;
    this.#leave = leave;
    this.#screen = createScreen(conversation.team, conversation.snapshot());
    this.#people = conversation.team.members.filter(({ type }) => type === 'human').map(({ name }) => name);
    this.speaker = this.#people[0];
    this.hasColour = options.hasColour ?? wantsColour(process.stdout, process.env);
    this.completion = this.#listCompletions();
    this.#view = createView(this);
  }

  start(): void {
    const { conversation } = this;
    const snapshot = conversation.snapshot();
    this.#view.print(introduce(conversation.team, snapshot, this.#options));
    for (const { speaker, content } of snapshot.messages)
      if (speaker.type === 'human') this.#view.remember(content);
    this.#unsubscribe = conversation.subscribe((event) => {
      const { screen, paragraphs } = applyEvent(this.#screen, event);
      this.#screen = screen;
      this.#view.print(paragraphs);
      this.#animate();
    });
    this.#options.firstPrompt?.handOver((text) => this.print([{ kind: 'note', tone: 'plain', text }]));
    this.#view.start();
    if (this.#options.demonstration !== undefined) this.#demonstrate(this.#options.demonstration);
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
    this.#view.remember(text);
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

  /** Once stops the turn or empties the line, twice in a short time leaves. */
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
    if (this.#demonstration?.mayLeave() ?? true) this.leave();
  }

  onDisconnect(): void {
    this.#leave({ reason: 'disconnected' });
  }

  onSign(): void {
    this.#demonstration?.noteSign();
  }

  status(): Status {
    const status = describeStatus(this.#screen, this.#clock());
    const figures = [
      ...(this.#options.isRehearsal ? [words.status.rehearsal] : []),
      ...(this.#people.length > 1 ? [words.status.speakingAs(this.speaker ?? '')] : []),
      ...status.figures,
    ];
    return { ...status, figures, hint: this.#hint(status.hint) };
  }

  frame(): number {
    return this.#frame;
  }

  async #demonstrate(opening: string): Promise<void> {
    this.#view.askWhoIsThere();
    await this.send(opening);
    await this.#loop;
    if (this.#demonstration?.end()) this.print([{ kind: 'note', tone: 'quiet', text: words.demoEnded }]);
    else this.leave();
  }

  /** What looks like a slip stays in the editor; sent again as it is, it is a message. */
  async #runCommand(line: string): Promise<void> {
    const read = readCommand(line, offeredCommands(this));
    const isInsisted = line === this.#slip;
    this.#slip = undefined;
    if (read.kind === 'message' || (read.kind === 'slip' && isInsisted)) return this.send(line);
    this.#view.remember(line);
    if (read.kind === 'command') return read.command.run(this, read.argument);
    this.#slip = line;
    this.print([{ kind: 'note', tone: 'warning', text: words.unknownCommand(read.name, read.nearest) }]);
    if (this.#view.input === '') this.#view.input = line;
  }

  /** What a person typed is never lost: when it could not be done it is put back, with the reason. */
  async #attempt(text: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.print([{ kind: 'note', tone: 'bad', text: messageOf(error) }]);
      if (this.#view.input === '') this.#view.input = text;
    }
  }

  /** What a conversation does by itself can fail too; it is said once. */
  #reportLoopFailure(): void {
    this.#loop ??= this.conversation
      .settled()
      .then(
        () => undefined,
        (error: unknown) => this.print([{ kind: 'note', tone: 'bad', text: messageOf(error) }]),
      )
      .finally(() => {
        this.#loop = null;
      });
  }

  #hint(usual: string): string {
    if (performance.now() - this.#interruptedAt < SECOND_PRESS_MILLISECONDS) return words.status.exitHint;
    const permissions = openPermissions(this.#screen);
    if (permissions.length === 0) return usual;
    if (permissions.length === 1 && this.#view.hasKeys) return words.permissionHint;
    return words.numberedHint(permissions.map(({ number }) => number));
  }

  /** What answers a question when there is one is otherwise a message like any other. */
  #canAnswer(): boolean {
    return openPermissions(this.#screen).length + this.#seenQuestions.length > 0;
  }

  /** Runs while somebody works: the time and the spinner go on without events. */
  #animate(): void {
    const isBusy = this.#screen.turns.length > 0;
    if (isBusy && this.#animation === null)
      this.#animation = setInterval(() => {
        this.#frame += 1;
        this.#view.refresh();
      }, ANIMATION_MILLISECONDS);
    if (!isBusy) this.#stopAnimation();
  }

  #stopAnimation(): void {
    if (this.#animation !== null) clearInterval(this.#animation);
    this.#animation = null;
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
        description: words.commands[name],
        ...(listArguments && { listArguments: () => listArguments(this) }),
      })),
    };
  }

  /** Agents first. */
  #listOthers(): ReturnType<Completion['listMembers']> {
    const others = this.conversation.team.members.filter(({ name }) => name !== this.speaker);
    return [
      ...others.filter(({ type }) => type === 'ai'),
      ...others.filter(({ type }) => type === 'human'),
    ].map(({ name, title, type }) => ({
      name,
      description: title ?? english.telling[type === 'ai' ? 'agent' : 'human'],
    }));
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
