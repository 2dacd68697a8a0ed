import { words } from '../../../catalogue/words.js';
import type { ConversationMessage } from '../../../models/ConversationMessage.js';

/** Longer ones are pastes rather than something to read again. */
const MOST_LINES = 30;
const LINES_SHOWN = 10;

/** The message as a resumed conversation shows it: of a long one of a person, its beginning. */
export function shortenMessage(message: ConversationMessage): ConversationMessage {
  const lines = message.content.split('\n');
  if (message.speaker.type !== 'human' || lines.length <= MOST_LINES) return message;
  const rest = words.terminal.moreLines(lines.length - LINES_SHOWN);
  return { ...message, content: [...lines.slice(0, LINES_SHOWN), rest].join('\n') };
}
