import { terminalEnglish as words } from '../../catalogue/terminal.js';
import type { Conversation } from '../../coordinator/Conversation.js';
import { HuddleError } from '../../models/errors.js';
import type { TerminalExit, TerminalOptions } from './TerminalOptions.js';
import { TerminalSession } from './TerminalSession.js';
import { watchProcess } from './watchProcess.js';

/** Shows a conversation in the terminal and lets people take part in it, until somebody leaves. */
export async function runTerminal(
  conversation: Conversation,
  options: TerminalOptions = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<TerminalExit> {
  if (!process.stdin.isTTY || !process.stdout.isTTY)
    throw new HuddleError('NOT_A_TERMINAL', words.notATerminal);
  forgetDebugVariables();
  const { promise, resolve, reject } = deferred<TerminalExit>();
  const session = new TerminalSession(conversation, options, resolve);
  const stopWatching = watchProcess({
    signal,
    onExit: resolve,
    onCrash: (error) => {
      session.restore();
      reject(error);
    },
    onProcessEnd: () => session.restore(),
  });
  try {
    session.start();
    const exit = await promise;
    await session.close();
    return exit;
  } finally {
    session.restore();
    stopWatching();
  }
}

/** They would make pi-tui write what is on the screen into files. */
function forgetDebugVariables(): void {
  for (const name of Object.keys(process.env)) if (name.startsWith('PI_')) delete process.env[name];
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
