import type { AssemblerOutput } from '../context/types.js';
import type { OpenTurn } from '../conversation/Agenda.js';
import { type ConversationStatus, endsSession } from '../conversation/ConversationStatus.js';
import { hasLostSession } from '../conversation/memberSession.js';
import { priceUsage } from '../conversation/usage.js';
import type {
  ConversationFact,
  Notice,
  QueuedTurn,
  RecordedUsage,
  SentPrompt,
  TurnEnd,
} from '../models/ConversationEvent.js';
import type { PromptBudgetError } from '../models/errors.js';
import type { MemberId, MessageId } from '../models/ids.js';
import { priceNameOf } from '../models/priceNameOf.js';
import type { AgentMember, ModelPrice, Team } from '../models/Team.js';
import type { TurnOutcome } from '../models/TurnOutcome.js';
import { resendAfterLostSession } from '../routing/queueTurns.js';
import { awaitLastHuman } from '../routing/routeMessage.js';
import { agentsOf, requireAgent } from '../routing/teamMembers.js';
import type { Taking } from '../store/Store.js';
import { isBlank } from '../utils/isBlank.js';
import { prepareCheckMessage } from './files/checks.js';
import { prepareMessage, type RoutingInput } from './prepareMessage.js';
import type { FinishedTurn } from './runTurn.js';

/** A turn whose outcome is known. */
export interface EndedTurn extends FinishedTurn {
  readonly turn: QueuedTurn;
  readonly member: AgentMember;
  readonly milliseconds: number;
  /** The agent's own session it ran in. */
  readonly session: SentPrompt['session'];
  /** The report of a worker that its end came in. */
  readonly taking?: Taking | undefined;
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

/** Ends a turn as interrupted: its real end is unknown, so it counts as not done. */
export function endInterrupted({ turnId, memberId, sessionId, sessionHoldsPrompt }: OpenTurn): TurnEnd {
  return {
    type: 'turn-end',
    turnId,
    memberId,
    result: { kind: 'interrupted', draft: '' },
    milliseconds: 0,
    ...(sessionId !== undefined && { sessionId }),
    ...(sessionHoldsPrompt !== undefined && { sessionHoldsPrompt }),
  };
}

/** Notes that the message itself had to be cut. Old messages are often left out, and that is not noted. */
export function noteTrim({ id }: AgentMember, { trim }: AssemblerOutput): ConversationFact[] {
  if (trim === undefined || trim.cutBytes === 0) return [];
  return [{ type: 'notice', code: 'prompt-trimmed', memberId: id, cutBytes: trim.cutBytes }];
}

/** Notes, once, that what turns change on other machines is not recorded here. */
export function noteElsewhere(team: Team, { recording }: ConversationStatus): ConversationFact[] {
  if (team.files?.record === false || recording.reasons.includes('elsewhere')) return [];
  const machines = new Set(agentsOf(team).flatMap(({ runsOn = [] }) => runsOn));
  const detail = [...machines].join(', ');
  return [{ type: 'notice', code: 'files-not-recorded', reason: 'elsewhere', detail }];
}

/** Once a turn, however often the agent reported. */
function noteDoubtfulUsage({ member, isDoubtful }: EndedTurn): ConversationFact[] {
  return isDoubtful ? [{ type: 'notice', code: 'usage-unknown', memberId: member.id }] : [];
}

/** `messageId` is the message that the answer became. */
function endOf(
  { turn, member, milliseconds, ...finished }: EndedTurn,
  messageId: MessageId | null,
  prices: readonly ModelPrice[],
): TurnEnd {
  const { outcome, sessionId, sessionMark, holdsPrompt } = finished;
  const usage = recordUsage(finished, member, prices);
  return {
    type: 'turn-end',
    turnId: turn.turnId,
    memberId: member.id,
    result: resultOf(outcome, member, messageId),
    milliseconds,
    ...(outcome.kind === 'completed' && outcome.exitCode !== undefined && { exitCode: outcome.exitCode }),
    ...(usage && { usage }),
    ...(sessionId !== undefined && { sessionId }),
    ...(sessionMark !== undefined && { sessionMark }),
    ...(outcome.kind !== 'completed' && holdsPrompt !== undefined && { sessionHoldsPrompt: holdsPrompt }),
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

function recordUsage(
  { usage, sessionTotals }: FinishedTurn,
  member: AgentMember,
  prices: readonly ModelPrice[],
): RecordedUsage | undefined {
  if (usage === undefined) return undefined;
  return { ...priceUsage(usage, priceNameOf(member), prices), ...(sessionTotals && { sessionTotals }) };
}
