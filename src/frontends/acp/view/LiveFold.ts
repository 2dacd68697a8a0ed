import type { NoticeSeverity, SessionUpdate } from '@agentclientprotocol/sdk/unstable';
import { subjectOf } from '../../../catalogue/permissionRequests.js';
import {
  describeDecision,
  describeNotice,
  describeRetry,
  describeWarning,
} from '../../../catalogue/tellings.js';
import { words } from '../../../catalogue/words.js';
import { addToUsage, type Usage } from '../../../conversation/usage.js';
import type { PermissionRequestEvent } from '../../../models/AgentEvent.js';
import type {
  ConversationEvent,
  MessageAdded,
  PermissionDecided,
  RecordedEvent,
  TurnActivity,
  TurnEnd,
  TurnProgress,
} from '../../../models/ConversationEvent.js';
import type { ConversationMessage } from '../../../models/ConversationMessage.js';
import type { MemberId } from '../../../models/ids.js';
import { firstWords } from '../../../store/summary.js';
import { escapeMarkdown } from '../../../transcript/quoteMarkdown.js';
import { assertNever } from '../../../utils/assertNever.js';
import { sanitizeToOneLine } from '../../../utils/sanitize.js';
import { permissionCard } from './permissionCard.js';
import { describeStop } from './stopReason.js';
import { BLOCK_BREAK, metaOf, Thread } from './Thread.js';
import { ToolCards } from './ToolCards.js';
import { TurnMap } from './TurnMap.js';
import { type NamedSpeaker, sourceOf, type TurnHead, TurnSpeech } from './TurnSpeech.js';
import { usageUpdate } from './usageNews.js';
import type { PermissionQuestionCard } from './ViewTarget.js';

/** A consequence of an event for the client. */
export type ViewStep =
  | { readonly kind: 'update'; readonly update: SessionUpdate }
  | { readonly kind: 'ask'; readonly requestId: string; readonly card: PermissionQuestionCard }
  | { readonly kind: 'decided'; readonly requestId: string };

/** The knowledge about a conversation that the events from now on do not bring. */
export interface LiveFoldOptions {
  readonly speakerOf: (id: MemberId) => NamedSpeaker;
  readonly folder: string;
  readonly hasNotices: boolean;
  readonly usage: Usage;
  /** The most that a prompt may have. */
  readonly maxBytes: number;
  /** Something was said before. */
  readonly hasTitle: boolean;
  /** The name of the client's person, if others speak elsewhere: their words are shown, its own the client has shown already. */
  readonly speaker?: string | undefined;
}

interface ShownTurn {
  readonly head: TurnHead;
  readonly speech: TurnSpeech;
  readonly cards: ToolCards;
  readonly requests: Map<string, PermissionRequestEvent>;
}

/** Events of a conversation as it runs → what its client is shown. The same events always make the same steps. */
export class LiveFold {
  readonly #options: LiveFoldOptions;
  readonly #thread = new Thread();
  readonly #turns: TurnMap<ShownTurn>;
  #usage: Usage;
  #promptBytes = 0;
  #hasTitle: boolean;

  constructor(options: LiveFoldOptions) {
    const { speakerOf, folder } = options;
    this.#options = options;
    this.#turns = new TurnMap((turnId, memberId) => {
      const head = { turnId, speaker: speakerOf(memberId) };
      const speech = new TurnSpeech(head, this.#thread);
      return { head, speech, cards: new ToolCards(head, folder), requests: new Map() };
    });
    this.#usage = options.usage;
    this.#hasTitle = options.hasTitle;
  }

  get usage(): Usage {
    return this.#usage;
  }

  /** A person has sent a prompt. */
  begin(): void {
    this.#thread.begin();
  }

  take(event: ConversationEvent): readonly ViewStep[] {
    if (event.type === 'files-progress') return [];
    const steps =
      event.type === 'turn-progress' ? this.#takeProgress(event).map(show) : this.#takeFact(event);
    for (const step of steps)
      if (step.kind === 'update' && step.update.sessionUpdate === 'tool_call') this.#thread.interrupt();
    return steps;
  }

  #takeProgress({ turnId, memberId, event }: TurnProgress): SessionUpdate[] {
    const { speech, cards } = this.#turns.get(turnId, memberId);
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
    switch (event.type) {
      case 'message-added':
        return this.#takeMessage(event, event.at).map(show);
      case 'title-changed':
        this.#hasTitle ||= event.title !== null;
        return [show({ sessionUpdate: 'session_info_update', title: event.title })];
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
        const nameOf = (id: MemberId) => this.#options.speakerOf(id).name;
        return [show(this.#notice('warning', describeNotice(event, nameOf), `note-${event.seq}`))];
      }
      case 'conversation-pause': {
        const text = describeStop(event.reason);
        return text === undefined
          ? []
          : [show(this.#thread.addNote({ text, messageId: `note-${event.seq}` }))];
      }
      case 'conversation-start':
      case 'conversation-forked':
      case 'task-changed':
      case 'profile-changed':
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
    const turn = this.#turns.get(turnId, memberId);
    const { name } = turn.head.speaker;
    switch (event.type) {
      case 'tool-start':
        return [show(turn.cards.start(event))];
      case 'tool-end':
        return turn.cards.end(event).map(show);
      case 'file-change':
        return turn.cards.change(event).map(show);
      case 'permission-request':
        return this.#ask(turn, event);
      case 'retry':
        return [show(this.#notice('warning', describeRetry(event, name), turn))];
      case 'error':
        return [show(this.#notice('error', words.joining.labelled(name, event.message), turn))];
      case 'warning': {
        const text = words.joining.labelled(name, describeWarning(event.about));
        return [show(this.#notice('warning', text, turn))];
      }
      case 'session':
      case 'todo-list':
        return [];
      default:
        return assertNever(event);
    }
  }

  #ask({ head, cards, requests }: ShownTurn, request: PermissionRequestEvent): ViewStep[] {
    const { requestId, name, kind } = request;
    requests.set(requestId, request);
    if (!request.isOpen) return [];
    const toolId = toolIdOf(request);
    const begun = cards.ask({ toolId, name, input: subjectOf(request), kind });
    const toolCallId = cards.idOf(toolId) ?? toolId;
    const card = permissionCard(head, request, { toolCallId, cards, folder: this.#options.folder });
    return [...begun.map(show), { kind: 'ask', requestId, card }];
  }

  #takeDecision(decided: PermissionDecided): ViewStep[] {
    const { turnId, memberId, requestId, decision } = decided;
    const turn = this.#turns.get(turnId, memberId);
    const request = turn.requests.get(requestId);
    turn.requests.delete(requestId);
    if (request === undefined) return [];
    if (request.isOpen) {
      const updates = turn.cards.decide(toolIdOf(request), decision, request.toolId === undefined);
      return [{ kind: 'decided', requestId }, ...updates.map(show)];
    }
    if (decision !== 'denied') return [];
    const asked = words.page.askedFor(request.name, subjectOf(request), describeDecision(decided));
    const text = words.joining.labelled(turn.head.speaker.name, asked);
    return [show(this.#notice('warning', text, turn))];
  }

  #takeMessage({ message, turnId }: MessageAdded, at: number): SessionUpdate[] {
    const title = this.#hasTitle ? '' : firstWords(message.content);
    this.#hasTitle ||= title !== '';
    const named = title === '' ? [] : [titleUpdate(title, at)];
    if (turnId === undefined) return [...named, ...this.#showOther(message)];
    // The id of a member's message is the member's id.
    const { speech } = this.#turns.get(turnId, message.speaker.roleId as MemberId);
    return [...named, ...speech.complete(message.content)];
  }

  /** The words of a person or a program elsewhere, under their name. */
  #showOther({ id, content, speaker: { type, roleName } }: ConversationMessage): SessionUpdate[] {
    const { speaker } = this.#options;
    if (speaker === undefined || type === 'ai' || roleName === speaker) return [];
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
    const turn = this.#turns.get(turnId, memberId);
    const isCompleted = result.kind === 'completed';
    this.#turns.end(turnId);
    if (usage !== undefined) this.#usage = addToUsage(this.#usage, { turnId, memberId, usage });
    const size = { bytes: this.#promptBytes, maxBytes: this.#options.maxBytes };
    return [
      ...turn.cards.close(isCompleted),
      ...(isCompleted ? [] : turn.speech.leave(result)),
      ...(usage === undefined ? [] : [usageUpdate(this.#usage, size)]),
    ];
  }

  /** `about`: a turn, or else the id of its line. */
  #notice(severity: NoticeSeverity, text: string, about: ShownTurn | string): SessionUpdate {
    const isAlone = typeof about === 'string';
    if (!this.#options.hasNotices)
      return isAlone ? this.#thread.addNote({ text, messageId: about }) : about.speech.note(text);
    const source = isAlone ? {} : { _meta: metaOf(sourceOf(about.head)) };
    return { sessionUpdate: 'notice', severity, title: sanitizeToOneLine(text), ...source };
  }
}

function titleUpdate(title: string, at: number): SessionUpdate {
  return { sessionUpdate: 'session_info_update', title, updatedAt: new Date(at).toISOString() };
}

function toolIdOf({ toolId, requestId }: PermissionRequestEvent): string {
  return toolId ?? requestId;
}

function show(update: SessionUpdate): ViewStep {
  return { kind: 'update', update };
}
