import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Catalogue, speaking, words } from '../../catalogue/words.js';
import type { Conversations } from '../../coordinator/Conversations.js';
import type { ReadingSource } from '../../frontends/web/reading/ReadingThread.js';
import type { WebOptions } from '../../frontends/web/runWeb.js';
import type { WireError } from '../../frontends/web/wire.js';
import { HuddleError } from '../../models/errors.js';
import { readVersion } from '../../utils/readVersion.js';
import { tellOfServer } from '../serve/tellOfServer.js';
import { sessionFile } from '../sessions/storedSessions.js';
import { type CliContext, exitCodeAfter, say } from '../start/CliContext.js';
import { createLogger } from '../start/createLogger.js';
import { EXIT_CODES } from '../start/exitCodes.js';
import type { RunFlags } from '../start/RunFlags.js';
import { describeForPeople, reportError } from '../start/reportError.js';
import { stopOnSignals, surviveErrors } from '../start/stopOnSignals.js';
import { chooseStore } from '../team/chooseStore.js';
import { chooseTeam } from '../team/chooseTeam.js';
import { warnOfMissingPrograms } from '../team/missingPrograms.js';

interface WebFlags extends Pick<RunFlags, 'team' | 'trust' | 'debugFile'> {
  /** The session whose address is printed. */
  readonly id?: string;
  readonly port?: number;
  readonly open?: boolean;
  readonly watchOnly?: boolean;
}

/** Serves the page on this machine until a signal comes. */
export async function web(flags: WebFlags, context: CliContext): Promise<number> {
  const { id, port, watchOnly = false, team, trust, debugFile } = flags;
  surviveErrors(context);
  const releaseSignals = stopOnSignals(context);
  try {
    const folder = await chooseFolder(flags, context);
    const logger = createLogger({ debugFile }, context);
    const { openConversations } = await import('../serve/openConversations.js');
    const conversations = openConversations({ team, trust, debugFile }, context, logger);
    const path = id === undefined ? '/' : await addressOf(id, conversations);
    const { runWeb } = await import('../../frontends/web/runWeb.js');
    const { isOver } = await runWeb(
      conversations,
      {
        folder,
        port,
        isWatchOnly: watchOnly,
        pageFolder: fileURLToPath(new URL('../../web/', import.meta.url)),
        version: readVersion(),
        reading: await readingSource(context),
        openDemo: async () => (await import('../serve/openDemo.js')).openDemo(context),
        words,
        describe: (error, language) => describe(error, context, language),
        log: (line) => logger.debug?.(line),
        ...tellOfServer({ ...flags, path }, context),
      } satisfies WebOptions,
      context.stop.signal,
    );
    const exitCode = exitCodeAfter(context, EXIT_CODES.done);
    // The watchdog stops what is left.
    if (!isOver) context.host.exit(exitCode);
    return exitCode;
  } finally {
    releaseSignals();
  }
}

/** The folder whose team talks, with a person who vouches for it; who only watches starts nothing. */
async function chooseFolder({ watchOnly, ...flags }: WebFlags, context: CliContext): Promise<string> {
  if (watchOnly) return findFolder(flags, context);
  try {
    const { team, workingFolder } = await chooseTeam({ ...flags, isRehearsal: false }, context);
    warnOfMissingPrograms(team, workingFolder, context);
    return workingFolder;
  } catch (error) {
    if (!(error instanceof HuddleError) || error.code !== 'AGENT_MISSING') throw error;
    // The page says what to install, and offers the demo until then.
    say(context, words.cli.warning(describeForPeople(error, context).message));
    return context.workingFolder;
  }
}

/** The folder in which `huddle` would work here. */
async function findFolder({ team }: WebFlags, context: CliContext): Promise<string> {
  const located = team === undefined ? await context.project.locate() : undefined;
  return located === undefined || located.isDefault ? context.workingFolder : dirname(located.file);
}

/** The path of the page of a session; its id may be shortened. */
async function addressOf(id: string, conversations: Conversations): Promise<string> {
  const { summary, reader } = await conversations.read(id);
  await reader.close();
  return `/c/${summary.id}`;
}

/** An error for the page; one that is a fault of ours is shown in the terminal as well. */
function describe(error: unknown, context: CliContext, language: Catalogue): WireError {
  const told = speaking(language, () => describeForPeople(error, context));
  if (told.code === 'UNEXPECTED') reportError(error, context);
  return told;
}

/** Data for the thread: the file of the sessions on this machine, whether it exists or not, or the address of a shared store. */
export type ReadingData = { readonly file: string } | { readonly url: string };

/** The thread that reads saved sessions: its module, which the build puts beside the program, and where they are. */
export async function readingSource(
  context: CliContext,
): Promise<Pick<ReadingSource, 'module'> & { readonly data: ReadingData }> {
  const shared = await chooseStore(context);
  return {
    module: new URL('../serve/readingThread.js', import.meta.url),
    data: shared === undefined ? { file: sessionFile(context) } : { url: shared.url },
  };
}
