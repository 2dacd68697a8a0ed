import { summarizeRequest } from '../../../../catalogue/permissionRequests.js';
import { describePause, describeTrouble } from '../../../../catalogue/tellings.js';
import { words } from '../../../../catalogue/words.js';
import type { RecordedEvent } from '../../../../models/ConversationEvent.js';
import { namesIn, type Telling } from '../../../../presentation/Telling.js';
import { sanitizeToOneLine } from '../../../../utils/sanitize.js';
import { announcement } from './alerts.js';
import type { OpenConversation } from './OpenConversation.js';

/** Tells those who listen who answered, who waits for approval, and what failed. */
export function announceEvents({ telling }: OpenConversation, events: readonly RecordedEvent[]): void {
  const said = events.flatMap((event) => describeNews(telling.value, event) ?? []);
  if (said.length > 0) announcement.value = said.join(' ');
}

/** The sentence of an event that people should hear of. */
export function describeNews(telling: Pick<Telling, 'members'>, event: RecordedEvent): string | undefined {
  const nameOf = namesIn(telling);
  switch (event.type) {
    case 'message-added':
      return event.turnId === undefined ? undefined : words.web.answered(event.message.speaker.roleName);
    case 'turn-activity': {
      const { event: activity, memberId } = event;
      if (activity.type !== 'permission-request' || activity.isOpen !== true) return undefined;
      return words.web.waitsForApproval(nameOf(memberId), sanitizeToOneLine(summarizeRequest(activity)));
    }
    case 'turn-end':
      if (event.result.kind === 'completed') return undefined;
      return words.web.heard(describeTrouble(nameOf(event.memberId), event.result).what);
    case 'conversation-pause':
      return describePause(event.reason);
    default:
      return undefined;
  }
}
