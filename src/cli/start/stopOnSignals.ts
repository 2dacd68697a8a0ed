import type { CliContext, Stop } from './CliContext.js';
import { exitCodeOfSignal } from './exitCodes.js';
import { reportError } from './reportError.js';

const SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Lets the first signal stop the turn and end the run; the second exits at once, and the watchdog cleans up. */
export function stopOnSignals({ stop, host }: Pick<CliContext, 'stop' | 'host'>): () => void {
  const onSignal = (signal: NodeJS.Signals): void => {
    const reason: Stop = { exitCode: exitCodeOfSignal(signal) };
    if (stop.signal.aborted) host.exit(reason.exitCode);
    stop.abort(reason);
  };
  for (const signal of SIGNALS) host.on(signal, onSignal);
  return () => {
    for (const signal of SIGNALS) host.off(signal, onSignal);
  };
}

/** Reports what slipped through and continues: a client does not start a dead server again, and other sessions are not to blame. */
export function surviveErrors(context: CliContext): void {
  context.host.removeAllListeners('uncaughtException');
  context.host.on('uncaughtException', (error) => reportError(error, context));
}
