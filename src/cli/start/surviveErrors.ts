import type { CliContext } from './CliContext.js';
import { reportError } from './reportError.js';

/** Reports what slipped through and continues: a client does not start a dead server again, and other sessions are not to blame. */
export function surviveErrors(context: CliContext): void {
  context.host.removeAllListeners('uncaughtException');
  context.host.on('uncaughtException', (error) => reportError(error, context));
}
