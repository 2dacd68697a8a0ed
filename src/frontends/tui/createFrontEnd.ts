import { terminalEnglish as words } from '../../catalogue/terminal.js';
import { HuddleError } from '../../models/errors.js';
import { type FrontEnd, isHangUp, type TerminalExit } from './FrontEnd.js';
import { TerminalSession } from './session/TerminalSession.js';
import type { CreateView } from './session/TerminalView.js';
import { type ProcessWatch, watchProcess } from './watchProcess.js';

/** What the system says to a view that does not read every key itself. */
type SystemKeys = (session: TerminalSession) => Partial<Pick<ProcessWatch, 'onInterrupt' | 'onInputEnd'>>;

/** Holds a session in a view of this kind; whatever happens, the terminal is given back. */
export function createFrontEnd(createView: CreateView, systemKeys: SystemKeys = () => ({})): FrontEnd {
  return async (conversation, options = {}, signal = new AbortController().signal) => {
    if (!process.stdin.isTTY || !process.stdout.isTTY)
      throw new HuddleError('NOT_A_TERMINAL', words.notATerminal);
    const { promise, resolve, reject } = deferred<TerminalExit>();
    const session = new TerminalSession(conversation, options, createView, resolve);
    const stopWatching = watchProcess({
      signal,
      onExit: resolve,
      onCrash: (error) => {
        session.restore();
        reject(error);
      },
      onProcessEnd: () => session.restore(),
      ...systemKeys(session),
    });
    try {
      session.start();
      const exit = await promise;
      if (!isHangUp(exit)) await session.close();
      return exit;
    } finally {
      session.restore();
      stopWatching();
    }
  };
}

function deferred<Value>() {
  let resolve!: (value: Value) => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<Value>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}
