import { english } from '../catalogue/english.js';
import { describeStanding } from '../frontends/print/describeStanding.js';
import { sanitizeToOneLine } from '../utils/sanitize.js';
import { EXIT_CODES } from './exitCodes.js';
import { loadSession } from './loadSession.js';
import { print, type Surroundings, say } from './Surroundings.js';
import { withSession } from './sessions.js';

/** Says where a stored conversation stands and how to go on, and changes nothing. */
export async function showStanding(wanted: string | undefined, surroundings: Surroundings): Promise<number> {
  const { summary, standing, nameOf } = await withSession(wanted, surroundings, loadSession);
  const { id, messages, title } = summary;
  const { goesOn, toGoOn, toRetry } = english.sessions;
  print(surroundings, goesOn(id, messages, title));
  for (const line of describeStanding(standing, nameOf)) print(surroundings, sanitizeToOneLine(line));
  const { memory, state } = standing;
  const hasWork = memory.openTurns.length + memory.unfinished.length + state.queue.length > 0;
  if (hasWork) say(surroundings, toRetry(id));
  say(surroundings, toGoOn(id));
  return EXIT_CODES.done;
}
