import { english } from '../catalogue/english.js';
import { hasWork } from '../conversation/questions.js';
import { describeStanding } from '../frontends/print/describeStanding.js';
import { sanitizeToOneLine } from '../utils/sanitize.js';
import { type CliContext, print, say } from './CliContext.js';
import { EXIT_CODES } from './exitCodes.js';
import { loadSession } from './loadSession.js';
import { withSession } from './sessions.js';

/** Says where a stored conversation stands and how to go on, and changes nothing. */
export async function showStatus(wanted: string | undefined, context: CliContext): Promise<number> {
  const session = await withSession(wanted, context, loadSession);
  const { id, messages, title, state } = session.summary;
  const { continuing, toContinue, toRetry, openNow } = english.sessions;
  print(context, continuing(id, messages, title));
  if (state === 'open') {
    print(context, openNow);
    return EXIT_CODES.done;
  }
  for (const line of describeStanding(session.status, session.nameOf))
    print(context, sanitizeToOneLine(line));
  if (hasWork(session.status.state)) say(context, toRetry(id));
  say(context, toContinue(id));
  return EXIT_CODES.done;
}
