import { type Agenda, applyToAgenda, EMPTY_AGENDA } from '../conversation/Agenda.js';
import type { PermissionRequestEvent } from '../models/AgentEvent.js';
import type {
  ConversationEvent,
  MemberSummary,
  PermissionDecided,
  QueuedTurn,
  RecordedEvent,
  RecordedUsage,
  TurnActivity,
  TurnResult,
} from '../models/ConversationEvent.js';
import type { ConversationMessage } from '../models/ConversationMessage.js';
import { findMember } from '../models/findMember.js';
import type { MemberId, TurnId } from '../models/ids.js';
import { amountIn, tokensIn } from '../models/usageFigures.js';

/** A turn that is over. */
export interface ShownTurn {
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
  readonly turns: readonly ShownTurn[];
  readonly permissions: readonly PermissionRecord[];
  readonly agenda: Agenda;
}

export const EMPTY_VIEW: ConversationView = {
  conversationId: '',
  teamName: '',
  isRehearsal: false,
  members: [],
  messages: [],
  turns: [],
  permissions: [],
  agenda: EMPTY_AGENDA,
};

/** The view after one more event. */
export function applyToView(view: ConversationView, event: ConversationEvent): ConversationView {
  if (event.type === 'turn-progress') return view;
  return applyRecorded({ ...view, agenda: applyToAgenda(view.agenda, event) }, event);
}

function applyRecorded(view: ConversationView, event: RecordedEvent): ConversationView {
  switch (event.type) {
    case 'conversation-start': {
      const { conversationId, team, isRehearsal } = event;
      return { ...view, conversationId, isRehearsal, teamName: team.name, members: team.members };
    }
    case 'message-added':
      return { ...view, messages: [...view.messages, event.message] };
    case 'turns-queued':
      return { ...view, turns: markRetried(view.turns, event.turns) };
    case 'turn-end': {
      const { turnId, memberId, result, milliseconds, usage } = event;
      const turn: ShownTurn = { turnId, memberId, result, milliseconds, ...(usage && { usage }) };
      return { ...view, turns: [...view.turns, turn] };
    }
    case 'turn-activity':
      return event.event.type === 'permission-request' ? addPermission(view, event, event.event) : view;
    case 'permission-decided':
      return { ...view, permissions: view.permissions.map((record) => decideOne(record, event)) };
    case 'task-changed':
    case 'profile-changed':
    case 'turns-dropped':
    case 'turn-start':
    case 'waiting-for-human':
    case 'conversation-pause':
    case 'conversation-resume':
    case 'notice':
      return view;
  }
}

function markRetried(turns: readonly ShownTurn[], queued: readonly QueuedTurn[]): readonly ShownTurn[] {
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

export function nameOf(view: ConversationView, id: string): string {
  return findMember(view, id)?.name ?? id;
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
