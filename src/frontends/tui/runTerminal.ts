import { createFrontEnd } from './createFrontEnd.js';
import type { FrontEnd } from './FrontEnd.js';
import { PiTerminalView } from './session/PiTerminalView.js';

/** The whole screen program: live answers, an editor, a status line. */
export const runTerminal: FrontEnd = createFrontEnd((source) => new PiTerminalView(source));
