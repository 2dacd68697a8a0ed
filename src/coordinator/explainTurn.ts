import { ContextManager } from '../context/ContextManager.js';
import type { ContextOptions, ExplainedPrompt } from '../context/types.js';
import { applyToStatus, INITIAL_STATUS } from '../conversation/ConversationStatus.js';
import { type MemberSession, seenBefore } from '../conversation/memberSession.js';
import { tellFiles } from '../files/tell/tellFiles.js';
import { isSystemTextInPrompt, putSystemTextInPrompt } from '../models/AgentEvent.js';
import type {
  ConversationFact,
  MemberProfile,
  RecordedEvent,
  SentPrompt,
  TurnStart,
} from '../models/ConversationEvent.js';
import { HuddleError } from '../models/errors.js';
import type { MemberId, MessageId, TurnId } from '../models/ids.js';
import type { AnyIterable } from '../utils/AnyIterable.js';
import { utf8Length } from '../utils/bytes.js';
import { promptTypeOf } from './memberProfile.js';
import { measurePrompt, sessionOptions, turnOptions } from './prepareTurn.js';

/** Stands in the fences of prompts that were never sent. */
const NO_NONCE = '0'.repeat(16);

/** The prompt of a turn, made again from the log. */
export interface ExplainedTurn extends ExplainedPrompt {
  readonly turnId: TurnId;
  readonly memberId: MemberId;
  readonly profile: MemberProfile;
  /** As it was written down when the turn started, with the bytes that reached the agent. */
  readonly sent: SentPrompt;
  /** The bytes made again are the bytes that were sent; false when this Huddle makes prompts in another way. */
  readonly isExact: boolean;
  /** The agent took no separate system prompt, so it stood in the prompt. */
  readonly hasSystemInPrompt: boolean;
  /** The last message the member had seen in its own session before this turn. */
  readonly lastSeenMessageId: MessageId | null;
}

/** The prompt a member would be sent at some moment. */
export interface MemberViewAt extends ExplainedPrompt {
  readonly memberId: MemberId;
  readonly profile: MemberProfile;
}

/**
 * Rebuilds the prompt of one turn from the events, up to its start; nothing after it counts.
 *
 * @throws {@link HuddleError} with the code `UNKNOWN_TURN` (as a rejection) if no such turn started.
 *
 * @example
 * ```ts
 * const { sent, isExact } = await explainTurn(conversation.history(), turnId);
 * ```
 */
export async function explainTurn(
  events: AnyIterable<RecordedEvent>,
  turnId: TurnId,
): Promise<ExplainedTurn> {
  for await (const turn of explainTurns(events, (start) => start.turnId === turnId)) return turn;
  throw new HuddleError('UNKNOWN_TURN', { turnId });
}

/** Rebuilds the prompts of all turns, or of those that are wanted, in the order in which they started. */
export async function* explainTurns(
  events: AnyIterable<RecordedEvent>,
  isWanted: (start: TurnStart) => boolean = () => true,
): AsyncGenerator<ExplainedTurn> {
  const moment = new PastMoment();
  let open: { readonly turn: ExplainedTurn; readonly isOver: boolean }[] = [];
  for await (const event of events) {
    if (event.type === 'turn-start' && isWanted(event))
      open.push({ turn: explainStart(moment, event), isOver: false });
    else if (event.type === 'turn-activity' || event.type === 'turn-end')
      open = open.map(({ turn, isOver }) => ({
        turn: asReceived(turn, event),
        isOver: isOver || (event.type === 'turn-end' && event.turnId === turn.turnId),
      }));
    moment.apply(event);
    while (open[0]?.isOver) yield (open.shift() as (typeof open)[number]).turn;
  }
  for (const { turn } of open) yield turn;
}

/** The turn after one more event of the log, which may tell how the prompt reached the agent. */
export function asReceived(turn: ExplainedTurn, event: RecordedEvent): ExplainedTurn {
  if (event.type !== 'turn-activity' || event.turnId !== turn.turnId || turn.hasSystemInPrompt) return turn;
  if (!isSystemTextInPrompt(event.event)) return turn;
  const output = putSystemTextInPrompt(turn.output);
  const { sections } = turn.plan;
  const totalBytes = utf8Length(output.prompt);
  // A title, and what keeps the rest from reading as one.
  const added = totalBytes - turn.plan.totalBytes;
  const grown = sections && { ...sections, system: (sections.system ?? 0) + added };
  const sent = { ...turn.sent, bytes: turn.sent.bytes + added };
  const plan = { ...turn.plan, totalBytes, sections: grown };
  return { ...turn, sent, output, plan, hasSystemInPrompt: true };
}

/**
 * Makes the prompts of members as if all were asked at the same moment: after event `seq`.
 *
 * @throws {@link HuddleError} with the code `UNKNOWN_MEMBER` (as a rejection).
 */
export async function compareViews(
  events: AnyIterable<RecordedEvent>,
  seq: number,
  memberIds: readonly MemberId[],
): Promise<MemberViewAt[]> {
  const moment = new PastMoment();
  for await (const event of events) {
    if (event.seq > seq) break;
    moment.apply(event);
  }
  return memberIds.map((memberId) => {
    const profile = moment.profileOf(memberId);
    const session = profile.memory === 'session' ? moment.sessionOf(memberId) : undefined;
    const files = moment.filesFor(memberId, profile, session !== undefined);
    const options = { ...sessionOptions(profile, seenBefore(session)), files };
    return { memberId, profile, ...moment.explain(memberId, profile, options) };
  });
}

/** The prompt as it was made when the turn started. */
export function explainStart(moment: PastMoment, start: TurnStart): ExplainedTurn {
  const { turnId, memberId, prompt: sent } = start;
  const profile = moment.profileOf(memberId);
  const { about, lastSeenMessageId: lastSeen, afterCutOff: wasCutOff } = sent;
  const missed = moment.sessionOf(memberId)?.missed;
  const files = moment.filesFor(memberId, profile, sent.session !== 'new');
  const seen = { lastSeen, missed, wasCutOff, knowsTask: sent.omitsTask };
  const { omitsSystemText } = sent;
  const options = turnOptions(profile, start, { about, files, ...seen, omitsSystemText });
  const explained = moment.explain(memberId, profile, options, sent.nonce);
  const isExact = measurePrompt(explained.output).sha256 === sent.sha256;
  const facts = { turnId, memberId, profile, sent, isExact, hasSystemInPrompt: false };
  return { ...facts, lastSeenMessageId: lastSeen ?? null, ...explained };
}

/** A conversation as it was at one moment of its log. */
export class PastMoment {
  readonly #context = new ContextManager({ logger: {}, nonce: () => this.#nonce });
  readonly #profiles = new Map<MemberId, MemberProfile>();
  #status = INITIAL_STATUS;
  #nonce = NO_NONCE;

  apply(fact: ConversationFact): void {
    this.#status = applyToStatus(this.#status, fact);
    if (fact.type === 'message-added') this.#context.restoreMessage(fact.message);
    if (fact.type === 'task-changed') this.#context.setTeamTask(fact.task);
    if (fact.type === 'profile-changed') this.#profiles.set(fact.memberId, fact.profile);
  }

  profileOf(memberId: MemberId): MemberProfile {
    const profile = this.#profiles.get(memberId);
    if (profile === undefined) throw new HuddleError('UNKNOWN_MEMBER', { memberId });
    return profile;
  }

  sessionOf(memberId: MemberId): MemberSession | undefined {
    return this.#status.memory.sessions.get(memberId);
  }

  filesFor(memberId: MemberId, profile: MemberProfile, isContinued: boolean): string | undefined {
    return tellFiles(this.#status.changes, { memberId, profile, isContinued });
  }

  explain(
    memberId: MemberId,
    profile: MemberProfile,
    options: ContextOptions,
    nonce = NO_NONCE,
  ): ExplainedPrompt {
    this.#nonce = nonce;
    return this.#context.explainPrompt(memberId, promptTypeOf(profile), options);
  }
}
