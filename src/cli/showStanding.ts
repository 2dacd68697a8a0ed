import { english } from '../catalogue/english.js';
import { hasWork } from '../conversation/questions.js';
import { describeStanding } from '../frontends/print/describeStanding.js';
import { sanitizeToOneLine } from '../utils/sanitize.js';
import { EXIT_CODES } from './exitCodes.js';
import { loadSession } from './loadSession.js';
import { print, type Surroundings, say } from './Surroundings.js';
import { withSession } from './sessions.js';

/** Says where a stored conversation stands and how to go on, and changes nothing. */
export async function showStanding(wanted: string | undefined, surroundings: Surroundings): Promise<number> {
  const session = await withSession(wanted, surroundings, loadSession);
  const { id, messages, title, state } = session.summary;
  const { continuing, toContinue, toRetry, openNow } = english.sessions;
  print(surroundings, continuing(id, messages, title));
  if (state === 'open') {
    print(surroundings, openNow);
    return EXIT_CODES.done;
  }
  for (const line of describeStanding(session.standing, session.nameOf))
    print(surroundings, sanitizeToOneLine(line));
  if (hasWork(session.standing.state)) say(surroundings, toRetry(id));
  say(surroundings, toContinue(id));
  return EXIT_CODES.done;
}
