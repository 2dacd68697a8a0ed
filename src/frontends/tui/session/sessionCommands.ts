import type { Catalogue } from '../../../catalogue/words.js';
import { isContinuing } from '../../../conversation/questions.js';
import type { ConversationMessage } from '../../../models/ConversationMessage.js';
import { note, type Paragraph } from '../../../presentation/Paragraph.js';
import { memberOf } from '../../../presentation/Telling.js';
import { sanitizeToOneLine } from '../../../utils/sanitize.js';
import { cutToWidth, formatTable } from '../../lines/formatTable.js';
import type { TerminalExit } from '../FrontEnd.js';
import type { CommandContext } from './CommandContext.js';

/** Leaves for another session, unless that would stop a turn. */
export function leaveFor(context: CommandContext, exit: TerminalExit): void {
  if (isFree(context)) context.leave(exit);
}

/** Whether no turn would be stopped by leaving. Otherwise says who works. */
export function isFree(context: CommandContext): boolean {
  const { conversation, members } = context.screen();
  const { running, queue } = conversation;
  const working = isContinuing(conversation) ? [...running, ...queue] : running;
  const names = new Set(working.map(({ memberId }) => memberOf({ members }, memberId).name));
  if (names.size > 0)
    context.print([note(context.options.words.terminal.stillWorking([...names]), 'warning')]);
  return names.size === 0;
}

/** `/resume`: switches to another session, which the user names or picks. */
export async function switchSession(context: CommandContext, wanted: string): Promise<void> {
  const { sessions } = context.options;
  if (sessions === undefined) return;
  if (wanted !== '') leaveFor(context, { reason: 'resume', id: await sessions.find(wanted) });
  else if (await sessions.hasOthers()) leaveFor(context, { reason: 'resume' });
  else context.print([note(context.options.words.terminal.noOtherSessions)]);
}

/** `/export`. */
export async function exportFile(context: CommandContext, argument: string): Promise<void> {
  const said = await context.options.export?.(argument);
  if (said !== undefined) context.print([note(said)]);
}

const MOST_LISTED = 10;
const TEXT_WIDTH = 60;

/** `/fork`: saves a copy of the session up to a message, and stays here. */
export async function forkHere(context: CommandContext, message: string): Promise<void> {
  if (!hasMessages(context)) return;
  const forked = await context.options.fork?.(message === '' ? undefined : message);
  if (forked === undefined) return;
  const { words } = context.options;
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
export function listForkPlaces({ conversation, options }: CommandContext): readonly ForkPlaceHere[] {
  const { messages } = conversation.snapshot();
  return messages.map((message) => describePlace(message, options.words)).reverse();
}

interface ForkPlaceHere {
  readonly name: string;
  readonly description: string;
}

function describePlace({ id, speaker, content }: ConversationMessage, words: Catalogue): ForkPlaceHere {
  const text = words.joining.labelled(speaker.roleName, content.slice(0, TEXT_WIDTH * 4));
  return {
    name: id.replace(/^msg-(?=\d+$)/u, ''),
    description: cutToWidth(sanitizeToOneLine(text), TEXT_WIDTH),
  };
}

/** Whether something was said. Otherwise says that. */
function hasMessages(context: CommandContext): boolean {
  const isAny = context.conversation.snapshot().messages.length > 0;
  if (!isAny) context.print([note(context.options.words.forks.nothingSaid)]);
  return isAny;
}

function listMessages(context: CommandContext): Paragraph {
  const { forks } = context.options.words;
  const places = listForkPlaces(context).slice(0, MOST_LISTED);
  const rows = places.map(({ name, description }) => [name, description]);
  const [, ...lines] = formatTable([{ head: '', isNumber: true }, { head: '' }], rows).split('\n');
  const text = [...lines, forks.rewindWith(`/rewind ${places[0]?.name ?? ''}`)].join('\n');
  return { kind: 'details', title: forks.whichMessage, text };
}
