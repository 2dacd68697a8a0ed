import { toHalfWidth } from '../../../utils/toHalfWidth.js';
import type { PanelName } from './state/place.js';

/** A command that was typed as in the terminal: what a button of the page does, or a panel. */
export type PageCommand =
  | { readonly do: 'cancel' | 'pause' | 'resume' | 'retry' }
  | { readonly panel: PanelName; readonly turn?: string };

/** By the names that the terminal has for them. */
const COMMANDS: Readonly<Record<string, PageCommand>> = {
  retry: { do: 'retry' },
  continue: { do: 'resume' },
  pause: { do: 'pause' },
  cancel: { do: 'cancel' },
  why: { panel: 'why' },
  diff: { panel: 'changes' },
  cost: { panel: 'cost' },
  members: { panel: 'members' },
};

/** The command that a text is; undefined for all that is to be said as it is. */
export function readPageCommand(text: string): PageCommand | undefined {
  const [, word = '', turn = ''] = /^[/／](\S+)(?:\s+(?:turn-)?(\d+))?$/u.exec(text.trim()) ?? [];
  const name = toHalfWidth(word).toLowerCase();
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined || turn === '') return command;
  return 'panel' in command ? { ...command, turn: `turn-${turn}` } : undefined;
}
