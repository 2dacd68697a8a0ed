import { english } from '../../catalogue/english.js';
import type { Conversation } from '../../coordinator/Conversation.js';
import { findInput } from '../readMessage.js';
import { resumeSession } from '../resumeSession.js';
import { type Surroundings, say } from '../Surroundings.js';
import { showStanding } from '../showStanding.js';
import { PATIENCE_SECONDS, type StartOptions } from './start.js';
import { canTalk, resumeTalk } from './talk.js';

/** `huddle -c`: goes on with the latest session of this folder, by talking or with what is on standard input; else says where it stands. */
export async function continueLatest(
  surroundings: Surroundings,
  options: StartOptions = {},
): Promise<number> {
  if (canTalk(surroundings)) return resumeTalk(options, surroundings);
  const input = await findInput(surroundings, PATIENCE_SECONDS * 1000);
  if (input.kind === 'message') {
    const { message } = input;
    const begin = (conversation: Conversation) => conversation.send(message);
    return resumeSession({ outputFormat: 'text', nested: options.nested, begin }, surroundings);
  }
  if (input.kind === 'silent') say(surroundings, english.sessions.nothingOnInput(PATIENCE_SECONDS));
  return showStanding(undefined, surroundings);
}
