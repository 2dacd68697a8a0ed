import type { Conversation } from '../../coordinator/Conversation.js';
import { findMessage } from '../readMessage.js';
import { resumeSession } from '../resumeSession.js';
import type { Surroundings } from '../Surroundings.js';
import { showStanding } from '../showStanding.js';
import type { StartFlags } from './start.js';
import { canTalk, resumeTalk } from './talk.js';

/** `huddle -c`: goes on with the latest session of this folder, by talking or with what is on standard input; else says where it stands. */
export async function continueLatest(surroundings: Surroundings, options: StartFlags = {}): Promise<number> {
  if (canTalk(surroundings)) return resumeTalk(options, surroundings);
  const message = await findMessage(surroundings);
  if (message === undefined) return showStanding(undefined, surroundings);
  const begin = (conversation: Conversation) => conversation.send(message);
  return resumeSession({ outputFormat: 'text', nested: options.nested, begin }, surroundings);
}
