import { createFrontEnd } from './createFrontEnd.js';
import type { FrontEnd } from './FrontEnd.js';
import { PiTerminalView } from './PiTerminalView.js';

/** The whole screen program: live answers, an editor, a status line. */
export const runTerminal: FrontEnd = createFrontEnd((source) => {
  forgetDebugVariables();
  return new PiTerminalView(source);
});

/** They would make pi-tui write what is on the screen into files. */
function forgetDebugVariables(): void {
  for (const name of Object.keys(process.env)) if (name.startsWith('PI_')) delete process.env[name];
}
