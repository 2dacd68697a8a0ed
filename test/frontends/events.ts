import type { ConversationEvent, ConversationFact, TurnResult } from '../../src/models/ConversationEvent.js';
import type { ConversationId, MemberId, MessageId, TurnId } from '../../src/models/ids.js';
import { failureOf } from '../failureOf.js';

export const kim = 'kim' as MemberId;
export const max = 'max' as MemberId;
export const sarah = 'sarah' as MemberId;
export const turn = (number: number) => `turn-${number}` as TurnId;

export function started(permission: 'read' | 'full' = 'read'): ConversationEvent {
  return record({
    type: 'conversation-start',
    conversationId: 'c' as ConversationId,
    isRehearsal: false,
    team: {
      name: 'team',
      members: [
        { id: kim, name: 'kim', type: 'human' },
        { id: max, name: 'max', type: 'ai', agentType: 'claude-code', permission },
        { id: sarah, name: 'sarah', type: 'ai', agentType: 'openai-codex', permission: 'read' },
      ],
    },
  });
}

export function said(speaker: MemberId, content: string, turnId?: TurnId): ConversationEvent {
  const type = speaker === kim ? 'human' : 'ai';
  return record({
    type: 'message-added',
    message: {
      id: 'msg-1' as MessageId,
      content,
      timestamp: 0,
      speaker: { roleId: speaker, roleName: speaker, type },
    },
    ...(turnId && { turnId }),
  });
}

export function turnStarted(turnId: TurnId, memberId: MemberId): ConversationEvent {
  const prompt = { bytes: 1, sha256: '', latestMessageId: 'msg-1' as MessageId, session: 'new' } as const;
  return record({ type: 'turn-start', turnId, memberId, triggeredBy: 'msg-1' as MessageId, prompt });
}

export function turnEnded(turnId: TurnId, memberId: MemberId, result: TurnResult): ConversationEvent {
  return { ...record({ type: 'turn-end', turnId, memberId, result, milliseconds: 1000 }), at: 1000 };
}

export function failedWith(code: 'AUTH' | 'AGENT_MISSING' | 'AGENT_ERROR', draft = ''): TurnResult {
  return { kind: 'failed', draft, failure: failureOf(code) };
}

export const completed: TurnResult = { kind: 'completed', messageId: 'msg-2' as MessageId };

export function record(fact: ConversationFact): ConversationEvent {
  return { ...fact, v: 1, seq: 1, at: 0 };
}
