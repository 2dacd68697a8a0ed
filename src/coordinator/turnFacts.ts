import { english } from '../catalogue/english.js';
import type { AssemblerOutput } from '../context/types.js';
import type { ConversationFact, QueuedTurn, RecordedUsage, TurnResult } from '../models/ConversationEvent.js';
import type { PromptBudgetError } from '../models/errors.js';
import type { MessageId } from '../models/ids.js';
import type { AgentMember, ModelPrice } from '../models/Team.js';
import type { TurnOutcome } from '../models/TurnOutcome.js';
import { priceUsage } from './ledger.js';
import type { FinishedTurn } from './runTurn.js';

/** What is written down about the end of a turn; `messageId` is the message its answer became. */
export function endTurn(
  member: AgentMember,
  { turnId }: QueuedTurn,
  finished: FinishedTurn,
  {
    milliseconds,
    messageId,
    prices,
  }: {
    readonly milliseconds: number;
    readonly messageId: MessageId | null;
    readonly prices: readonly ModelPrice[];
  },
): ConversationFact[] {
  const { outcome, sessionId } = finished;
  const usage = recordUsage(finished, member, prices);
  const end: ConversationFact = {
    type: 'turn-end',
    turnId,
    memberId: member.id,
    result: resultOf(outcome, messageId),
    milliseconds,
    ...(usage && { usage }),
    ...(sessionId !== undefined && { sessionId }),
  };
  if (outcome.kind !== 'completed' || messageId !== null) return [end];
  return [
    end,
    { type: 'notice', code: 'empty-reply', text: english.emptyReply(member.name), memberId: member.id },
  ];
}

/** Said when the message itself had to be cut; that old messages are left out is everyday. */
export function noteTrim({ id, name }: AgentMember, { trim }: AssemblerOutput): ConversationFact[] {
  if (trim === undefined || trim.cutBytes === 0) return [];
  return [
    {
      type: 'notice',
      code: 'prompt-trimmed',
      text: english.promptTrimmed(name, trim.cutBytes),
      memberId: id,
    },
  ];
}

/** A turn that was never started, because what must be sent does not fit. */
export function refuseTurn({ turnId, memberId }: QueuedTurn, error: PromptBudgetError): ConversationFact[] {
  const failure = {
    code: 'PROMPT_BUDGET',
    message: error.message,
    hint: english.promptBudgetHint(),
  } as const;
  return [
    { type: 'turns-dropped', turnIds: [turnId] },
    { type: 'turn-end', turnId, memberId, result: { kind: 'failed', failure, draft: '' }, milliseconds: 0 },
  ];
}

function resultOf(outcome: TurnOutcome, messageId: MessageId | null): TurnResult {
  return outcome.kind === 'completed' ? { kind: 'completed', messageId } : outcome;
}

function recordUsage(
  { usage, sessionTotals }: FinishedTurn,
  { model }: AgentMember,
  prices: readonly ModelPrice[],
): RecordedUsage | undefined {
  if (usage === undefined) return undefined;
  return { ...priceUsage(usage, model, prices), ...(sessionTotals && { sessionTotals }) };
}
