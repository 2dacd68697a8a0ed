import type { ConversationFact, QueuedTurn, TurnEnd } from '../../src/models/ConversationEvent.js';
import type { ConversationId, MemberId, MessageId, TurnId } from '../../src/models/ids.js';
import type { Store } from '../../src/store/Store.js';
import type { ConversationSummary } from '../../src/store/summary.js';

export const ID = '20261115-0212-9f3c' as ConversationId;
export const OTHER_ID = '20261115-0213-aaaa' as ConversationId;

/** The beginning of a conversation; `others` are people of its team besides kailai. */
export function start(conversationId: ConversationId = ID, ...others: readonly string[]): ConversationFact {
  return {
    type: 'conversation-start',
    conversationId,
    team: {
      name: 'auth-squad',
      members: [
        ...['kailai', ...others].map((name) => ({ id: name as MemberId, name, type: 'human' as const })),
        { id: 'max' as MemberId, name: 'max', type: 'ai', agentType: 'claude-code', permission: 'read' },
      ],
    },
    isRehearsal: false,
  };
}

export function message(number: number, content = `Message ${number}`, by = 'kailai'): ConversationFact {
  return {
    type: 'message-added',
    message: {
      id: `msg-${number}` as MessageId,
      content,
      speaker: { roleId: by, roleName: by, type: by === 'kailai' ? 'human' : 'ai' },
      timestamp: 1_000 + number,
    },
  };
}

export function queued(number: number, parts: Partial<QueuedTurn> = {}): ConversationFact {
  return {
    type: 'turns-queued',
    turns: [
      {
        turnId: turnId(number),
        memberId: 'max' as MemberId,
        triggeredBy: `msg-${number}` as MessageId,
        ...parts,
      },
    ],
    place: 'front',
  };
}

export function turnStart(number: number): ConversationFact {
  return {
    type: 'turn-start',
    turnId: turnId(number),
    memberId: 'max' as MemberId,
    triggeredBy: `msg-${number}` as MessageId,
    prompt: { bytes: 10, sha256: '00', latestMessageId: `msg-${number}` as MessageId, session: 'new' },
  };
}

export function turnEnd(number: number): TurnEnd {
  return {
    type: 'turn-end',
    turnId: turnId(number),
    memberId: 'max' as MemberId,
    result: { kind: 'completed', messageId: `msg-${number + 1}` as MessageId },
    milliseconds: 5,
  };
}

function turnId(number: number): TurnId {
  return `turn-${number}` as TurnId;
}

/** Everything in a store that holds little. */
export async function listAll(store: Store): Promise<readonly ConversationSummary[]> {
  return (await store.list({ limit: 1000 })).summaries;
}
