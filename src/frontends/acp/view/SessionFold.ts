import type { NoticeSeverity, SessionUpdate } from '@agentclientprotocol/sdk/unstable';
import { subjectOf } from '../../../catalogue/permissionRequests.js';
import {
  describeDecision,
  describeNotice,
  describePause,
  describeRetry,
  describeWarning,
} from '../../../catalogue/tellings.js';
import type { Catalogue } from '../../../catalogue/words.js';
import { addToUsage, NO_USAGE, type Usage } from '../../../conversation/usage.js';
import type { PermissionRequestEvent } from '../../../models/AgentEvent.js';
import type {
  ConversationEvent,
  MessageAdded,
  PauseReason,
  PermissionDecided,
  RecordedEvent,
  TurnActivity,
  TurnEnd,
  TurnProgress,
} from '../../../models/ConversationEvent.js';
import type { ConversationMessage } from '../../../models/ConversationMessage.js';
import type { MemberId, TurnId } from '../../../models/ids.js';
import { firstWords, sessionTitle } from '../../../store/summary.js';
import { escapeMarkdown } from '../../../transcript/quoteMarkdown.js';
import { assertNever } from '../../../utils/assertNever.js';
import { sanitizeToOneLine } from '../../../utils/sanitize.js';
import { BLOCK_BREAK, metaOf, Thread } from './Thread.js';
import { mergeToolNews, type PermissionQuestionCard, ToolCards } from './ToolCards.js';
import { type NamedSpeaker, type TurnHead, TurnSpeech } from './TurnSpeech.js';

/** Turns that are over and not forgotten: an agent that is leaving may still report something. */
const MOST_ENDED = 64;
const BYTES_PER_TOKEN = 4;

/** A consequence of an event for the client. */
export type ViewStep =
  | { readonly kind: 'update'; readonly update: SessionUpdate }
  | { readonly kind: 'ask'; readonly requestId: string; readonly card: PermissionQuestionCard }
  | { readonly kind: 'decided'; readonly requestId: string };

export interface SessionFoldOptions {
  /** The folder agents work in: paths are shown from its root. */
  readonly folder: string;
  readonly words: Catalogue;
  /** The events are read from a log: people's words are shown, too, calls when they have ended, and no lines about the work. */
  readonly isPast?: boolean;
  /** The client understands `session.notices`. */
  readonly hasNotices?: boolean;
  /** The knowledge that the events from now on do not bring; of a log they bring it all. */
  readonly members?: ReadonlyArray<NamedSpeaker & { readonly id: MemberId }>;
  readonly usage?: Usage;
  /** The most that a prompt may have. */
  readonly maxBytes?: number;
  /** Something was said before. */
  readonly hasTitle?: boolean;
  /** The name of the client's person, if others speak elsewhere: their words are shown, its own the client has shown already. */
  readonly speaker?: string | undefined;
}

interface ShownTurn {
  readonly head: TurnHead;
  readonly speech: TurnSpeech;
  readonly cards: ToolCards;
  readonly requests: Map<string, PermissionRequestEvent>;
  /** In the past: cards of calls that have not ended. */
  readonly open: Map<string, SessionUpdate>;
}

/** Events of a conversation → what a client is shown of it. The same events always make the same steps. */
export class SessionFold {
  readonly #options: SessionFoldOptions;
  readonly #isPast: boolean;
  readonly #thread = new Thread();
  readonly #speakers = new Map<string, NamedSpeaker>();
  /** The turns that are shown, begun with their first event. */
  readonly #turns = new Map<TurnId, ShownTurn>();
  readonly #endedTurns = new Set<TurnId>();
  #usage: Usage;
  #promptBytes = 0;
  #maxBytes: number;
  #hasTitle: boolean;
  /** In the past: the first words, and the name that people gave. */
  #title = '';
  #name: string | null = null;

  constructor(options: SessionFoldOptions) {
    const { isPast = false, members = [], usage = NO_USAGE, maxBytes = 0, hasTitle = false } = options;
    this.#options = options;
    this.#isPast = isPast;
    for (const member of members) this.#speakers.set(member.id, member);
    this.#usage = usage;
    this.#maxBytes = maxBytes;
    this.#hasTitle = hasTitle;
  }

  get usage(): Usage {
    return this.#usage;
  }

  /** A person has sent a prompt. */
  begin(): void {
    this.#thread.begin();
  }

  speakerOf(memberId: MemberId): NamedSpeaker {
    return this.#speakers.get(memberId) ?? { name: memberId };
  }

  take(event: ConversationEvent): readonly ViewStep[] {
    if (event.type === 'files-progress') return [];
    return event.type === 'turn-progress' ? this.#takeProgress(event).map(show) : this.#takeFact(event);
  }

  /** The state that a conversation of the past was left in: its title and its cost. */
  end(): readonly SessionUpdate[] {
    if (!this.#hasTitle) return [];
    const title = this.#name === null ? this.#title : sessionTitle(this.#name);
    const usage = this.#usage.total.turns > 0 ? [this.#usageUpdate()] : [];
    return [{ sessionUpdate: 'session_info_update', title }, ...usage];
  }

  #takeProgress({ turnId, memberId, event }: TurnProgress): SessionUpdate[] {
    const { speech, cards } = this.#turnOf(turnId, memberId);
    switch (event.type) {
      case 'text-delta':
        return speech.write(event.text);
      case 'text':
        return speech.settle(event.text);
      case 'text-reset':
        return speech.giveUp();
      case 'thinking':
        return speech.think(event.text);
      case 'tool-detail':
        return cards.detail(event);
      case 'waiting':
      case 'usage':
      case 'raw':
        return [];
      default:
        return assertNever(event);
    }
  }

  #takeFact(event: RecordedEvent): ViewStep[] {
    const { words } = this.#options;
    switch (event.type) {
      case 'conversation-start':
        for (const { id, name, title } of event.team.members) this.#speakers.set(id, { name, title });
        return [];
      case 'profile-changed':
        this.#maxBytes = event.profile.maxBytes;
        if (!this.#speakers.has(event.memberId))
          this.#speakers.set(event.memberId, { name: event.profile.agentName });
        return [];
      case 'title-changed':
        this.#name = event.title;
        this.#hasTitle ||= event.title !== null && !this.#isPast;
        return this.#isPast ? [] : [show({ sessionUpdate: 'session_info_update', title: event.title })];
      case 'message-added':
        return this.#takeMessage(event, event.at).map(show);
      case 'turn-start':
        this.#promptBytes = event.prompt.bytes;
        return [];
      case 'turn-activity':
        return this.#takeActivity(event);
      case 'permission-decided':
        return this.#takeDecision(event);
      case 'turn-end':
        return this.#endTurn(event).map(show);
      case 'notice': {
        const text = describeNotice(event, (id) => this.speakerOf(id).name, words);
        return this.#notice('warning', text, `note-${event.seq}`);
      }
      case 'conversation-pause': {
        const text = this.#isPast ? undefined : describeStop(event.reason, words);
        return text === undefined
          ? []
          : [show(this.#thread.addNote({ text, messageId: `note-${event.seq}` }))];
      }
      case 'conversation-forked':
      case 'task-changed':
      case 'turns-queued':
      case 'turns-dropped':
      case 'files-recorded':
      case 'waiting-for-human':
      case 'conversation-resume':
        return [];
      default:
        return assertNever(event);
    }
  }

  #takeActivity({ turnId, memberId, event }: TurnActivity): ViewStep[] {
    const { words } = this.#options;
    const turn = this.#turnOf(turnId, memberId);
    const { name } = turn.head.speaker;
    switch (event.type) {
      case 'tool-start':
        return this.#showCards(turn, [turn.cards.start(event)]).map(show);
      case 'tool-end':
        return this.#showCards(turn, turn.cards.end(event)).map(show);
      case 'file-change':
        return this.#showCards(turn, turn.cards.change(event, this.#isPast)).map(show);
      case 'permission-request':
        return this.#ask(turn, event);
      case 'retry':
        return this.#notice('warning', describeRetry(event, name, words), turn);
      case 'error':
        return this.#notice('error', words.joining.labelled(name, event.message), turn);
      case 'warning': {
        const text = words.joining.labelled(name, describeWarning(event.about, words));
        return this.#notice('warning', text, turn);
      }
      case 'session':
      case 'todo-list':
        return [];
      default:
        return assertNever(event);
    }
  }

  #ask(turn: ShownTurn, request: PermissionRequestEvent): ViewStep[] {
    const { requestId, isOpen } = request;
    turn.requests.set(requestId, request);
    if (!isOpen || this.#isPast) return [];
    const [begun, card] = turn.cards.ask(request);
    return [...this.#showCards(turn, begun).map(show), { kind: 'ask', requestId, card }];
  }

  #takeDecision(decided: PermissionDecided): ViewStep[] {
    const { turnId, memberId, requestId, decision } = decided;
    const { words } = this.#options;
    const turn = this.#turnOf(turnId, memberId);
    const request = turn.requests.get(requestId);
    turn.requests.delete(requestId);
    if (request === undefined || this.#isPast) return [];
    if (request.isOpen)
      return [{ kind: 'decided', requestId }, ...turn.cards.decide(request, decision).map(show)];
    if (decision !== 'denied') return [];
    const asked = words.page.askedFor(request.name, subjectOf(request), describeDecision(decided, words));
    return this.#notice('warning', words.joining.labelled(turn.head.speaker.name, asked), turn);
  }

  #takeMessage({ message, turnId }: MessageAdded, at: number): SessionUpdate[] {
    const { id, content, speaker } = message;
    const named = this.#nameSession(content, at);
    this.#speakers.set(speaker.roleId, { name: speaker.roleName, title: speaker.roleTitle });
    // The id of a member's message is the member's id.
    if (turnId !== undefined)
      return [...named, ...this.#turnOf(turnId, speaker.roleId as MemberId).speech.complete(content)];
    if (!this.#isPast) return [...named, ...(this.#isElsewhere(message) ? this.#showOther(message) : [])];
    if (speaker.type !== 'human') return this.#showOther(message);
    this.#thread.begin();
    return [this.#thread.addText('user_message_chunk', id, content, { member: speaker.roleName })];
  }

  /** The first words are the title, unless it has one. */
  #nameSession(content: string, at: number): SessionUpdate[] {
    const title = this.#title === '' && (this.#isPast || !this.#hasTitle) ? firstWords(content) : '';
    this.#title ||= title;
    this.#hasTitle ||= this.#isPast || title !== '';
    const updatedAt = new Date(at).toISOString();
    return title === '' || this.#isPast ? [] : [{ sessionUpdate: 'session_info_update', title, updatedAt }];
  }

  /** Whether a person or a program elsewhere has said it. */
  #isElsewhere({ speaker: { type, roleName } }: ConversationMessage): boolean {
    const { speaker } = this.#options;
    return speaker !== undefined && type !== 'ai' && roleName !== speaker;
  }

  /** The words of somebody else than the client's person and the agents in their turns, under their name. */
  #showOther({ id, content, speaker: { roleName } }: ConversationMessage): SessionUpdate[] {
    const text = `${this.#thread.lead}**${escapeMarkdown(roleName)}**${BLOCK_BREAK}${content}`;
    const source = { member: roleName };
    const shown = [
      this.#thread.addText('agent_message_chunk', id, text, source),
      ...this.#thread.closeCode(source),
    ];
    this.#thread.interrupt();
    return shown;
  }

  #endTurn({ turnId, memberId, result, usage }: TurnEnd): SessionUpdate[] {
    const turn = this.#turnOf(turnId, memberId);
    const isCompleted = result.kind === 'completed';
    this.#forgetLater(turnId);
    if (usage !== undefined) this.#usage = addToUsage(this.#usage, { turnId, memberId, usage });
    return [
      ...this.#showCards(turn, turn.cards.close(isCompleted)),
      ...(isCompleted ? [] : turn.speech.leave(result)),
      ...(usage === undefined || this.#isPast ? [] : [this.#usageUpdate()]),
    ];
  }

  /** Cards stand between the texts before and after them. */
  #showCards({ open }: ShownTurn, updates: readonly SessionUpdate[]): readonly SessionUpdate[] {
    const shown = this.#isPast ? updates.flatMap((update) => endedCard(open, update)) : updates;
    if (shown.some(({ sessionUpdate }) => sessionUpdate === 'tool_call')) this.#thread.interrupt();
    return shown;
  }

  /** A line about the work. `about`: a turn, or else the id of the line. */
  #notice(severity: NoticeSeverity, text: string, about: ShownTurn | string): ViewStep[] {
    if (this.#isPast) return [];
    const isAlone = typeof about === 'string';
    if (!this.#options.hasNotices)
      return [show(isAlone ? this.#thread.addNote({ text, messageId: about }) : about.speech.note(text))];
    const _meta = isAlone ? undefined : metaOf(about.head.source);
    return [show({ sessionUpdate: 'notice', severity, title: sanitizeToOneLine(text), _meta })];
  }

  /** The cost of the conversation, and how much of the room for a prompt is taken. */
  #usageUpdate(): SessionUpdate {
    const { prices, usd } = this.#usage.total;
    return {
      sessionUpdate: 'usage_update',
      used: Math.ceil(this.#promptBytes / BYTES_PER_TOKEN),
      size: Math.floor(this.#maxBytes / BYTES_PER_TOKEN),
      cost: prices.reported + prices.estimated > 0 ? { amount: usd, currency: 'USD' } : undefined,
    };
  }

  #turnOf(turnId: TurnId, memberId: MemberId): ShownTurn {
    const known = this.#turns.get(turnId);
    if (known !== undefined) return known;
    const { folder, words } = this.#options;
    const speaker = this.speakerOf(memberId);
    const head: TurnHead = { turnId, speaker, source: { member: speaker.name, turn: turnId }, words };
    const turn = {
      head,
      speech: new TurnSpeech(head, this.#thread),
      cards: new ToolCards(head, folder),
      requests: new Map(),
      open: new Map(),
    };
    this.#turns.set(turnId, turn);
    return turn;
  }

  #forgetLater(turnId: TurnId): void {
    this.#endedTurns.add(turnId);
    const [oldest] = this.#endedTurns;
    if (this.#endedTurns.size <= MOST_ENDED || oldest === undefined) return;
    this.#endedTurns.delete(oldest);
    this.#turns.delete(oldest);
  }
}

/** In the past, the card of a call is shown once, when the call has ended. */
function endedCard(open: Map<string, SessionUpdate>, update: SessionUpdate): SessionUpdate[] {
  if (!('toolCallId' in update)) return [];
  const before = open.get(update.toolCallId);
  const card = before === undefined ? update : mergeToolNews(before, update);
  const hasEnded = 'status' in card && (card.status === 'completed' || card.status === 'failed');
  if (hasEnded) open.delete(update.toolCallId);
  else open.set(update.toolCallId, card);
  return hasEnded ? [card] : [];
}

/** The sentence of a pause that the team file asked for, and how to continue. */
function describeStop(reason: PauseReason, words: Catalogue): string | undefined {
  const { acpView, joining } = words;
  if (reason.kind === 'limit') return joining.sentences([describePause(reason, words), acpView.toContinue]);
  return reason.kind === 'reader'
    ? joining.sentences([describePause(reason, words), acpView.afterReader])
    : undefined;
}

function show(update: SessionUpdate): ViewStep {
  return { kind: 'update', update };
}
