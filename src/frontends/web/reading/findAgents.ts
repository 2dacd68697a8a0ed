import type { MemberId } from '../../../models/ids.js';
import type { MembersShown, ShownAgent } from '../wire.js';
import type { ReadEvents } from './ReadingQuestion.js';

/** Finds out how the agents of a conversation are set up now: their last profiles, and the models that they reported since. */
export async function findAgents(read: ReadEvents): Promise<MembersShown> {
  const agents = new Map<MemberId, ShownAgent>();
  for await (const event of read()) {
    if (event.type === 'profile-changed') {
      const { memberId, profile, settings } = event;
      const { memory, window, visibility, maxBytes } = profile;
      agents.set(memberId, {
        ...{ memberId, memory, window, visibility, maxBytes },
        ...(settings?.model !== undefined && { model: settings.model }),
        ...(settings && { permission: settings.permission }),
        ...(settings?.workspace === 'copy' && { isInCopy: true }),
      });
    }
    if (event.type !== 'turn-activity' || event.event.type !== 'session') continue;
    const [known, { model }] = [agents.get(event.memberId), event.event];
    if (known !== undefined && model !== undefined) agents.set(event.memberId, { ...known, model });
  }
  return { agents: [...agents.values()] };
}
