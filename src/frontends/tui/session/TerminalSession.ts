import { basename } from 'node:path';
import type { Catalogue } from '../../../catalogue/words.js';
import { canCancel, canContinue } from '../../../conversation/questions.js';
import type { Conversation } from '../../../coordinator/Conversation.js';
import type { ConversationEvent, FilesRecorded } from '../../../models/ConversationEvent.js';
import type { TurnId } from '../../../models/ids.js';
import { note, type Paragraph } from '../../../presentation/Paragraph.js';
import { readTypedLine } from '../../../presentation/readTypedLine.js';
import { type OpenPermission, openPermissions, withoutCutOff } from '../../../presentation/Telling.js';
import { forHolder } from '../../../presentation/tell.js';
import { toHalfWidth } from '../../../utils/toHalfWidth.js';
import type { TerminalExit } from '../FrontEnd.js';
import { applyEvent, createScreen, findCutOff, type Screen, silenceCutOff } from '../screen/Screen.js';
import { describeStatus, isLooking, type Status } from '../screen/status.js';
import { Attention } from './Attention.js';
import type { AskedQuestion, ChangedUnit, CommandContext } from './CommandContext.js';
import { offeredCommands } from './commands.js';
import { Demonstration } from './Demonstration.js';
import { describeCompanyNews, describePresence, introduce, speakersHere } from './introduction.js';
import type { Completion } from './MemberCompletion.js';
import type { TerminalOptions } from './TerminalOptions.js';
import type { CreateView, EditedText, TerminalView, ViewSource } from './TerminalView.js';
import { FailedAttempts, isInTheWay, SlowSends, TypedTexts } from './TypedTexts.js';

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
  readonly options: TerminalOptions;
  speaker: string | undefined;
  readonly completion: Completion;
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
  #seenQuestions: readonly OpenPermission[] = [];
  /** Epoch milliseconds of the last event of each turn that runs. */
  readonly #lastEvents = new Map<TurnId, number>();
  /** The last line that was likely not meant as a message. */
  #slip: string | undefined;
  /** Waits for a yes. */
  #asked: AskedQuestion | undefined;
  #changedUnits: readonly ChangedUnit[] = [];
  readonly #demonstration: Demonstration | null;
  readonly #typed: TypedTexts;
  readonly #slowSends: SlowSends;
  readonly #failedAttempts: FailedAttempts;

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
    this.#typed = new TypedTexts(this.#view, options.history, options.words);
    this.#slowSends = new SlowSends(() => this.#view.refresh(), options.words);
    this.#failedAttempts = new FailedAttempts(options.words);
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
      const shown = forHolder(this.#typed.shorten(event), isHolder);
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
    if (opening !== undefined) this.#attempt(opening, () => this.#take(opening));
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
    this.#slip = undefined;
    const sent = this.conversation.send(text, this.speaker === undefined ? {} : { as: this.speaker });
    await this.#slowSends.follow(text, sent);
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
    this.#asked = asked;
    this.print([note(asked.question, 'strong')]);
    this.#view.refresh();
  }

  changedUnits(): readonly ChangedUnit[] {
    return this.#changedUnits;
  }

  seenQuestions(): readonly OpenPermission[] {
    return this.#seenQuestions;
  }

  /** The view takes every key, so that all keys of the help work. */
  get hasKeys(): boolean {
    return this.#view.hasKeys;
  }

  leave(exit: TerminalExit = { reason: 'quit' }): void {
    this.#leave(exit);
  }

  onFirstKey(isAllShown: boolean): void {
    this.#seenQuestions = isAllShown ? openPermissions(this.screen()) : [];
  }

  onSubmit(text: string, shown = text): void {
    this.#attempt(text, async () => {
      if (this.#asked !== undefined && (await this.#answer(this.#asked, text))) return;
      const verdict = this.#canAnswer() ? VERDICTS[toHalfWidth(text).trim().toLowerCase()] : undefined;
      if (verdict !== undefined) return this.#take(`/${verdict}`);
      if (text === '') return canContinue(this.screen().conversation) ? this.resume() : undefined;
      this.#typed.add(text, shown);
      return this.#take(text);
    });
  }

  onHelp(): void {
    this.#attempt('', () => this.#take('/help'));
  }

  loadHistory(): readonly string[] {
    return this.#typed.load();
  }

  async editText(text: string, signal: AbortSignal): Promise<EditedText> {
    return (await this.options.editText?.(text, signal)) ?? { reason: this.words.terminal.noEditor };
  }

  onStop(): void {
    this.#decline();
    const { conversation } = this;
    this.#attempt('', () => (isLooking(this.#screen) ? conversation.skipLook() : conversation.cancel()));
  }

  /** Once stops the turn or empties the line, twice in a short time exits. */
  onInterrupt(): void {
    const now = performance.now();
    const isSecond = now - this.#interruptedAt < SECOND_PRESS_MILLISECONDS;
    this.#interruptedAt = now;
    this.#decline();
    if (isSecond) this.leave();
    else if (canCancel(this.screen().conversation)) this.#attempt('', () => this.conversation.cancel());
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
    return this.#slowSends.show({
      ...status,
      ...(cutOff.length > 0 && !status.isBusy && { now: this.words.company.cutOff(cutOff), tone: 'warning' }),
      figures,
      hint: this.#hint(status.hint),
    });
  }

  /** Takes a line for the answer to a question of ours. False: it is something else, so the answer is no. */
  async #answer({ onYes }: AskedQuestion, text: string): Promise<boolean> {
    const verdict = VERDICTS[toHalfWidth(text).trim().toLowerCase()];
    if (verdict === 'allow') {
      this.#asked = undefined;
      await onYes();
      return true;
    }
    this.#decline();
    return verdict === 'deny' || text === '';
  }

  #decline(): void {
    if (this.#asked !== undefined) this.print([note(this.#asked.declined)]);
    this.#asked = undefined;
  }

  async #demonstrate(opening: string): Promise<void> {
    this.#view.askWhoIsThere?.();
    await this.send(opening);
    await this.#loop;
    if (this.#demonstration?.end()) this.print([note(this.words.terminal.demoEnded)]);
    else this.leave();
  }

  /** Runs a command or sends a message. What is likely neither stays in the editor; sent again as it is, it is a message. */
  async #take(line: string): Promise<void> {
    const offered = offeredCommands(this);
    const members = this.conversation.team.members.map(({ name }) => name);
    const typed = readTypedLine(
      line,
      members,
      offered.map(({ name }) => name),
      this.words,
    );
    const isInsisted = line === this.#slip;
    this.#slip = undefined;
    if (typed.kind === 'command')
      return offered.find(({ name }) => name === typed.name)?.run(this, typed.argument);
    if (typed.kind === 'message' || isInsisted) return this.send(line);
    this.#slip = line;
    this.print([note(this.words.typed.sendAgain(typed.reason), 'warning')]);
    if (this.#view.input === '') this.#view.input = line;
  }

  /** Does what a person typed, which is never lost: if it fails, the text is put back, with the reason. */
  async #attempt(text: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.print(this.#failedAttempts.describe(error));
      if (this.#view.input === '' && !isInTheWay(text, error)) this.#view.input = text;
    }
  }

  /** Follows what a conversation does by itself to its end, and reports once if that fails. */
  #followLoop(): void {
    this.#attention.begin(this.#screen);
    this.#loop ??= this.#attempt('', async () => {
      const phase = await this.conversation.settled();
      if (this.#unsubscribe !== null) this.#attention.end(phase, this.#screen);
    }).finally(() => {
      this.#loop = null;
    });
  }

  #hint(usual: string): string {
    if (performance.now() - this.#interruptedAt < SECOND_PRESS_MILLISECONDS)
      return this.words.terminal.status.exitHint;
    if (this.#asked !== undefined) return this.#asked.hint;
    const permissions = openPermissions(this.screen());
    if (permissions.length === 0) return usual;
    if (permissions.length === 1 && this.#view.hasKeys) return this.words.terminal.permissionHint;
    return this.words.terminal.numberedHint(permissions.map(({ number }) => number));
  }

  /** Whether a yes or no can be meant for a question; otherwise it is a message like any other. */
  #canAnswer(): boolean {
    return openPermissions(this.screen()).length + this.#seenQuestions.length > 0;
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
      ...(this.options.listFiles && { listFiles: this.options.listFiles }),
      commands: offeredCommands(this).map(({ name, listArguments }) => ({
        name,
        description: this.words.terminal.commands[name],
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
        description: title ?? this.words.telling[type === 'ai' ? 'agent' : 'human'],
      }));
  }
}

/** Names by which a record can be meant; none if it is one of others, or empty. */
function unitsIn({ by, files, copyOf }: FilesRecorded): readonly ChangedUnit[] {
  if (by.kind === 'others' || files.length === 0) return [];
  const names = by.kind === 'turns' ? by.turnIds : [by.id];
  return names.map((name) => ({ name, isInCopy: copyOf !== undefined }));
}
