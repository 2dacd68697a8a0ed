import { english } from '../catalogue/english.js';
import { ContextManager } from '../context/ContextManager.js';
import type { ContextOptions, ExplainedPrompt } from '../context/types.js';
import type {
  ConversationFact,
  MemberBrief,
  RecordedEvent,
  SentPrompt,
  TurnStart,
} from '../models/ConversationEvent.js';
import type { ConversationMessage } from '../models/ConversationMessage.js';
import { HuddleError } from '../models/errors.js';
import type { MemberId, MessageId, TurnId } from '../models/ids.js';
import { viewOptions } from './memberBrief.js';
import { hashPrompt, omitSystemText, turnOptions } from './preparePrompt.js';

/** What a turn was sent, made again from the log. */
export interface ExplainedTurn extends ExplainedPrompt {
  readonly turnId: TurnId;
  readonly memberId: MemberId;
  readonly brief: MemberBrief;
  /** As it was written down when the turn started. */
  readonly sent: SentPrompt;
  /** The bytes made again are the bytes that were sent; false when this Huddle makes prompts in another way. */
  readonly isExact: boolean;
  /** The last message the member had seen in its own session before this turn. */
  readonly lastSeenMessageId: MessageId | null;
}

/** What one member would be shown at some moment. */
export interface MemberViewAt extends ExplainedPrompt {
  readonly memberId: MemberId;
  readonly brief: MemberBrief;
}

/** Rebuilds the prompt of one turn from the events, up to its start; nothing after it counts. Throws UNKNOWN_TURN. */
export function explainTurn(events: Iterable<RecordedEvent>, turnId: TurnId): ExplainedTurn {
  const moment = new Moment();
  for (const event of events) {
    if (event.type === 'turn-start' && event.turnId === turnId) return explainStart(moment, event);
    moment.apply(event);
  }
  throw new HuddleError('UNKNOWN_TURN', english.unknownTurn(turnId));
}

/** What members would be shown if they were asked at the same moment: after event `seq`. Throws UNKNOWN_MEMBER. */
export function compareViews(
  events: Iterable<RecordedEvent>,
  seq: number,
  memberIds: readonly MemberId[],
): MemberViewAt[] {
  const moment = new Moment();
  for (const event of events) {
    if (event.seq > seq) break;
    moment.apply(event);
  }
  return memberIds.map((memberId) => {
    const brief = moment.briefOf(memberId);
    return { memberId, brief, ...moment.explain(memberId, brief, viewOptions(brief)) };
  });
}

function explainStart(moment: Moment, start: TurnStart): ExplainedTurn {
  const { turnId, memberId, prompt: sent } = start;
  const brief = moment.briefOf(memberId);
  const { about, lastSeenMessageId: lastSeen } = sent;
  const full = turnOptions(brief, start, { about, lastSeen });
  const options = sent.omitsSystemText ? omitSystemText(full) : full;
  const explained = moment.explain(memberId, brief, options, sent.nonce);
  const isExact = hashPrompt(explained.output) === sent.sha256;
  return { turnId, memberId, brief, sent, isExact, lastSeenMessageId: lastSeen ?? null, ...explained };
}

/** A conversation as it was at one moment of its log. */
class Moment {
  readonly #messages: ConversationMessage[] = [];
  readonly #briefs = new Map<MemberId, MemberBrief>();
  #teamTask: string | null = null;

  apply(fact: ConversationFact): void {
    if (fact.type === 'message-added') this.#messages.push(fact.message);
    if (fact.type === 'task-changed') this.#teamTask = fact.task;
    if (fact.type === 'brief-changed') this.#briefs.set(fact.memberId, fact.brief);
  }

  briefOf(memberId: MemberId): MemberBrief {
    const brief = this.#briefs.get(memberId);
    if (brief === undefined) throw new HuddleError('UNKNOWN_MEMBER', english.unknownMember(memberId));
    return brief;
  }

  explain(
    memberId: MemberId,
    { agentType }: MemberBrief,
    options: ContextOptions,
    nonce?: string,
  ): ExplainedPrompt {
    const context = new ContextManager({ logger: {}, ...(nonce !== undefined && { nonce: () => nonce }) });
    context.importSnapshot({
      messages: this.#messages,
      teamTask: this.#teamTask,
      timestamp: 0,
      version: 1,
    });
    return context.explainPrompt(memberId, agentType, options);
  }
}
