import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { describeError } from '../../catalogue/errors.js';
import { words } from '../../catalogue/words.js';
import type { Conversation } from '../../coordinator/Conversation.js';
import {
  type ConversationOptions,
  createConversation,
  resumeConversation,
} from '../../createConversation.js';
import { HuddleError } from '../../models/errors.js';
import type { ConversationId } from '../../models/ids.js';
import type { Store } from '../../store/Store.js';
import { ConversationLockedError } from '../../store/storeErrors.js';
import type { CliContext } from '../start/CliContext.js';
import { createLogger } from '../start/createLogger.js';
import { ownKeyFile, privateFiles } from '../start/paths.js';
import { openStore } from './storedSessions.js';

/** A way to save a conversation: as a new one, or as more of one that exists. */
export interface Persistence {
  readonly id?: ConversationId;
  /** The process that has it open is known to be gone. */
  readonly takeOver?: boolean;
}

export interface ConversationSettings extends Omit<ConversationOptions, 'store' | 'logger' | 'clock'> {
  /** Without it the conversation is gone when it is over. */
  readonly persistence?: Persistence;
  readonly debugFile?: string;
}

export interface OpenedConversation {
  readonly conversation: Conversation;
  /** Number of the last event before it was opened. */
  readonly knownSeq: number;
  readonly store?: Store;
}

/** Works with a new or a stored conversation, with its logger and its store, which are closed afterwards. */
export async function withConversation<Value>(
  { persistence, debugFile, ...settings }: ConversationSettings,
  context: CliContext,
  work: (opened: OpenedConversation) => Promise<Value>,
): Promise<Value> {
  const logger = createLogger({ debugFile }, context);
  let store: Store | undefined;
  try {
    store = persistence && (await openStore(context, logger));
    const ownFiles = debugFile === undefined ? [] : [resolve(context.workingFolder, debugFile)];
    const hiddenFiles = privateFiles(context);
    const own = { environment: context.env, ownFiles, hiddenFiles, ...ownKeyFile(context) };
    return await work(await open({ ...settings, ...own, logger, store }, persistence));
  } finally {
    await store?.close();
    logger.close();
  }
}

async function open(
  options: ConversationOptions,
  { id, takeOver }: Persistence = {},
): Promise<OpenedConversation> {
  const { store } = options;
  if (store === undefined || id === undefined)
    return { conversation: await createConversation(options), knownSeq: 0, store };
  const reader = await store.read(id);
  const knownSeq = reader.lastSeq;
  await reader.close();
  try {
    return { conversation: await resumeConversation({ ...options, store, id, takeOver }), knownSeq, store };
  } catch (error) {
    throw explainLock(error);
  }
}

/** Adds to the error how to take over: whether a process of another machine lives is for people to say. */
export function explainLock(error: unknown): unknown {
  if (!(error instanceof ConversationLockedError) || error.holder.host === hostname()) return error;
  const { code, conversationId } = error;
  const message = words.sessions.openElsewhere(describeError(error), conversationId);
  return new HuddleError(code, message, { cause: error });
}
