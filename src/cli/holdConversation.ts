import { rm } from 'node:fs/promises';
import type { RehearsalOptions } from '../agents/rehearsal/rehearsalDialect.js';
import { english } from '../catalogue/english.js';
import { hasWork, outcomeOf } from '../conversation/questions.js';
import type { Conversation } from '../coordinator/Conversation.js';
import { createStreamJsonPrinter, JsonPrinter } from '../frontends/print/jsonPrinter.js';
import type { Printer } from '../frontends/print/Printer.js';
import { printConversation } from '../frontends/print/printConversation.js';
import { TextPrinter } from '../frontends/print/textPrinter.js';
import type { Team } from '../models/Team.js';
import type { Store } from '../store/Store.js';
import { createLogger } from './createLogger.js';
import { createStateFolder } from './createStateFolder.js';
import { EXIT_CODE_OF_OUTCOME } from './exitCodes.js';
import { type Keeping, openConversation } from './openConversation.js';
import type { OutputFormat } from './outputFormats.js';
import { exitCodeAfter, type Surroundings, say, stopOf } from './Surroundings.js';
import { openStore } from './sessions.js';
import { stopOnSignals } from './stopOnSignals.js';

export interface Occasion {
  readonly team: Team;
  readonly teamFile?: string;
  readonly workingFolder: string;
  /** Programs inside the project that PATH may lead to. */
  readonly trustedPrograms?: readonly string[];
  /** Says or asks for what sets it going. */
  readonly begin: (conversation: Conversation) => void;
  readonly format: OutputFormat;
  /** Without it the conversation is gone when it is over. */
  readonly keeping?: Keeping;
  /** Stand-ins answer, as these options say. */
  readonly rehearsal?: RehearsalOptions;
  readonly showPrompts?: boolean;
  readonly debugFile?: string;
}

/** One conversation to its end, printed. Returns the exit code. */
export async function holdConversation(occasion: Occasion, surroundings: Surroundings): Promise<number> {
  const { team, teamFile, workingFolder, trustedPrograms, rehearsal, showPrompts, keeping } = occasion;
  const printer = createPrinter(occasion.format, surroundings);
  const logger = createLogger(occasion, surroundings);
  const stateFolder = rehearsal && (await createStateFolder());
  let store: Store | undefined;
  try {
    store = keeping && (await openStore(surroundings, logger));
    const { conversation, knownSeq } = openConversation(store, keeping, {
      team,
      teamFile,
      workingFolder,
      trustedPrograms,
      dataFolder: surroundings.dataFolder,
      logger,
      ...(rehearsal && { rehearsal: { stateFolder, ...rehearsal } }),
      ...(showPrompts && { onPrompt: (sent) => printer.takePrompt?.(sent) }),
    });
    const { begin } = occasion;
    let isLeft = false;
    // Not before: until the store is open, a signal ends the program whatever that waits for.
    const releaseSignals = stopOnSignals(surroundings.stop);
    try {
      const { signal } = surroundings.stop;
      const state = await printConversation(conversation, { begin, printer, knownSeq }, signal);
      isLeft = hasWork(state);
      return exitCodeAfter(surroundings, EXIT_CODE_OF_OUTCOME[outcomeOf(state)]);
    } finally {
      releaseSignals();
      if (keeping && stopOf(surroundings)?.isOutputGone !== true) {
        say(surroundings, english.sessions.kept(conversation.id));
        if (isLeft) say(surroundings, english.sessions.toRetry(conversation.id));
      }
    }
  } finally {
    store?.close();
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
      return new JsonPrinter(surroundings);
    case 'stream-json':
      return createStreamJsonPrinter(surroundings);
  }
}
