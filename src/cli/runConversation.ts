import { rm } from 'node:fs/promises';
import type { RehearsalOptions } from '../agents/rehearsal/simulateAgents.js';
import { english } from '../catalogue/english.js';
import { hasWork, outcomeOf } from '../conversation/questions.js';
import type { Conversation } from '../coordinator/Conversation.js';
import { createStreamJsonPrinter, JsonPrinter } from '../frontends/print/jsonPrinter.js';
import type { Printer } from '../frontends/print/Printer.js';
import { printConversation } from '../frontends/print/printConversation.js';
import { TextPrinter } from '../frontends/print/textPrinter.js';
import type { Team } from '../models/Team.js';
import type { Store } from '../store/Store.js';
import { type CliContext, exitCodeAfter, say, stopOf } from './CliContext.js';
import { createLogger } from './createLogger.js';
import { createStateFolder } from './createStateFolder.js';
import { EXIT_CODE_OF_OUTCOME } from './exitCodes.js';
import { openConversation, type Persistence } from './openConversation.js';
import type { OutputFormat } from './outputFormats.js';
import { openStore } from './sessions.js';
import { stopOnSignals } from './stopOnSignals.js';

export interface RunSettings {
  readonly team: Team;
  readonly teamFile?: string;
  readonly workingFolder: string;
  /** Programs inside the project that PATH may lead to. */
  readonly trustedPrograms?: readonly string[];
  /** Says or asks for what sets it going. */
  readonly begin: (conversation: Conversation) => Promise<unknown>;
  readonly format: OutputFormat;
  /** Without it the conversation is gone when it is over. */
  readonly persistence?: Persistence;
  /** Stand-ins answer, as these options say. */
  readonly rehearsal?: RehearsalOptions;
  readonly showPrompts?: boolean;
  readonly debugFile?: string;
}

/** One conversation to its end, printed. Returns the exit code. */
export async function runConversation(settings: RunSettings, context: CliContext): Promise<number> {
  const { team, teamFile, workingFolder, trustedPrograms, rehearsal, showPrompts, persistence } = settings;
  const printer = createPrinter(settings.format, context);
  const logger = createLogger(settings, context);
  const stateFolder = rehearsal && (await createStateFolder());
  let store: Store | undefined;
  try {
    store = persistence && (await openStore(context, logger));
    const { conversation, knownSeq } = await openConversation(store, persistence, {
      team,
      teamFile,
      workingFolder,
      trustedPrograms,
      dataFolder: context.dataFolder,
      logger,
      ...(rehearsal && { rehearsal: { stateFolder, ...rehearsal } }),
      ...(showPrompts && { onPrompt: (sent) => printer.takePrompt?.(sent) }),
    });
    const { begin } = settings;
    let isLeft = false;
    // Not before: until the store is open, a signal ends the program whatever that waits for.
    const releaseSignals = stopOnSignals(context.stop);
    try {
      const { signal } = context.stop;
      const state = await printConversation(conversation, { begin, printer, knownSeq }, signal);
      isLeft = hasWork(state);
      return exitCodeAfter(context, EXIT_CODE_OF_OUTCOME[outcomeOf(state)]);
    } finally {
      releaseSignals();
      if (persistence && stopOf(context)?.isOutputGone !== true) {
        say(context, english.sessions.kept(conversation.id));
        if (isLeft) say(context, english.sessions.toRetry(conversation.id));
      }
    }
  } finally {
    await store?.close();
    logger.close();
    if (stateFolder !== undefined) await rm(stateFolder, { recursive: true, force: true });
  }
}

function createPrinter(format: OutputFormat, context: CliContext): Printer {
  switch (format) {
    case 'text':
      return new TextPrinter({
        streams: context,
        env: context.env,
        isRead: () => stopOf(context)?.isOutputGone !== true,
      });
    case 'json':
      return new JsonPrinter(context);
    case 'stream-json':
      return createStreamJsonPrinter(context);
  }
}
