import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { describeError } from '../../catalogue/errors.js';
import { words } from '../../catalogue/words.js';
import { HuddleError } from '../../models/errors.js';
import type { ConversationId } from '../../models/ids.js';
import { MemoryStore } from '../../store/memory/MemoryStore.js';
import { isShared } from '../../store/postgres/SharedStore.js';
import type { ConversationLog, ConversationReader, Store } from '../../store/Store.js';
import { StoreDamagedError, StoreUnavailableError, StoreWriteError } from '../../store/storeErrors.js';
import type { ConversationSummary } from '../../store/summary.js';
import type { Logger } from '../../utils/logger.js';
import { nearest } from '../../utils/nearest.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';
import type { CliContext } from '../start/CliContext.js';
import { createWarnings } from '../start/createLogger.js';
import { type ChosenStore, chooseStore } from '../team/chooseStore.js';
import { explainUnreadable, isOurFault } from './explainUnreadable.js';

const IDS_SHOWN = 5;
/** Number of the latest sessions among which the meant one is looked for when an id is mistyped. */
const IDS_COMPARED = 1000;
const PAGE = 200;

export function sessionFile({ dataFolder }: Pick<CliContext, 'dataFolder'>): string {
  return join(dataFolder, 'conversations.sqlite');
}

/**
 * Opens the store of saved sessions, the one place that decides which: a shared one, or the file on this machine. Either is
 * loaded only by commands that need it: most do not.
 */
export async function openStore(context: CliContext, logger: Logger): Promise<Store> {
  const shared = await chooseStore(context);
  return shared === undefined ? openFile(context, logger) : openShared(shared, context, logger);
}

async function openShared(
  { url }: ChosenStore,
  { storePatience: answerWithin }: CliContext,
  logger: Logger,
): Promise<Store> {
  const { openPostgresStore } = await import('../../store/postgres/PostgresStore.js');
  return openPostgresStore({ url, logger, answerWithin });
}

async function openFile(context: CliContext, logger: Logger, mayOnlyRead = false): Promise<Store> {
  const { SqliteStore } = await import('../../store/sqlite/SqliteStore.js');
  try {
    return new SqliteStore({ file: sessionFile(context), logger, mayOnlyRead });
  } catch (error) {
    if (!(error instanceof StoreUnavailableError || error instanceof StoreWriteError)) throw error;
    throw new HuddleError(error.code, () => words.sessions[ADVICE[error.code]](describeError(error)), {
      cause: error,
    });
  }
}

const ADVICE = {
  STORE_UNAVAILABLE: 'unavailable',
  STORE_WRITE: 'unusable',
} as const;

/** Works with the saved sessions, also where they can only be read. If none was ever saved on this machine, no file is made: the store is an empty one. */
export async function withStore<Value>(
  context: CliContext,
  work: (store: Store) => Value | Promise<Value>,
): Promise<Value> {
  const shared = await chooseStore(context);
  if (shared === undefined && isNothingSaved(context)) return work(new MemoryStore());
  const logger = createWarnings(context);
  const store = await (shared === undefined
    ? openFile(context, logger, true)
    : openShared(shared, context, logger));
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Whether there is no file at all; opening it reports anything else that is wrong with it. */
function isNothingSaved(context: CliContext): boolean {
  try {
    lstatSync(sessionFile(context));
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}

/** A saved session that is open, for reading or for writing. */
export interface OpenedSession<Reader = ConversationReader> {
  readonly reader: Reader;
  readonly summary: ConversationSummary;
  readonly store: Store;
}

/** Works with one saved session, open for reading. */
export function withSession<Value>(
  wanted: string | undefined,
  context: CliContext,
  work: (session: OpenedSession) => Value | Promise<Value>,
): Promise<Value> {
  return withReader(wanted, context, (store, { id }) => store.read(id), work);
}

/** Works with one saved session that no process has open, to change it where it is. Rejects with ConversationLockedError. */
export function withLog<Value>(
  wanted: string | undefined,
  context: CliContext,
  work: (session: OpenedSession<ConversationLog>) => Value | Promise<Value>,
): Promise<Value> {
  return withReader(
    wanted,
    context,
    (store, { id }) => store.open(id, { inPlace: true }),
    async (session) => {
      try {
        return await work(session);
      } finally {
        await session.reader.close();
      }
    },
  );
}

function withReader<Reader extends ConversationReader, Value>(
  wanted: string | undefined,
  context: CliContext,
  open: (store: Store, summary: ConversationSummary) => Promise<Reader>,
  work: (session: OpenedSession<Reader>) => Value | Promise<Value>,
): Promise<Value> {
  return withStore(context, async (store) => {
    const here = await context.project.folders();
    // A shared store does not know names of folders: that a session is held in one of these is known when they are named.
    if (wanted !== undefined && isShared(store)) await store.list({ folders: here, limit: 1 });
    const summary = await (wanted === undefined ? findLatest(store, here) : findSession(store, wanted));
    const reader = await open(store, summary);
    try {
      return await work({ reader, summary, store });
    } catch (error) {
      throw explainDamage(await explainUnreadable(error, reader), summary);
    }
  });
}

/** Deletes a session, what was attached to it, and the contents of files that are kept for it alone. */
export async function deleteWhole(
  id: ConversationId,
  store: Store,
  { dataFolder }: CliContext,
): Promise<void> {
  await store.delete(id);
  const { letGoOf } = await import('../../files/letGo.js');
  await letGoOf(dataFolder, id);
  const { removeAttachments } = await import('../serve/attachments.js');
  await removeAttachments(dataFolder, id);
}

/** Continues a conversation; if its log makes Huddle fail, the error says where. */
export async function orExplain<Value>(
  { id }: ConversationSummary,
  context: CliContext,
  work: () => Promise<Value>,
): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (!isOurFault(error)) throw error;
    throw await withSession(id, context, ({ reader }) => explainUnreadable(error, reader));
  }
}

/** Adds how to save what came before the damage. */
function explainDamage(error: unknown, { id }: ConversationSummary): unknown {
  if (!(error instanceof StoreDamagedError) || !error.intactEvents) return error;
  return new HuddleError(error.code, () => words.sessions.damaged(describeError(error), id), {
    cause: error,
  });
}

/** The sessions of these folders, or all of them, page by page; only those with a text, if one is given. */
export async function* listStored(
  store: Store,
  folders?: readonly string[],
  text?: string,
): AsyncGenerator<ConversationSummary> {
  let from: number | undefined;
  do {
    const { summaries, next } = await store.list({ folders, text, limit: PAGE, from });
    yield* summaries;
    from = next;
  } while (from !== undefined);
}

/** The latest of this folder in which something was said. */
export async function findLatest(store: Store, foldersHere: readonly string[]): Promise<ConversationSummary> {
  let latest: ConversationSummary | undefined;
  for await (const summary of listStored(store, foldersHere)) {
    latest ??= summary;
    if (summary.state !== 'empty') return summary;
  }
  if (latest !== undefined) return latest;
  const [elsewhere] = (await store.list({ limit: 1 })).summaries;
  if (elsewhere === undefined) throw unknown(() => words.sessions.none);
  const { id, folder } = elsewhere;
  throw unknown(() => words.sessions.noneHere(id, folder && sanitizeToOneLine(folder)));
}

/** By its id, by a beginning of it or its last part when only one has that. */
export async function findSession(store: Store, wanted: string): Promise<ConversationSummary> {
  const meant = await store.find(wanted);
  const [only] = meant;
  if (only !== undefined && meant.length === 1) return only;
  const word = sanitizeToOneLine(wanted);
  if (meant.length > 1) throw unknown(() => words.sessions.ambiguous(word, meant.length, shownIds(meant)));
  const { summaries } = await store.list({ limit: IDS_COMPARED });
  if (summaries.length === 0) throw unknown(() => words.sessions.none);
  const near = nearest(
    wanted,
    summaries.map(({ id }) => id),
  );
  throw unknown(() => words.sessions.unknown(word, near, shownIds(summaries)));
}

function shownIds(summaries: readonly ConversationSummary[]): readonly string[] {
  return summaries.slice(0, IDS_SHOWN).map(({ id }) => id);
}

function unknown(sentence: () => string): HuddleError {
  return new HuddleError('UNKNOWN_CONVERSATION', sentence);
}
