import { describeDecision } from '../../catalogue/decisions.js';
import { english } from '../../catalogue/english.js';
import { describeNotice } from '../../catalogue/notices.js';
import type { SentText } from '../../coordinator/Conversation.js';
import type {
  ConversationEvent,
  MessageAdded,
  PermissionDecided,
  TurnActivity,
  TurnEnd,
  TurnProgress,
  TurnStart,
} from '../../models/ConversationEvent.js';
import { findMember } from '../../models/findMember.js';
import type { MemberId, TurnId } from '../../models/ids.js';
import { assertNever } from '../../utils/assertNever.js';
import { utf8Length } from '../../utils/bytes.js';
import { type ConversationView, nameOf } from '../view.js';
import {
  describeActivity,
  describeCost,
  describeEnd,
  describeTrouble,
  headMember,
  introduceMember,
  tellRequest,
} from './describeEvent.js';
import { LineWriter } from './LineWriter.js';
import { LiveAnswer } from './LiveAnswer.js';
import type { Printer, PrintStreams } from './Printer.js';

const SECOND = 1000;

export interface TextPrinterOptions {
  readonly streams: PrintStreams;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** False once whoever was reading has left: the rest is said to nobody. */
  readonly isRead?: () => boolean;
}

/** The turn whose answer is being written. */
interface LiveTurn {
  readonly turnId: TurnId;
  readonly memberId: MemberId;
  readonly answer: LiveAnswer;
  /** What has arrived and is on no screen yet. */
  unshown: string;
}

/** A transcript for people. On a terminal answers appear while they are written, elsewhere when they are complete. */
export class TextPrinter implements Printer {
  readonly #isRead: () => boolean;
  readonly #writer: LineWriter;
  readonly #isLive: boolean;
  #live: LiveTurn | undefined;

  constructor({ streams, env, isRead = () => true }: TextPrinterOptions) {
    this.#isRead = isRead;
    this.#writer = new LineWriter(streams, env);
    this.#isLive = streams.stdout.isTTY === true;
  }

  take(event: ConversationEvent, view: ConversationView): void {
    if (!this.#isRead()) return;
    switch (event.type) {
      case 'conversation-start':
        this.#writer.note(english.print.team(event.team.members.map(introduceMember)));
        break;
      case 'message-added':
        this.#printMessage(event, view);
        break;
      case 'turn-start':
        this.#startTurn(event, view);
        break;
      case 'turn-progress':
        this.#printProgress(event, view);
        break;
      case 'turn-activity':
        this.#printActivity(event, view);
        break;
      case 'permission-decided':
        this.#printDecision(event, view);
        break;
      case 'turn-end':
        this.#endTurn(event, view);
        break;
      case 'notice':
        this.#writer.note(
          describeNotice(event, (memberId) => nameOf(view, memberId)),
          'notice',
        );
        break;
      case 'task-changed':
      case 'profile-changed':
      case 'turns-queued':
      case 'turns-dropped':
      case 'waiting-for-human':
      case 'conversation-pause':
      case 'conversation-resume':
        break;
      default:
        assertNever(event);
    }
  }

  takePrompt({ memberName, prompt, systemFlag }: SentText): void {
    const { promptFor, besidePrompt, asPrompt } = english.print;
    const bytes = utf8Length(prompt) + utf8Length(systemFlag ?? '');
    const text =
      systemFlag === undefined ? prompt : `${besidePrompt}\n${systemFlag}\n\n${asPrompt}\n${prompt}`;
    this.#writer.begin('faint', `╭ ${promptFor(memberName, bytes)}`);
    for (const line of text.trimEnd().split('\n')) this.#writer.writeLine(line, 'faint', '│ ');
    this.#writer.writeLine('╰', 'faint');
  }

  end(view: ConversationView): void {
    this.#writer.setStatus(undefined);
    if (!this.#isRead()) return;
    this.#printUnshown(view);
    this.#writer.endLine();
    if (this.#isLive) this.#writer.note('');
    for (const line of describeEnd(view)) this.#writer.note(line, 'notice');
    this.#writer.note(describeCost(view));
  }

  #startTurn({ turnId, memberId }: TurnStart, view: ConversationView): void {
    const start = Date.now();
    const name = nameOf(view, memberId);
    this.#live = { turnId, memberId, answer: new LiveAnswer(), unshown: '' };
    this.#writer.setStatus(() => english.print.working(name, Math.floor((Date.now() - start) / SECOND)));
  }

  #printProgress({ turnId, memberId, event }: TurnProgress, view: ConversationView): void {
    if (this.#live?.turnId !== turnId) return;
    const isFirst = !this.#live.answer.hasText;
    const text = this.#live.answer.take(event);
    if (!this.#isLive) this.#live.unshown += text;
    else if (text !== '') {
      if (isFirst) this.#begin(memberId, view);
      this.#writer.write(text);
    }
  }

  /** A turn that never ended, because its end could not be kept: what was paid for is not lost. */
  #printUnshown(view: ConversationView): void {
    const { memberId, unshown } = this.#live ?? { unshown: '' };
    if (memberId === undefined || unshown === '') return;
    this.#begin(memberId, view, true);
    this.#writer.write(unshown);
  }

  #printActivity({ memberId, event }: TurnActivity, view: ConversationView): void {
    const line = describeActivity(nameOf(view, memberId), event);
    if (line !== undefined) this.#writer.note(line, event.type === 'retry' ? 'notice' : 'faint');
  }

  #printDecision(event: PermissionDecided, view: ConversationView): void {
    const decision = describeDecision(event, (memberId) => nameOf(view, memberId));
    const role = event.decision === 'denied' ? 'notice' : 'faint';
    const request = view.permissions.find(({ requestId }) => requestId === event.requestId);
    if (event.decision === 'denied' && request !== undefined)
      for (const line of tellRequest(request)) this.#writer.noteExactly(line, 'faint');
    this.#writer.note(`${nameOf(view, event.memberId)}: ${decision}`, role);
  }

  #printMessage({ message, turnId }: MessageAdded, view: ConversationView): void {
    if (turnId === undefined || !this.#hasShown(turnId)) {
      this.#begin(message.speaker.roleId, view);
      this.#writer.write(message.content);
    }
    this.#writer.endLine();
  }

  #endTurn({ turnId, memberId, result }: TurnEnd, view: ConversationView): void {
    if (this.#live?.turnId === turnId) this.#live.unshown = '';
    this.#writer.setStatus(undefined);
    this.#writer.endLine();
    if (result.kind === 'completed') return;
    if (this.#hasShown(turnId)) this.#writer.writeLine(`[${english.print.draft}]`, 'notice');
    else if (result.draft !== '') {
      this.#begin(memberId, view, true);
      this.#writer.write(result.draft);
    }
    this.#writer.note(describeTrouble(nameOf(view, memberId), result), 'error');
    const tail = result.kind === 'failed' ? (result.failure.stderrTail ?? '') : '';
    for (const line of tail.split('\n').filter(Boolean)) this.#writer.note(`| ${line}`);
  }

  #begin(memberId: string, view: ConversationView, isDraft = false): void {
    const member = findMember(view, memberId);
    const head = member === undefined ? `${memberId}:` : headMember(member, isDraft);
    this.#writer.begin(member?.type === 'human' ? 'person' : 'name', head);
  }

  #hasShown(turnId: TurnId): boolean {
    return this.#isLive && this.#live?.turnId === turnId && this.#live.answer.hasText;
  }
}
