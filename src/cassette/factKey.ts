import type { ConversationFact } from '../models/ConversationEvent.js';

/** Names a fact so that the same one of another play of the conversation has the same name, whatever else it says. */
export function factKey(fact: ConversationFact): string {
  switch (fact.type) {
    case 'message-added':
      return `${fact.type} ${fact.message.id}`;
    case 'turns-queued':
      return `${fact.type} ${fact.turns.map(({ turnId }) => turnId).join(' ')}`;
    case 'turns-dropped':
      return `${fact.type} ${fact.turnIds.join(' ')}`;
    case 'turn-start':
    case 'turn-end':
      return `${fact.type} ${fact.turnId}`;
    case 'turn-activity': {
      const { event, turnId } = fact;
      const id =
        event.type === 'permission-request' ? event.requestId : 'toolId' in event ? event.toolId : '';
      return `${fact.type} ${turnId} ${event.type} ${id}`;
    }
    case 'permission-decided':
      return `${fact.type} ${fact.requestId}`;
    case 'profile-changed':
      return `${fact.type} ${fact.memberId}`;
    case 'files-recorded':
      return `${fact.type} ${fact.by.kind} ${fact.copyOf ?? ''}`;
    case 'notice':
      return `${fact.type} ${fact.code} ${'memberId' in fact ? fact.memberId : ''} ${'messageId' in fact ? fact.messageId : ''}`;
    case 'conversation-pause':
      return `${fact.type} ${fact.reason.kind}`;
    case 'conversation-start':
    case 'conversation-forked':
    case 'conversation-resume':
    case 'task-changed':
    case 'title-changed':
    case 'waiting-for-human':
      return fact.type;
  }
}
