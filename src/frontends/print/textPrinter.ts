import { formatSeconds } from '../../catalogue/formats.js';
import { unquotedStderr } from '../../catalogue/tellings.js';
import type { Catalogue } from '../../catalogue/words.js';
import type { SentText } from '../../coordinator/Conversation.js';
import type { ConversationEvent, FilesProgress, TurnProgress } from '../../models/ConversationEvent.js';
import type { TurnId } from '../../models/ids.js';
import type { UserSettings } from '../../models/UserSettings.js';
import type { Block, MessageBlock, ShownMember, TurnBlock } from '../../presentation/Block.js';
import { TurnTotals } from '../../presentation/cost.js';
import { type BlockOptions, describeBlock } from '../../presentation/describeBlock.js';
import { type FileRecordOptions, formatFileLines } from '../../presentation/describeFileRecord.js';
import { describeDoing, describeSilence, nameAuthor } from '../../presentation/describeTurn.js';
import type { Paragraph, Tone } from '../../presentation/Paragraph.js';
import { findTurn, NEW_TELLING, type Step, type Telling } from '../../presentation/Telling.js';
import { utf8Length } from '../../utils/bytes.js';
import { formatNumber } from '../../utils/formatNumber.js';
import { formatParagraph } from '../lines/formatParagraph.js';
import { LineWriter, type PrintStreams } from '../lines/LineWriter.js';
import type { Role } from '../lines/paint.js';
import type { Printer } from './printConversation.js';
import { adviseCost, describeCost, describeEnd, explainTrouble, headMember } from './sentences.js';

/** After the second for which nothing is told of a first look. */
const LONG_LOOK_MILLISECONDS = 1000;

const ROLES: Readonly<Record<Tone, Role>> = {
  plain: 'faint',
  quiet: 'faint',
  strong: 'strong',
  good: 'good',
  warning: 'notice',
  bad: 'error',
};

/** A saved session, or a cassette that was played: what is printed happened before. */
export type PrintedRecord = { readonly kind: 'saved'; readonly id: string } | { readonly kind: 'played' };

export interface TextPrinterOptions {
  readonly words: Catalogue;
  readonly streams: PrintStreams;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly colours?: UserSettings['colours'];
  /** The answers to print alone, with drafts among the notes. Absent: the whole transcript. */
  readonly answers?: WantedAnswers | undefined;
  /** A command about the session as it is to be typed; absent if the session is not saved. */
  readonly command?: FileRecordOptions['command'];
  readonly record?: PrintedRecord | undefined;
  /** False once no one reads any more: the rest is not printed. */
  readonly isRead?: () => boolean;
}

/** The turn whose answer is being written. */
interface WrittenTurn {
  readonly turnId: TurnId;
  readonly member: ShownMember;
  readonly answer: LiveAnswer;
  /** Text that has arrived and is on no screen yet. */
  unshown: string;
  /** Epoch milliseconds. */
  lastEventAt: number;
}

/** A transcript for people. On a terminal answers appear while they are written, elsewhere when they are complete. */
export class TextPrinter implements Printer {
  readonly #isRead: () => boolean;
  readonly #writer: LineWriter;
  readonly #answers: AnswerWriter | undefined;
  readonly #isLive: boolean;
  readonly #words: Catalogue;
  readonly #sentences: BlockOptions;
  readonly #record: PrintedRecord | undefined;
  #telling = NEW_TELLING;
  #written: WrittenTurn | undefined;
  readonly #totals = new TurnTotals();
  /** Epoch milliseconds of the beginning of the first look at the folder; null once that was told. */
  #lookingSince: number | null | undefined;

  constructor(options: TextPrinterOptions) {
    const { words, streams, env, colours, answers, command, record, isRead = () => true } = options;
    this.#words = words;
    this.#sentences = { words, command, isNamed: true, isPast: record !== undefined };
    this.#record = record;
    this.#isRead = isRead;
    this.#writer = new LineWriter(streams, env, colours);
    this.#answers = answers && new AnswerWriter(this.#writer, answers, words);
    this.#isLive = streams.stdout.isTTY === true && answers === undefined;
  }

  take(event: ConversationEvent, { telling, blocks }: Step): void {
    this.#telling = telling;
    this.#totals.take(event);
    if (!this.#isRead()) return;
    this.#noteSign(event);
    if (event.type === 'turn-start' && this.#record === undefined) this.#startTurn(event.turnId);
    if (event.type === 'turn-progress') this.#printProgress(event);
    if (event.type === 'turn-end') this.#endTurn(event.turnId);
    if (event.type === 'files-progress') this.#printFirstLook(event);
    for (const block of blocks) this.#print(block);
  }

  takePrompt({ memberName, prompt, systemFlag }: SentText): void {
    const { promptFor, systemPrompt, asPrompt } = this.#words.print;
    const bytes = utf8Length(prompt) + utf8Length(systemFlag ?? '');
    const text =
      systemFlag === undefined ? prompt : `${systemPrompt}\n${systemFlag}\n\n${asPrompt}\n${prompt}`;
    this.#writer.begin('faint', `╭ ${promptFor(memberName, bytes)}`);
    for (const line of text.trimEnd().split('\n')) this.#writer.writeLine(line, 'faint', '│ ');
    this.#writer.writeLine('╰', 'faint');
  }

  end(telling: Telling): void {
    this.#writer.setStatus(undefined);
    if (!this.#isRead()) return;
    this.#printUnshown();
    this.#writer.endLine();
    this.#answers?.end();
    if (this.#isLive) this.#writer.note('');
    const saved = this.#record?.kind === 'saved' ? this.#record.id : undefined;
    for (const line of describeEnd(telling, this.#words, saved)) this.#writer.note(line, 'notice');
    const words = this.#words;
    const { sum } = this.#totals;
    const isPlayed = this.#record?.kind === 'played';
    const advice = isPlayed ? [] : adviseCost(sum, telling, words);
    for (const line of [describeCost(sum, telling, words, isPlayed), ...advice]) this.#writer.note(line);
  }

  #noteSign(event: ConversationEvent): void {
    const written = this.#written;
    if (written !== undefined && 'turnId' in event && event.turnId === written.turnId)
      written.lastEventAt = Date.now();
  }

  #startTurn(turnId: TurnId): void {
    const turn = findTurn(this.#telling, turnId);
    if (turn === undefined) return;
    const { member } = turn;
    const start = Date.now();
    const written = {
      turnId,
      member,
      answer: new LiveAnswer(this.#words.print.startsAgain),
      unshown: '',
      lastEventAt: start,
    };
    this.#written = written;
    this.#writer.setStatus(() => {
      const current = findTurn(this.#telling, turnId) ?? turn;
      const silence = describeSilence(current, Date.now() - written.lastEventAt, this.#words);
      const doing = silence?.isAllThereIs ? silence.text : describeDoing(current, this.#words);
      return this.#words.print.working(doing, formatSeconds(Date.now() - start, this.#words));
    });
  }

  #printProgress({ turnId, event }: TurnProgress): void {
    const written = this.#written;
    if (written?.turnId !== turnId) return;
    const isFirst = !written.answer.hasText;
    const text = written.answer.take(event);
    if (!this.#isLive) written.unshown += text;
    else if (text !== '') {
      if (isFirst) this.#begin(written.member);
      this.#writer.write(text);
    }
  }

  /** A turn that never ended, because its end could not be kept: what was paid for is not lost. */
  #printUnshown(): void {
    const { member, unshown } = this.#written ?? { unshown: '' };
    if (member !== undefined && unshown !== '') this.#printDraft(member, unshown);
  }

  #endTurn(turnId: TurnId): void {
    if (this.#written?.turnId === turnId) this.#written.unshown = '';
    this.#writer.setStatus(undefined);
    this.#writer.endLine();
  }

  #print(block: Block): void {
    if (block.kind === 'message') this.#printMessage(block);
    else if (block.kind === 'turn') this.#printTrouble(block);
    // A task is in its message, a text in its answer, and a pause is the reason why it is over.
    else if (block.kind !== 'task' && block.kind !== 'pause' && block.kind !== 'text')
      for (const paragraph of describeBlock(block, this.#telling, this.#sentences)) this.#note(paragraph);
  }

  #note(paragraph: Paragraph): void {
    const { kind } = paragraph;
    if (kind === 'note') this.#writer.note(paragraph.text, ROLES[paragraph.tone]);
    else if (kind === 'files') this.#writer.noteLines((columns) => formatFileLines(paragraph.files, columns));
    else this.#writer.noteExactly(formatParagraph(paragraph, this.#words), 'faint');
  }

  /** On the line at the bottom while it lasts, and once as a line that stays if it takes long. */
  #printFirstLook({ at, files, isDone }: FilesProgress): void {
    const { looking, firstLook, files: count } = this.#words.fileRecords;
    const status = (): string => this.#words.print.working(looking, count(formatNumber(files)));
    if (this.#telling.turns.length === 0) this.#writer.setStatus(isDone ? undefined : status);
    if (this.#lookingSince === null || isDone) return;
    this.#lookingSince ??= at;
    if (at - this.#lookingSince < LONG_LOOK_MILLISECONDS) return;
    this.#lookingSince = null;
    this.#writer.note(firstLook(formatNumber(files)));
  }

  #printMessage({ message, turn, ...block }: MessageBlock): void {
    const member = nameAuthor(block.member, this.#words);
    if (this.#answers !== undefined) {
      if (turn !== undefined) this.#answers.take({ member, text: message.content });
      return;
    }
    if (turn === undefined || !this.#hasShown(turn.turnId)) {
      this.#begin(member, { id: message.id });
      this.#writer.write(message.content);
    }
    this.#writer.endLine();
  }

  #printTrouble({ turn: { turnId, member, result } }: TurnBlock): void {
    if (result.kind === 'completed') return;
    if (this.#hasShown(turnId)) this.#writer.writeLine(`[${this.#words.telling.draft}]`, 'notice');
    else if (result.draft !== '') this.#printDraft(member, result.draft);
    this.#writer.note(explainTrouble(member.name, result, this.#words), 'error');
    const tail = result.kind === 'failed' ? unquotedStderr(result.failure) : [];
    for (const line of tail) this.#writer.note(`| ${line}`);
  }

  #printDraft(member: ShownMember, draft: string): void {
    if (this.#answers !== undefined)
      this.#writer.noteText(headMember(member, this.#words, true), draft, 'faint');
    else {
      this.#begin(member, { isDraft: true });
      this.#writer.write(draft);
    }
  }

  /** Messages of a saved session have the numbers that `fork --at` takes. */
  #begin(member: ShownMember, { isDraft = false, id = '' } = {}): void {
    const mark = this.#record?.kind === 'saved' && id !== '' ? `#${id.replace(/^msg-/u, '')} ` : '';
    const heading = `${mark}${headMember(member, this.#words, isDraft)}`;
    this.#writer.begin(member.type === 'human' ? 'person' : 'name', heading);
  }

  #hasShown(turnId: TurnId): boolean {
    return this.#isLive && this.#written?.turnId === turnId && this.#written.answer.hasText;
  }
}

const BLOCK_SEPARATOR = '\n\n';
const HIGH_SURROGATE_AT_END = /[\ud800-\udbff]$/u;

/** Follows an answer while it is written: what is still to be printed after each event. Nothing can be taken back. */
export class LiveAnswer {
  /** The printed part of the block that is being written. */
  #block = '';
  /** Half of a character whose other half has not come yet. */
  #held = '';
  #hasText = false;
  readonly #startsAgain: string;

  /** `startsAgain`: what is printed where a part is given up. */
  constructor(startsAgain: string) {
    this.#startsAgain = startsAgain;
  }

  get hasText(): boolean {
    return this.#hasText;
  }

  take(event: TurnProgress['event']): string {
    switch (event.type) {
      case 'text-delta':
        return this.#hold(this.#grow(event.text));
      case 'text':
        return this.#hold(this.#settle(event.text));
      case 'text-reset':
        return this.#giveUp();
      case 'thinking':
      case 'tool-detail':
      case 'waiting':
      case 'usage':
      case 'raw':
        return '';
    }
  }

  #grow(text: string): string {
    if (text === '') return '';
    const printed = this.#separate(text);
    this.#block += text;
    return printed;
  }

  #settle(text: string): string {
    const isContinued = this.#block !== '' && text.startsWith(this.#block);
    const printed = isContinued ? text.slice(this.#block.length) : this.#giveUp() + this.#separate(text);
    this.#block = '';
    return printed;
  }

  #giveUp(): string {
    if (this.#block === '') return '';
    this.#block = '';
    return `\n${this.#startsAgain}`;
  }

  #separate(text: string): string {
    const isNewBlock = this.#block === '' && this.#hasText;
    this.#hasText = true;
    return isNewBlock ? BLOCK_SEPARATOR + text : text;
  }

  #hold(text: string): string {
    const whole = this.#held + text;
    this.#held = HIGH_SURROGATE_AT_END.exec(whole)?.[0] ?? '';
    return whole.slice(0, whole.length - this.#held.length);
  }
}

interface Answer {
  readonly member: ShownMember;
  readonly text: string;
}

/** The answers that are written: all of them, or only the last one. */
export type WantedAnswers = 'all' | 'last';

/** Writes answers and nothing else: one alone as it is, several each under the name of its author. */
export class AnswerWriter {
  readonly #writer: LineWriter;
  readonly #wanted: WantedAnswers;
  readonly #words: Catalogue;
  /** The last one, or the first one while it is not known whether another follows. */
  #held: Answer | undefined;
  #hasSeveral = false;

  constructor(writer: LineWriter, wanted: WantedAnswers, words: Catalogue) {
    this.#writer = writer;
    this.#words = words;
    this.#wanted = wanted;
  }

  take(answer: Answer): void {
    if (this.#wanted === 'all' && (this.#held !== undefined || this.#hasSeveral)) {
      this.#hasSeveral = true;
      if (this.#held !== undefined) this.#writeUnderName(this.#held);
      this.#writeUnderName(answer);
      this.#held = undefined;
    } else this.#held = answer;
  }

  end(): void {
    if (this.#held !== undefined) this.#writer.writeAlone(this.#held.text, this.#wanted === 'last');
    this.#held = undefined;
  }

  #writeUnderName({ member, text }: Answer): void {
    this.#writer.begin('name', headMember(member, this.#words));
    this.#writer.write(text);
    this.#writer.endLine();
  }
}
