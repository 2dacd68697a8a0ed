import type { ConversationFact } from '../models/ConversationEvent.js';
import type { AgentMember } from '../models/Team.js';
import type { PreparedPrompt } from './preparePrompt.js';

/** `[Debug][Send]` and, when something was left out, `[Debug][Trim]`. */
export function describeSend({ name }: AgentMember, { output, historyLength }: PreparedPrompt): string {
  const { prompt, systemFlag, trim } = output;
  const lines = [
    `[Debug][Send] to ${name}`,
    ...(systemFlag === undefined ? [] : [`(system) ${systemFlag}`]),
    prompt,
  ];
  if (trim !== undefined) {
    const { droppedMessages, droppedFiles, cutBytes, sections } = trim;
    const files = droppedFiles ? '; FILES left out' : '';
    const cut = cutBytes > 0 ? `; MESSAGE cut to ${sections.message} bytes` : '';
    const kept = historyLength - droppedMessages;
    lines.push(`[Debug][Trim] CONTEXT kept ${kept} of ${historyLength} messages${files}${cut}`);
  }
  return lines.join('\n');
}

/** `[Debug][Route]`: a message and what follows from it. */
export function describeRoute(facts: readonly ConversationFact[]): string {
  return `[Debug][Route] ${facts.map(describeFact).join('; ')}`;
}

function describeFact(fact: ConversationFact): string {
  switch (fact.type) {
    case 'message-added':
      return `${fact.message.id} from ${fact.message.speaker.roleName}`;
    case 'turns-queued':
      return `queued ${fact.turns.map(({ memberId }) => memberId).join(', ')} at the ${fact.place}`;
    case 'waiting-for-human':
      return `waits for ${fact.memberIds.join(', ')}`;
    case 'notice':
      return fact.code;
    default:
      return fact.type;
  }
}
