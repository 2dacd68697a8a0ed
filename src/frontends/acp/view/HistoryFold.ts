import type { SessionUpdate } from '@agentclientprotocol/sdk/unstable';
import { addToUsage, NO_USAGE, type Usage } from '../../../conversation/usage.js';
import type {
  MessageAdded,
  RecordedEvent,
  TurnActivity,
  TurnEnd,
} from '../../../models/ConversationEvent.js';
import type { MemberId } from '../../../models/ids.js';
import { firstWords, sessionTitle } from '../../../store/summary.js';
import { escapeMarkdown } from '../../../transcript/quoteMarkdown.js';
import { mergeToolNews } from './mergeToolNews.js';
import { BLOCK_BREAK, Thread } from './Thread.js';
import { changesFiles, ToolCards } from './ToolCards.js';
import { TurnMap } from './TurnMap.js';
import { type NamedSpeaker, type TurnHead, TurnSpeech } from './TurnSpeech.js';
import { type PromptSize, usageUpdate } from './usageNews.js';

interface PastTurn {
  readonly head: TurnHead;
  readonly speech: TurnSpeech;
  readonly cards: ToolCards;
  /** Cards of calls that have not ended. */
  readonly open: Map<string, SessionUpdate>;
  /** A tool that changes files was called: its card stands for the files. */
  showsChanges: boolean;
}

/** The log of a conversation → what a client is shown of it: what was said, and tool calls as one card each. */
export class HistoryFold {
  readonly #thread = new Thread();
  readonly #speakers = new Map<string, NamedSpeaker>();
  readonly #turns: TurnMap<PastTurn>;
  #usage: Usage = NO_USAGE;
  #size: PromptSize = { bytes: 0, maxBytes: 0 };
  #hasMessages = false;
  #title = '';
  #name: string | null = null;

  constructor(folder: string) {
    this.#turns = new TurnMap((turnId, memberId) => {
      const head = { turnId, speaker: this.#speakers.get(memberId) ?? { name: memberId } };
      const speech = new TurnSpeech(head, this.#thread);
      return { head, speech, cards: new ToolCards(head, folder), open: new Map(), showsChanges: false };
    });
  }

  take(event: RecordedEvent): readonly SessionUpdate[] {
    switch (event.type) {
      case 'conversation-start':
        for (const { id, name, title } of event.team.members) this.#speakers.set(id, { name, title });
        return [];
      case 'profile-changed':
        this.#size = { ...this.#size, maxBytes: event.profile.maxBytes };
        if (!this.#speakers.has(event.memberId))
          this.#speakers.set(event.memberId, { name: event.profile.agentName });
        return [];
      case 'title-changed':
        this.#name = event.title;
        return [];
      case 'message-added':
        return this.#takeMessage(event);
      case 'turn-start':
        this.#size = { ...this.#size, bytes: event.prompt.bytes };
        return [];
      case 'turn-activity':
        return this.#takeActivity(event);
      case 'turn-end':
        return this.#endTurn(event);
      default:
        return [];
    }
  }

  /** The state that the conversation was left in: its title and its cost. */
  end(): readonly SessionUpdate[] {
    if (!this.#hasMessages) return [];
    const title = this.#name === null ? this.#title : sessionTitle(this.#name);
    const usage = this.#usage.total.turns > 0 ? [usageUpdate(this.#usage, this.#size)] : [];
    return [{ sessionUpdate: 'session_info_update', title }, ...usage];
  }

  #takeMessage({ message, turnId }: MessageAdded): readonly SessionUpdate[] {
    const { id, content, speaker } = message;
    this.#hasMessages = true;
    this.#title ||= firstWords(content);
    this.#speakers.set(speaker.roleId, { name: speaker.roleName, title: speaker.roleTitle });
    const source = { member: speaker.roleName };
    if (speaker.type === 'human') {
      this.#thread.begin();
      return [this.#thread.addText('user_message_chunk', id, content, source)];
    }
    if (turnId !== undefined)
      return this.#turns.get(turnId, speaker.roleId as MemberId).speech.complete(content);
    const name = speaker.type === 'system' ? `**${escapeMarkdown(speaker.roleName)}**${BLOCK_BREAK}` : '';
    return [this.#thread.addText('agent_message_chunk', id, this.#thread.lead + name + content, source)];
  }

  #takeActivity({ turnId, memberId, event }: TurnActivity): readonly SessionUpdate[] {
    const turn = this.#turns.get(turnId, memberId);
    switch (event.type) {
      case 'tool-start':
        turn.showsChanges ||= changesFiles(event.kind);
        return this.#show(turn, [turn.cards.start(event)]);
      case 'tool-end':
        return this.#show(turn, turn.cards.end(event));
      case 'file-change':
        return turn.showsChanges ? [] : this.#show(turn, turn.cards.change(event));
      default:
        return [];
    }
  }

  #endTurn({ turnId, memberId, result, usage }: TurnEnd): readonly SessionUpdate[] {
    const turn = this.#turns.get(turnId, memberId);
    const isCompleted = result.kind === 'completed';
    this.#turns.end(turnId);
    if (usage !== undefined) this.#usage = addToUsage(this.#usage, { turnId, memberId, usage });
    const cards = this.#show(turn, turn.cards.close(isCompleted));
    return isCompleted ? cards : [...cards, ...turn.speech.leave(result)];
  }

  /** Cards are shown when their calls have ended. */
  #show({ open }: PastTurn, updates: readonly SessionUpdate[]): SessionUpdate[] {
    return updates.flatMap((update) => {
      if (!('toolCallId' in update)) return [];
      const { toolCallId } = update;
      const before = open.get(toolCallId);
      const card = before === undefined ? update : mergeToolNews(before, update);
      const hasEnded = 'status' in card && (card.status === 'completed' || card.status === 'failed');
      if (hasEnded) open.delete(toolCallId);
      else open.set(toolCallId, card);
      if (hasEnded) this.#thread.interrupt();
      return hasEnded ? [card] : [];
    });
  }
}
