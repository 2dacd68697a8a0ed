import { isatty } from 'node:tty';
import { createFrontEnd } from './createFrontEnd.js';
import type { FrontEnd } from './FrontEnd.js';
import { LineView } from './session/LineView.js';
import { PiTerminalView } from './session/PiTerminalView.js';

/** The whole screen program: live answers, an editor, a status line. */
export const runTerminal: FrontEnd = createFrontEnd((source) => new PiTerminalView(source));

const STANDARD_INPUT = 0;

/** Lines and nothing else: for screen readers, dumb terminals, and people who prefer plain lines. */
export const runLines: FrontEnd = createFrontEnd(
  (source) => new LineView(source),
  (session) => ({
    onInterrupt: () => session.onInterrupt(),
    // The end of input of a terminal that is there is Ctrl-D.
    onInputEnd: () => (isatty(STANDARD_INPUT) ? session.onLeave() : session.onDisconnect()),
  }),
);
