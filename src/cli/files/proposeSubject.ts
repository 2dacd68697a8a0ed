import type { FileUnit } from '../../files/changes/fileHistory.js';
import { cleanMessage } from '../../markers/parseMessage.js';
import type { RecordedEvent } from '../../models/ConversationEvent.js';
import { asksTeam } from '../../models/ConversationMessage.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';

/** As long as git likes a subject to be at most. */
const LONGEST_SUBJECT = 72;

/** Proposes a subject for a commit: the beginning of what a person last said before the first of these units. */
export async function proposeSubject(
  events: AsyncIterable<RecordedEvent>,
  [first]: readonly FileUnit[],
): Promise<string> {
  let asked = '';
  for await (const event of events) {
    if (event.type === 'message-added' && asksTeam(event.message)) asked = event.message.content;
    if (event.type === 'turn-start' && first?.names.includes(event.turnId)) break;
  }
  const text = cleanMessage(asked, 'human').replace(/^(?:\s*@[\p{L}\p{N}_-]+[,:]?)+\s*/u, '');
  const [line = ''] = text.trim().split('\n');
  return shorten(sanitizeToOneLine(line).trim());
}

/** Cuts between words. */
function shorten(line: string): string {
  if (line.length <= LONGEST_SUBJECT) return line;
  const head = line.slice(0, LONGEST_SUBJECT - 1).toWellFormed();
  const end = head.lastIndexOf(' ');
  return `${end > LONGEST_SUBJECT / 2 ? head.slice(0, end) : head}…`;
}
