import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RehearsalOptions } from '../agents/rehearsal/rehearsalDialect.js';
import { createConversation } from '../createConversation.js';
import { createJsonPrinter, createStreamJsonPrinter } from '../frontends/print/jsonPrinter.js';
import type { Printer } from '../frontends/print/Printer.js';
import { printConversation } from '../frontends/print/printConversation.js';
import { TextPrinter } from '../frontends/print/textPrinter.js';
import { outcomeOf } from '../frontends/view.js';
import type { Team } from '../models/Team.js';
import { createLogger } from './createLogger.js';
import { EXIT_CODE_OF_OUTCOME, exitCodeOfSignal } from './exitCodes.js';
import type { OutputFormat } from './outputFormats.js';
import { exitCodeAfter, type Stop, type Surroundings, stopOf } from './Surroundings.js';

export interface Occasion {
  readonly team: Team;
  readonly workingFolder: string;
  readonly message: string;
  readonly format: OutputFormat;
  /** Stand-ins answer, as these options say. */
  readonly rehearsal?: RehearsalOptions;
  readonly showPrompts?: boolean;
  readonly debugFile?: string;
}

/** One conversation to its end, printed. Returns the exit code. */
export async function holdConversation(occasion: Occasion, surroundings: Surroundings): Promise<number> {
  const { team, workingFolder, message, rehearsal, showPrompts } = occasion;
  const printer = createPrinter(occasion.format, surroundings);
  const logger = createLogger(occasion, surroundings);
  const stateFolder = rehearsal && (await mkdtemp(join(tmpdir(), 'huddle-rehearsal-')));
  const releaseSignals = stopOnSignals(surroundings.stop);
  try {
    const conversation = createConversation({
      team,
      workingFolder,
      logger,
      ...(rehearsal && { rehearsal: { stateFolder, ...rehearsal } }),
      ...(showPrompts && { onPrompt: (sent) => printer.takePrompt?.(sent) }),
    });
    const view = await printConversation(conversation, { message, printer }, surroundings.stop.signal);
    return exitCodeAfter(surroundings, EXIT_CODE_OF_OUTCOME[outcomeOf(view)]);
  } finally {
    releaseSignals();
    logger.close();
    if (stateFolder !== undefined) await rm(stateFolder, { recursive: true, force: true });
  }
}

function createPrinter(format: OutputFormat, surroundings: Surroundings): Printer {
  switch (format) {
    case 'text':
      return new TextPrinter({
        streams: surroundings,
        env: surroundings.env,
        isRead: () => stopOf(surroundings)?.isOutputGone !== true,
      });
    case 'json':
      return createJsonPrinter(surroundings);
    case 'stream-json':
      return createStreamJsonPrinter(surroundings);
  }
}

const SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** The first signal stops the turn and ends the run; the second leaves at once, and the watchdog cleans up. */
function stopOnSignals(stop: AbortController): () => void {
  const onSignal = (signal: NodeJS.Signals): void => {
    const reason: Stop = { exitCode: exitCodeOfSignal(signal) };
    if (stop.signal.aborted) process.exit(reason.exitCode);
    stop.abort(reason);
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  return () => {
    for (const signal of SIGNALS) process.off(signal, onSignal);
  };
}
