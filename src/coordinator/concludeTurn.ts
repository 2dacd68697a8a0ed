import { type ConversationStatus, endsSession } from '../conversation/ConversationStatus.js';
import { hasLostSession } from '../conversation/memberSession.js';
import { priceUsage } from '../conversation/usage.js';
import type { TurnUsage } from '../models/AgentEvent.js';
import type {
  ConversationFact,
  Notice,
  QueuedTurn,
  SentPrompt,
  TurnEnd,
} from '../models/ConversationEvent.js';
import type { PromptBudgetError } from '../models/errors.js';
import type { MemberId, MessageId } from '../models/ids.js';
import { priceNameOf } from '../models/knownPrograms.js';
import type { AgentMember, ModelPrice, Team } from '../models/Team.js';
import type { TurnOutcome } from '../models/TurnOutcome.js';
import { resendAfterLostSession } from '../routing/queueTurns.js';
import { awaitLastHuman } from '../routing/routeMessage.js';
import { requireAgent } from '../routing/teamMembers.js';
import type { Claim } from '../store/Store.js';
import { isBlank } from '../utils/isBlank.js';
import { prepareCheckMessage } from './checkMessage.js';
import { prepareMessage, type RoutingInput } from './prepareMessage.js';

/** The result of one run of an agent. */
export interface FinishedTurn {
  readonly outcome: TurnOutcome;
  readonly sessionId?: string | undefined;
  readonly sessionMark?: string | undefined;
  readonly holdsPrompt?: boolean | undefined;
  readonly usage?: TurnUsage;
  readonly sessionTotals?: TurnUsage;
  /** Some of its usage cannot be true. */
  readonly isDoubtful?: true;
}

/** A turn whose outcome is known. */
export interface EndedTurn extends FinishedTurn {
  readonly turn: QueuedTurn;
  readonly member: AgentMember;
  readonly milliseconds: number;
  /** The agent's own session it ran in. */
  readonly session: SentPrompt['session'];
  /** The report of a worker that its end came in. */
  readonly claim?: Claim | undefined;
}

/** Everything that follows from the end of a turn. One that leaves no message leaves it to a person. */
export function concludeTurn(
  ended: EndedTurn,
  moment: RoutingInput,
  status: ConversationStatus,
): ConversationFact[] {
  const { outcome, member, turn } = ended;
  const { team, state } = moment;
  const doubts = noteDoubtfulUsage(ended);
  if (outcome.kind === 'completed' && !isBlank(outcome.text)) {
    const { text: content, exitCode } = outcome;
    const { turnId, checks } = turn;
    const { message, facts } =
      checks === undefined
        ? prepareMessage({ content, speaker: member, turnId }, moment)
        : prepareCheckMessage({ content, member, turn, exitCode }, moment);
    return [endOf(ended, message.id, team.prices), ...doubts, ...facts];
  }
  const end = endOf(ended, null, team.prices);
  if (hasLostSession(ended.session, end))
    return [
      markResent(end),
      ...doubts,
      noteRefusedSession(member.id, status),
      resendAfterLostSession(turn, state.turnCount),
    ];
  const facts = [end, ...doubts, ...noteLostSession(member.id, status, end)];
  if (outcome.kind === 'cancelled') return facts;
  if (outcome.kind === 'interrupted' && member.runsOn !== undefined)
    facts.push({ type: 'notice', code: 'worker-lost', memberId: member.id, worker: member.runsOn });
  if (outcome.kind === 'completed') facts.push({ type: 'notice', code: 'empty-reply', memberId: member.id });
  return [...facts, ...awaitLastHuman(team, state)];
}

/** Says that an agent did not continue its session, or took no copy of an inherited one. */
function noteRefusedSession(memberId: MemberId, { memory }: ConversationStatus): Notice {
  if (memory.sessions.get(memberId)?.inherited !== undefined)
    return { type: 'notice', code: 'session-not-forked', memberId };
  return { type: 'notice', code: 'session-lost', memberId, because: 'refused' };
}

/** Says so when the session of a member is given up, because it is unclear what it holds of a turn that was cut off. */
export function noteLostSession(
  memberId: MemberId,
  status: ConversationStatus,
  end: TurnEnd,
): ConversationFact[] {
  if (!endsSession(status, end)) return [];
  return [{ type: 'notice', code: 'session-lost', memberId, because: 'cut-off' }];
}

/** Marks a turn that is retried at once, about which people have nothing to do. */
function markResent(end: TurnEnd): TurnEnd {
  const { result } = end;
  if (result.kind !== 'failed') return end;
  return { ...end, result: { ...result, failure: { ...result.failure, isResent: true } } };
}

/** A turn that was never started, because what must be sent does not fit. */
export function refuseTurn(
  turn: QueuedTurn,
  member: AgentMember,
  { maxBytes, neededBytes, sections }: PromptBudgetError,
): EndedTurn {
  const budget = { maxBytes, neededBytes, sections };
  const failure = { code: 'PROMPT_BUDGET', reason: 'prompt-budget', ...budget } as const;
  return { turn, member, session: 'new', milliseconds: 0, outcome: { kind: 'failed', failure, draft: '' } };
}

/** A turn that a person stopped before it started. */
export function stopTurn(turn: QueuedTurn, team: Team): EndedTurn {
  const outcome = { kind: 'cancelled', draft: '' } as const;
  return { turn, member: requireAgent(team, turn.memberId), session: 'new', milliseconds: 0, outcome };
}

/** Once a turn, however often the agent reported. */
function noteDoubtfulUsage({ member, isDoubtful }: EndedTurn): ConversationFact[] {
  return isDoubtful ? [{ type: 'notice', code: 'usage-unknown', memberId: member.id }] : [];
}

/** `messageId` is the message that the answer became. */
function endOf(
  { turn, member, milliseconds, outcome, usage, sessionTotals, ...finished }: EndedTurn,
  messageId: MessageId | null,
  prices: readonly ModelPrice[],
): TurnEnd {
  const { sessionId, sessionMark, holdsPrompt } = finished;
  const isCompleted = outcome.kind === 'completed';
  return {
    type: 'turn-end',
    turnId: turn.turnId,
    memberId: member.id,
    result: resultOf(outcome, member, messageId),
    milliseconds,
    exitCode: isCompleted ? outcome.exitCode : undefined,
    usage: usage && { ...priceUsage(usage, priceNameOf(member), prices), sessionTotals },
    sessionId,
    sessionMark,
    sessionHoldsPrompt: isCompleted ? undefined : holdsPrompt,
  };
}

function resultOf(
  outcome: TurnOutcome,
  { runsOn }: AgentMember,
  messageId: MessageId | null,
): TurnEnd['result'] {
  if (outcome.kind === 'completed') return { kind: 'completed', messageId };
  return outcome.kind === 'interrupted' && runsOn !== undefined ? { ...outcome, worker: runsOn } : outcome;
}
