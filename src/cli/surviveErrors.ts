import type { CliContext } from './CliContext.js';
import { reportError } from './reportError.js';

/** Reports what slipped through and continues: a client does not start a dead server again, and other sessions are not to blame. */
export function surviveErrors(context: CliContext): void {
  process.removeAllListeners('uncaughtException');
  process.on('uncaughtException', (error) => reportError(error, context));
}
