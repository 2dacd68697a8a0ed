import { words } from '../../../catalogue/words.js';
import { isContinuing } from '../../../conversation/questions.js';
import { memberOf } from '../../../presentation/Telling.js';
import type { TerminalExit } from '../FrontEnd.js';
import { note } from '../screen/Paragraph.js';
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
  if (names.size > 0) context.print([note(words.terminal.stillWorking([...names]), 'warning')]);
  return names.size === 0;
}

/** `/resume`: switches to another session, which the user names or picks. */
export async function switchSession(context: CommandContext, wanted: string): Promise<void> {
  const { sessions } = context.options;
  if (sessions === undefined) return;
  if (wanted !== '') leaveFor(context, { reason: 'resume', id: await sessions.find(wanted) });
  else if (await sessions.hasOthers()) leaveFor(context, { reason: 'resume' });
  else context.print([note(words.terminal.noOtherSessions)]);
}

/** `/export`. */
export async function exportFile(context: CommandContext, argument: string): Promise<void> {
  const said = await context.options.export?.(argument);
  if (said !== undefined) context.print([note(said)]);
}
