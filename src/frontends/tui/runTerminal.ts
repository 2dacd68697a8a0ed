import { createDrawing } from './createDrawing.js';
import { createFrontEnd } from './createFrontEnd.js';
import { EarlyTerminal } from './EarlyTerminal.js';
import type { FrontEnd } from './FrontEnd.js';

/** The whole screen program: live answers, an editor, a status line. */
export const runTerminal: FrontEnd = (...args) => runTerminalIn(new EarlyTerminal())(...args);

/** The same in a terminal in which somebody may be typing already. */
export function runTerminalIn(terminal: EarlyTerminal): FrontEnd {
  return createFrontEnd((source) => terminal.follow(source, createDrawing(source)));
}
