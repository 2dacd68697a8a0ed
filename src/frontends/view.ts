import type { PermissionRequestEvent } from '../models/AgentEvent.js';
import type {
  ConversationEvent,
  MemberSummary,
  PauseReason,
  PermissionDecided,
  QueuedTurn,
  RecordedUsage,
  TurnActivity,
  TurnResult,
} from '../models/ConversationEvent.js';
import type { ConversationMessage } from '../models/ConversationMessage.js';
import type { MemberId, TurnId } from '../models/ids.js';
import { amountIn, tokensIn } from '../models/usageFigures.js';

/** A turn that is over. */
export interface EndedTurn {
  readonly turnId: TurnId;
  readonly memberId: MemberId;
  readonly result: TurnResult;
  readonly milliseconds: number;
  readonly usage?: RecordedUsage;
  /** It did not complete and was asked for again: what counts is how that ended. */
  readonly isRetried?: boolean;
}

/** What an agent asked permission for, and what came of it; nothing yet, when it is not decided. */
export interface PermissionRecord
  extends Omit<PermissionRequestEvent, 'type' | 'isOpen'>,
    Partial<Pick<PermissionDecided, 'decision' | 'by'>> {
  readonly turnId: TurnId;
  readonly memberId: MemberId;
}

/** What people are shown of a conversation: folded from its events and nothing else. */
export interface ConversationView {
  readonly conversationId: string;
  readonly teamName: string;
  readonly isRehearsal: boolean;
  readonly members: readonly MemberSummary[];
  readonly messages: readonly ConversationMessage[];
  readonly turns: readonly EndedTurn[];
  readonly permissions: readonly PermissionRecord[];
  readonly queue: readonly QueuedTurn[];
  /** Some agent was to be asked. */
  readonly hasQueued: boolean;
  readonly pause: PauseReason | null;
  /** Members of the team an agent has asked for by name, and nobody answered. */
  readonly awaited: readonly MemberId[];
}

export const EMPTY_VIEW: ConversationView = {
  conversationId: '',
  teamName: '',
  isRehearsal: false,
  members: [],
  messages: [],
  turns: [],
  permissions: [],
  queue: [],
  hasQueued: false,
  pause: null,
  awaited: [],
};

/** The view after one more event. */
export function applyEvent(view: ConversationView, event: ConversationEvent): ConversationView {
  switch (event.type) {
    case 'conversation-start': {
      const { conversationId, team, isRehearsal } = event;
      return { ...view, conversationId, isRehearsal, teamName: team.name, members: team.members };
    }
    case 'message-added':
      return {
        ...view,
        messages: [...view.messages, event.message],
        awaited: event.message.speaker.type === 'human' ? [] : view.awaited,
      };
    case 'turns-queued':
      return {
        ...view,
        hasQueued: true,
        turns: markRetried(view.turns, event.turns),
        queue: event.place === 'front' ? [...event.turns, ...view.queue] : [...view.queue, ...event.turns],
      };
    case 'turns-dropped':
      return { ...view, queue: view.queue.filter(({ turnId }) => !event.turnIds.includes(turnId)) };
    case 'turn-start':
      return { ...view, queue: view.queue.filter(({ turnId }) => turnId !== event.turnId) };
    case 'turn-end': {
      const { turnId, memberId, result, milliseconds, usage } = event;
      const turn: EndedTurn = { turnId, memberId, result, milliseconds, ...(usage && { usage }) };
      return { ...view, turns: [...view.turns, turn] };
    }
    case 'turn-activity':
      return event.event.type === 'permission-request' ? addPermission(view, event, event.event) : view;
    case 'permission-decided':
      return { ...view, permissions: view.permissions.map((record) => decideOne(record, event)) };
    case 'human-awaited':
      return { ...view, awaited: event.named ? event.memberIds : [] };
    case 'conversation-pause':
      return { ...view, pause: event.reason };
    case 'conversation-resume':
      return { ...view, pause: null };
    case 'task-changed':
    case 'brief-changed':
    case 'turn-progress':
    case 'notice':
      return view;
  }
}

function markRetried(turns: readonly EndedTurn[], queued: readonly QueuedTurn[]): readonly EndedTurn[] {
  const retried = new Set(queued.map(({ retryOf }) => retryOf));
  if (!turns.some(({ turnId }) => retried.has(turnId))) return turns;
  return turns.map((turn) => (retried.has(turn.turnId) ? { ...turn, isRetried: true } : turn));
}

function addPermission(
  view: ConversationView,
  { turnId, memberId }: TurnActivity,
  { type, isOpen, ...request }: PermissionRequestEvent,
): ConversationView {
  return { ...view, permissions: [...view.permissions, { ...request, turnId, memberId }] };
}

function decideOne(
  record: PermissionRecord,
  { requestId, decision, by }: PermissionDecided,
): PermissionRecord {
  return record.requestId === requestId ? { ...record, decision, by } : record;
}

export function findMember({ members }: ConversationView, id: string): MemberSummary | undefined {
  return members.find((member) => member.id === id);
}

export function nameOf(view: ConversationView, id: string): string {
  return findMember(view, id)?.name ?? id;
}

/** How a conversation that has come to its end ended, the most pressing thing first. */
export type ConversationOutcome =
  | 'cancelled'
  | 'limit'
  | 'not-logged-in'
  | 'agent-missing'
  | 'failed'
  | 'waiting'
  | 'no-recipient'
  | 'done';

export function outcomeOf(view: ConversationView): ConversationOutcome {
  const { pause, awaited } = view;
  const turns = view.turns.filter(({ isRetried }) => isRetried !== true);
  const failures = turns.flatMap(({ result }) => (result.kind === 'failed' ? [result.failure.code] : []));
  const nothingWorked = turns.every(({ result }) => result.kind !== 'completed');
  if (pause?.kind === 'limit') return 'limit';
  if (pause !== null) return 'cancelled';
  if (failures.includes('AUTH')) return 'not-logged-in';
  if (nothingWorked && failures.includes('AGENT_MISSING')) return 'agent-missing';
  if (turns.some(({ result }) => result.kind !== 'completed')) return 'failed';
  if (awaited.length > 0) return 'waiting';
  return isAddressedToNobody(view) ? 'no-recipient' : 'done';
}

/** Somebody said something, and no agent was to answer it. */
function isAddressedToNobody({ messages, turns, hasQueued }: ConversationView): boolean {
  return messages.length > 0 && turns.length === 0 && !hasQueued;
}

/** What all turns took together. */
export interface UsageTotals {
  readonly turns: number;
  readonly milliseconds: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly usd: number;
  /** Some of `usd` is worked out from the prices of the team file. */
  readonly isEstimated: boolean;
  /** Members that spent tokens at a price nobody knows; `usd` is without them. */
  readonly unpriced: readonly MemberId[];
}

export function totalsOf({ turns }: ConversationView): UsageTotals {
  const used = turns.flatMap(({ usage }) => usage ?? []);
  const unpriced = turns.filter(({ usage }) => usage?.price === 'unknown').map(({ memberId }) => memberId);
  return {
    turns: turns.length,
    milliseconds: sum(turns.map(({ milliseconds }) => milliseconds)),
    inputTokens: sum(used.map(({ inputTokens }) => tokensIn(inputTokens))),
    outputTokens: sum(used.map(({ outputTokens }) => tokensIn(outputTokens))),
    usd: sum(used.map(({ usd }) => amountIn(usd))),
    isEstimated: used.some(({ price }) => price === 'estimated'),
    unpriced: [...new Set(unpriced)],
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
