import { words } from '../../../catalogue/words.js';
import type { ConversationMessage } from '../../../models/ConversationMessage.js';
import { sanitizeToOneLine } from '../../../utils/sanitize.js';
import { cutToWidth, formatTable } from '../../lines/formatTable.js';
import { note, type Paragraph } from '../screen/Paragraph.js';
import type { CommandContext } from './CommandContext.js';
import { isFree, leaveFor } from './sessionCommands.js';

const MOST_LISTED = 10;
const TEXT_WIDTH = 60;

/** `/fork`: saves a copy of the session up to a message, and stays here. */
export async function forkHere(context: CommandContext, message: string): Promise<void> {
  if (!hasMessages(context)) return;
  const forked = await context.options.fork?.(message === '' ? undefined : message);
  if (forked === undefined) return;
  const lines = [words.forks.forked(forked.id), ...forked.notes, words.forks.toSwitch(forked.id)];
  context.print(lines.map((line) => note(line)));
}

/** `/rewind`: the same, and continues in the copy. */
export async function rewindTo(context: CommandContext, message: string): Promise<void> {
  if (!hasMessages(context)) return;
  if (message === '') return context.print([listMessages(context)]);
  if (!isFree(context)) return;
  const forked = await context.options.fork?.(message);
  if (forked === undefined) return;
  context.print(forked.notes.map((line) => note(line)));
  leaveFor(context, { reason: 'resume', id: forked.id });
}

/** The messages that a fork can end with, the newest first. */
export function listForkPlaces({ conversation }: CommandContext): readonly ForkPlaceHere[] {
  return conversation.snapshot().messages.map(describePlace).reverse();
}

interface ForkPlaceHere {
  readonly name: string;
  readonly description: string;
}

function describePlace({ id, speaker, content }: ConversationMessage): ForkPlaceHere {
  const text = words.joining.labelled(speaker.roleName, content.slice(0, TEXT_WIDTH * 4));
  return {
    name: id.replace(/^msg-(?=\d+$)/u, ''),
    description: cutToWidth(sanitizeToOneLine(text), TEXT_WIDTH),
  };
}

/** Whether something was said. Otherwise says that. */
function hasMessages(context: CommandContext): boolean {
  const isAny = context.conversation.snapshot().messages.length > 0;
  if (!isAny) context.print([note(words.forks.nothingSaid)]);
  return isAny;
}

function listMessages(context: CommandContext): Paragraph {
  const places = listForkPlaces(context).slice(0, MOST_LISTED);
  const rows = places.map(({ name, description }) => [name, description]);
  const [, ...lines] = formatTable([{ head: '', isNumber: true }, { head: '' }], rows).split('\n');
  const text = [...lines, words.forks.rewindWith(`/rewind ${places[0]?.name ?? ''}`)].join('\n');
  return { kind: 'details', title: words.forks.whichMessage, text };
}
