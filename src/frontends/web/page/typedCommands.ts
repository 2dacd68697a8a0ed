import { words } from '../../../catalogue/words.js';
import { type CommandName, readTypedLine } from '../../../presentation/readTypedLine.js';
import type { PanelName } from './state/place.js';

/** A command that was typed as in the terminal: what a button of the page does, or a panel. */
export type PageCommand =
  | { readonly do: 'cancel' | 'pause' | 'resume' | 'retry' }
  | { readonly panel: PanelName; readonly turn?: string }
  /** Something to show; with `isSlip` instead of sending the text, unless it is sent again. */
  | { readonly hint: string; readonly isSlip?: true };

const COMMANDS: Readonly<Partial<Record<CommandName, Exclude<PageCommand, { hint: string }>>>> = {
  retry: { do: 'retry' },
  continue: { do: 'resume' },
  pause: { do: 'pause' },
  cancel: { do: 'cancel' },
  why: { panel: 'why' },
  diff: { panel: 'changes' },
  undo: { panel: 'changes' },
  apply: { panel: 'changes' },
  cost: { panel: 'cost' },
  members: { panel: 'members' },
};

/** The command that a text is, or why it is likely not meant as a message; undefined for all that is to be said as it is. */
export function readPageCommand(text: string, members: readonly string[]): PageCommand | undefined {
  const typed = readTypedLine(text, members);
  if (typed.kind === 'message') return undefined;
  if (typed.kind === 'slip') return slip(typed.reason);
  const { name, argument } = typed;
  if (name === 'help') return { hint: words.web.help(Object.keys(COMMANDS).map((each) => `/${each}`)) };
  const command = COMMANDS[name];
  const turn = /^(?:turn-)?(\d+)$/u.exec(argument)?.[1];
  if (command !== undefined && argument === '') return command;
  if (command !== undefined && 'panel' in command && turn !== undefined)
    return { ...command, turn: `turn-${turn}` };
  return slip(words.web.notHere(`/${name} ${argument}`.trim()));
}

function slip(reason: string): PageCommand {
  return { hint: words.typed.sendAgain(reason), isSlip: true };
}
