import { words } from '../../catalogue/words.js';
import type { ServingFlags } from '../serve/openConversations.js';
import { type CliContext, exitCodeAfter } from '../start/CliContext.js';
import { EXIT_CODES } from '../start/exitCodes.js';
import { reportError, UsageError } from '../start/reportError.js';
import { stopOnSignals, surviveErrors } from '../start/stopOnSignals.js';
import { chooseStore } from '../team/chooseStore.js';
import { requireUnnested } from '../trust/outerTurn.js';

/** Time for the process to end by itself when everything is closed. */
const EXIT_MILLISECONDS = 200;

export interface AcpFlags extends ServingFlags {
  /** Name of the person who speaks. */
  readonly as?: string;
}

/** Serves the team to an editor, over standard input and output, until that ends. */
export async function acp({ as, ...flags }: AcpFlags, context: CliContext): Promise<number> {
  const { stdin, stdout, stop } = context;
  if (stdin.isTTY) throw new UsageError(words.acp.onTerminal);
  if (!flags.nested) requireUnnested(context);
  if (as !== undefined && (await chooseStore(context)) !== undefined) throw new UsageError(words.stores.noAs);
  surviveErrors(context);
  const releaseSignals = stopOnSignals(context);
  try {
    const { serveAcp } = await import('../../frontends/acp/serveAcp.js');
    // Loaded when the client has its first answer.
    const openConversations = async () =>
      (await import('../serve/openConversations.js')).openConversations(flags, context);
    const onUnexpected = (error: unknown) => void reportError(error, context);
    await serveAcp(
      { input: stdin, output: stdout },
      { openConversations, onUnexpected, as, words },
      stop.signal,
    );
    // Whatever is not closed by now is left to the watchdog.
    setTimeout(() => context.host.exit(), EXIT_MILLISECONDS).unref();
    return exitCodeAfter(context, EXIT_CODES.done);
  } finally {
    releaseSignals();
  }
}
