import type { Conversation } from '../coordinator/Conversation.js';
import type { PersonAct } from './PlayStep.js';

/** Does again what a person did. It is recorded at once; resolves when the conversation says so. */
export function performAct(conversation: Conversation, act: PersonAct): Promise<unknown> {
  switch (act.kind) {
    case 'say': {
      const { content, speaker, via } = act.event.message;
      return conversation.send(content, { ...findPerson(conversation, speaker.roleId), via });
    }
    case 'decide': {
      const { requestId, decision, by } = act.event;
      const as = by.kind === 'person' ? findPerson(conversation, by.memberId) : {};
      return conversation.answerPermission(requestId, decision === 'allowed' ? 'allow' : 'deny', as);
    }
    case 'rename':
      return conversation.rename(act.title);
    case 'cancel':
      return conversation.cancel({ drop: act.drop });
    default:
      return conversation[act.kind]();
  }
}

/** A person that is not in the team any more is played by the first one. */
function findPerson({ team }: Conversation, id: string): { readonly as?: string } {
  const person = team.members.find((member) => member.type === 'human' && member.id === id);
  return person === undefined ? {} : { as: person.name };
}
