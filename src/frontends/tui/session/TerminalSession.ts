import { basename } from 'node:path';
import type { Catalogue } from '../../../catalogue/words.js';
import { canCancel } from '../../../conversation/questions.js';
import type { Conversation } from '../../../coordinator/Conversation.js';
import type { ConversationEvent, FilesRecorded } from '../../../models/ConversationEvent.js';
import type { TurnId } from '../../../models/ids.js';
import { note, type Paragraph } from '../../../presentation/Paragraph.js';
import { type OpenPermission, withoutCutOff } from '../../../presentation/Telling.js';
import { forHolder } from '../../../presentation/tell.js';
import type { TerminalExit } from '../FrontEnd.js';
import { applyEvent, createScreen, findCutOff, type Screen, silenceCutOff } from '../screen/Screen.js';
import { describeStatus, isLooking, type Status } from '../screen/status.js';
import { Attention } from './Attention.js';
import type { AskedQuestion, ChangedUnit, CommandContext } from './CommandContext.js';
import { offeredCommands } from './commands.js';
import { describeCompanyNews, describePresence, introduce, speakersHere } from './introduction.js';
import type { Completion } from './MemberCompletion.js';
import type { TerminalOptions } from './TerminalOptions.js';
import type { CreateView, EditedText, TerminalView, ViewSource } from './TerminalView.js';
import { TypedLines } from './TypedLines.js';

const ANIMATION_MILLISECONDS = 120;
const SECOND_PRESS_MILLISECONDS = 2000;

/** A session at one terminal, of one person or several. */
export class TerminalSession implements CommandContext, ViewSource {
  readonly conversation: Conversation;
  readonly options: TerminalOptions;
  speaker: string | undefined;
  readonly completion: Completion;
  readonly typed: TypedLines;
  frame = 0;
  readonly #leave: (exit: TerminalExit) => void;
  readonly #view: TerminalView;
  readonly #people: readonly string[];
  readonly #attention: Attention;
  #screen: Screen;
  #animation: NodeJS.Timeout | undefined;
  #unsubscribe: (() => void) | null = null;
  #leaveCompany: (() => void) | undefined;
  #interruptedAt = Number.NEGATIVE_INFINITY;
  #loop: Promise<void> | null = null;
  /** Epoch milliseconds of the last event of each turn that runs. */
  readonly #lastEvents = new Map<TurnId, number>();
  #changedUnits: readonly ChangedUnit[] = [];
  readonly #demonstration: Demonstration | null;

  constructor(
    conversation: Conversation,
    options: TerminalOptions,
    createView: CreateView,
    leave: (exit: TerminalExit) => void,
  ) {
    this.conversation = conversation;
    this.options = options;
    this.#demonstration = options.demonstration === undefined ? null : new Demonstration();
    this.#leave = leave;
    this.#screen = createScreen(conversation.team, conversation.snapshot(), options.isRehearsal);
    this.#people = speakersHere(conversation);
    this.speaker = this.#people[0];
    this.completion = this.#listCompletions();
    this.#view = createView(this);
    this.typed = new TypedLines(this, this.#view);
    const place = basename(options.folder ?? conversation.team.name);
    this.#attention = new Attention(options.notifications === false ? {} : this.#view, place, this.words);
  }

  start(): void {
    const { conversation } = this;
    const snapshot = conversation.snapshot();
    this.#view.print(introduce(conversation, snapshot, this.options));
    for (const { speaker, content } of snapshot.messages)
      if (speaker.type === 'human') this.#view.remember?.(content);
    this.#unsubscribe = conversation.subscribe((event) => {
      const isHolder = conversation.presence?.holder?.isHere === true;
      const shown = forHolder(this.typed.shorten(event), isHolder);
      const { screen, paragraphs } = applyEvent(this.#screen, shown, this.words);
      this.#screen = screen;
      this.#noteEvent(event);
      if (event.type !== 'turn-progress') this.#attention.follow(this.screen());
      this.#view.print(paragraphs);
      this.#animate();
    });
    this.#leaveCompany = conversation.presence?.subscribe((news) => {
      this.#view.print(describeCompanyNews(news, this.words));
      this.#attention.follow(this.screen());
      this.#animate();
      this.#view.refresh();
    });
    this.options.firstPrompt?.handOver((text) => this.print([note(text, 'plain')]));
    this.#view.start();
    this.#attention.follow(this.screen());
    const { opening, demonstration } = this.options;
    if (opening !== undefined) this.typed.attempt(opening, () => this.typed.take(opening));
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

  get words(): Catalogue {
    return this.options.words;
  }

  get colours(): TerminalOptions['colours'] {
    return this.options.colours;
  }

  screen(): Screen {
    return withoutCutOff(this.#screen, findCutOff(this.#screen, this.conversation));
  }

  shownTurns(): Screen {
    const screen = this.screen();
    const cutOff = silenceCutOff(findCutOff(this.#screen, this.conversation));
    return cutOff.length === 0 ? screen : { ...screen, turns: [...cutOff, ...screen.turns] };
  }

  print(blocks: readonly Paragraph[]): void {
    this.#view.print(blocks);
  }

  async send(text: string): Promise<void> {
    await this.typed.follow(text, this.conversation.send(text, { as: this.speaker }));
    this.#followLoop();
  }

  async resume(): Promise<void> {
    await this.conversation.resume();
    this.#followLoop();
  }

  async retry(): Promise<number> {
    const count = await this.conversation.retry();
    this.#followLoop();
    return count;
  }

  ask(asked: AskedQuestion): void {
    this.typed.ask(asked);
  }

  changedUnits(): readonly ChangedUnit[] {
    return this.#changedUnits;
  }

  seenQuestions(): readonly OpenPermission[] {
    return this.typed.seenQuestions;
  }

  /** The view takes every key, so that all keys of the help work. */
  get hasKeys(): boolean {
    return this.#view.hasKeys;
  }

  leave(exit: TerminalExit = { reason: 'quit' }): void {
    this.#leave(exit);
  }

  async editText(text: string, signal: AbortSignal): Promise<EditedText> {
    return (await this.options.editText?.(text, signal)) ?? { reason: this.words.terminal.noEditor };
  }

  onStop(): void {
    this.typed.decline();
    const { conversation } = this;
    this.typed.attempt('', () => (isLooking(this.#screen) ? conversation.skipLook() : conversation.cancel()));
  }

  /** Once stops the turn or empties the line, twice in a short time exits. */
  onInterrupt(): void {
    const now = performance.now();
    const isSecond = now - this.#interruptedAt < SECOND_PRESS_MILLISECONDS;
    this.#interruptedAt = now;
    this.typed.decline();
    if (isSecond) this.leave();
    else if (canCancel(this.screen().conversation)) this.typed.attempt('', () => this.conversation.cancel());
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
    const cutOff = findCutOff(this.#screen, this.conversation).map(({ member }) => member.name);
    const status = describeStatus(this.screen(), Date.now(), this.words, (turnId) =>
      this.#lastEvents.get(turnId),
    );
    const figures = [
      ...(this.options.isRehearsal ? [this.words.terminal.status.rehearsal] : []),
      ...(this.#people.length > 1 ? [this.words.terminal.status.speakingAs(this.speaker ?? '')] : []),
      ...describePresence(this.conversation.presence, this.words),
      ...status.figures,
    ];
    return this.typed.showSlow({
      ...status,
      ...(cutOff.length > 0 && !status.isBusy && { now: this.words.company.cutOff(cutOff), tone: 'warning' }),
      figures,
      hint: this.#hint(status.hint),
    });
  }

  async #demonstrate(opening: string): Promise<void> {
    this.#view.askWhoIsThere?.();
    await this.send(opening);
    await this.#loop;
    if (this.#demonstration?.end()) this.print([note(this.words.terminal.demoEnded)]);
    else this.leave();
  }

  /** Follows what a conversation does by itself to its end, and reports once if that fails. */
  #followLoop(): void {
    this.#attention.begin(this.#screen);
    this.#loop ??= this.typed
      .attempt('', async () => {
        const phase = await this.conversation.settled();
        if (this.#unsubscribe !== null) this.#attention.end(phase, this.#screen);
      })
      .finally(() => {
        this.#loop = null;
      });
  }

  #hint(usual: string): string {
    const isLeaving = performance.now() - this.#interruptedAt < SECOND_PRESS_MILLISECONDS;
    return isLeaving ? this.words.terminal.status.exitHint : (this.typed.hint ?? usual);
  }

  #noteEvent(event: ConversationEvent): void {
    if (event.type === 'files-recorded') this.#changedUnits = [...unitsIn(event), ...this.#changedUnits];
    if (event.type === 'turn-end') this.#lastEvents.delete(event.turnId);
    else if ('turnId' in event && event.type !== 'message-added')
      this.#lastEvents.set(event.turnId, Date.now());
  }

  /** Runs while an agent works: the time and the spinner continue without events. */
  #animate(): void {
    if (this.screen().turns.length === 0) this.#stopAnimation();
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
    this.#leaveCompany?.();
  }

  #listCompletions(): Completion {
    return {
      listMembers: () => this.#listOthers(),
      listFiles: this.options.listFiles,
      commands: offeredCommands(this).map(({ name, listArguments }) => ({
        name,
        description: this.words.terminal.commands[name],
        listArguments: listArguments && (() => listArguments(this)),
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
        description: title ?? this.words.telling[type === 'ai' ? 'agent' : 'human'],
      }));
  }
}

/** A conversation that goes by itself to show how one goes, and that ends by itself if no person is there to continue it. */
class Demonstration {
  #isOver = false;
  #isPersonThere = false;
  #isExitAsked = false;

  noteSign(): void {
    this.#isPersonThere = true;
  }

  /** Whether a person who wants to exit can do so at once. Half a demonstration is for those who ask twice. */
  mayExit(): boolean {
    const isSecond = this.#isExitAsked;
    this.#isExitAsked = true;
    return this.#isOver || isSecond;
  }

  /** Everything was shown; returns whether a person wants to continue. */
  end(): boolean {
    this.#isOver = true;
    return this.#isPersonThere && !this.#isExitAsked;
  }
}

/** Names by which a record can be meant; none if it is one of others, or empty. */
function unitsIn({ by, files, copyOf }: FilesRecorded): readonly ChangedUnit[] {
  if (by.kind === 'others' || files.length === 0) return [];
  const names = by.kind === 'turns' ? by.turnIds : [by.id];
  return names.map((name) => ({ name, isInCopy: copyOf !== undefined }));
}
