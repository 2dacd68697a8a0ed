import { words } from '../../catalogue/words.js';
import { HuddleError } from '../../models/errors.js';
import { type FrontEnd, isHangUp, type TerminalExit } from './FrontEnd.js';
import { TerminalSession } from './session/TerminalSession.js';
import type { CreateView } from './session/TerminalView.js';
import { type ProcessWatch, watchProcess } from './watchProcess.js';

/** Handlers for what the system reports to a view that does not read every key itself. */
type SystemKeys = (session: TerminalSession) => Partial<Pick<ProcessWatch, 'onInterrupt' | 'onInputEnd'>>;

/** Holds a session in a view of this kind; whatever happens, the terminal is given back. */
export function createFrontEnd(createView: CreateView, systemKeys: SystemKeys = () => ({})): FrontEnd {
  return async (conversation, options = {}, signal = new AbortController().signal) => {
    if (!process.stdin.isTTY || !process.stdout.isTTY)
      throw new HuddleError('NOT_A_TERMINAL', words.terminal.notATerminal);
    let leave!: (exit: TerminalExit) => void;
    let fail!: (error: unknown) => void;
    const left = new Promise<TerminalExit>((resolve, reject) => {
      [leave, fail] = [resolve, reject];
    });
    const session = new TerminalSession(conversation, options, createView, leave);
    const stopWatching = watchProcess({
      signal,
      onExit: leave,
      onCrash: fail,
      onProcessEnd: () => session.restore(),
      ...systemKeys(session),
    });
    try {
      session.start();
      const exit = await left;
      if (!isHangUp(exit)) await session.close();
      return exit;
    } finally {
      session.restore();
      stopWatching();
    }
  };
}
