import { realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { describeError } from '../../catalogue/errors.js';
import { words } from '../../catalogue/words.js';
import { LOCAL_STORE } from '../../config/stores.js';
import type { Conversation } from '../../coordinator/Conversation.js';
import type {
  Attachment,
  Conversations,
  ListQuery,
  OpenChoice,
  ReadConversation,
  TeamChanges,
  TeamHere,
} from '../../coordinator/Conversations.js';
import { createConversation, resumeConversation } from '../../createConversation.js';
import { HuddleError } from '../../models/errors.js';
import type { ConversationId } from '../../models/ids.js';
import { type ForkedConversation, forkConversation } from '../../store/forkConversation.js';
import { MemoryStore } from '../../store/memory/MemoryStore.js';
import { isShared } from '../../store/postgres/SharedStore.js';
import { type ConversationPage, isSafeId, type Store } from '../../store/Store.js';
import { ConversationLockedError, UnknownConversationError } from '../../store/storeErrors.js';
import type { ConversationSummary } from '../../store/summary.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';
import { loadSession } from '../sessions/loadSession.js';
import { requireSameTeam } from '../sessions/resumeSession.js';
import { deleteWhole, findSession, listStored, openStore } from '../sessions/storedSessions.js';
import { explainLock } from '../sessions/withConversation.js';
import type { CliContext } from '../start/CliContext.js';
import { type ClosableLogger, createLogger } from '../start/createLogger.js';
import { ownKeyFile, privateFiles } from '../start/paths.js';
import type { RunFlags } from '../start/RunFlags.js';
import { limitTeam } from '../team/adjustTeam.js';
import { chooseStore, findExplicitName, findStoreName } from '../team/chooseStore.js';
import {
  type ChosenTeam,
  completeTeam,
  type FoundTeam,
  findTeam,
  type TeamChoice,
  vouchFor,
} from '../team/chooseTeam.js';
import { Project } from '../team/Project.js';
import { markProjectPrograms } from '../trust/examineTrust.js';
import { requireUnnested } from '../trust/outerTurn.js';
import { findAttachments, saveAttachment } from './attachments.js';

const DAY = 24 * 60 * 60 * 1000;

/** Flags of the commands that serve conversations. */
export interface ServingFlags
  extends Pick<RunFlags, 'team' | 'trust' | 'nested' | 'maxTurns' | 'maxUsd' | 'debugFile'> {
  /** Conversations are gone when the process ends. */
  readonly ephemeral?: boolean;
}

/**
 * Opens the conversations of the user for a front end that holds many. What commands say to people goes to its debug log, which
 * is closed with them.
 */
export function openConversations(
  flags: ServingFlags,
  context: CliContext,
  logger: ClosableLogger = createLogger(flags, context),
): Conversations {
  return new UserConversations(flags, context, logger);
}

class UserConversations implements Conversations {
  readonly #choice: TeamChoice;
  readonly #isEphemeral: boolean;
  readonly #context: CliContext;
  readonly #logger: ClosableLogger;
  readonly #ownFiles: readonly string[];
  #store: Promise<Store> | undefined;
  /** Conversations that were made here. */
  readonly #created = new Set<ConversationId>();
  #clearing: Promise<void> = Promise.resolve();

  constructor(
    { debugFile, ephemeral = false, team, ...flags }: ServingFlags,
    context: CliContext,
    logger: ClosableLogger,
  ) {
    const { workingFolder } = context;
    this.#logger = logger;
    this.#ownFiles = debugFile === undefined ? [] : [resolve(workingFolder, debugFile)];
    this.#context = { ...context, hear: (line) => this.#logger.debug?.(`[Debug] ${line}`) };
    this.#isEphemeral = ephemeral;
    const file = team === undefined ? {} : { team: resolve(workingFolder, team) };
    this.#choice = { ...flags, ...file, isRehearsal: false, staysHere: true, isQuick: true };
  }

  async teamOf(folder: string, changes: TeamChanges = {}): Promise<TeamHere> {
    const here = await this.#at(folder);
    const found = await findTeam(this.#choice, here);
    const team = await markProjectPrograms(found.subject, here);
    const limited = limitTeam(completeTeam(team, this.#choice, here), changes);
    const refusal = await this.#findRefusal(found, here);
    const isShared = !this.#isEphemeral && (await chooseStore(this.#context)) !== undefined;
    return { ...limited, ...(isShared && { isShared }), ...(refusal && { refusal }) };
  }

  async create(folder: string): Promise<ConversationId> {
    const here = await this.#at(folder);
    const found = await findTeam(this.#choice, here);
    await this.#requireStoreOf(found);
    const store = await this.#stored();
    const { workingFolder, team } = found.subject;
    const options = { team, workingFolder, store, logger: this.#logger, ...ownKeyFile(here) };
    const conversation = await createConversation(options);
    await conversation.close();
    this.#created.add(conversation.id);
    return conversation.id;
  }

  async open(id: ConversationId, choice: OpenChoice): Promise<Conversation> {
    const { folder, additionalFolders = [], mcpServers = [], interactive = false } = choice;
    const store = await this.#stored();
    const here = await this.#at(folder);
    const found = await findTeam(this.#choice, here);
    await this.#requireStoreOf(found);
    await this.#requireSameTeam(id, found, store);
    const chosen = await this.#vouch(found, here);
    const { team } = limitTeam(chosen.team, choice);
    const { dataFolder } = this.#context;
    const attachments = findAttachments(dataFolder, id);
    const opening = resumeConversation({
      ...chosen,
      ...{ id, store, team, dataFolder, interactive, mcpServers, environment: here.env },
      ...{ logger: this.#logger, ownFiles: this.#ownFiles, hiddenFiles: privateFiles(here) },
      ...ownKeyFile(here),
      additionalFolders: [
        ...additionalFolders,
        ...(attachments === undefined ? [] : [{ path: attachments, isReadOnly: true }]),
      ],
    });
    return opening.catch((error) => {
      throw explainLock(error);
    });
  }

  async fork(id: ConversationId): Promise<ForkedConversation> {
    const store = await this.#stored();
    const { summary, reader } = await this.#read(id, store);
    await reader.close();
    const { dataFolder } = this.#context;
    const { holdContents } = await import('../../files/letGo.js');
    return forkConversation(store, id, {
      ...(summary.folder !== undefined && { folder: summary.folder }),
      holdContents: (forkId, contentIds) => holdContents(dataFolder, forkId, contentIds),
    });
  }

  async read(id: string, folder?: string): Promise<ReadConversation> {
    const store = await this.#stored();
    const here = folder === undefined ? undefined : await this.foldersOf(folder);
    // A shared store does not know names of folders: that a session is held in one of these is known when they are named.
    if (here !== undefined && isShared(store)) await store.list({ folders: here, limit: 1 });
    const summary = await findSession(store, id);
    if (here !== undefined) requireHeldIn(here, summary, store);
    return { summary, reader: await store.read(summary.id) };
  }

  async list({ folder, folders, ...query }: ListQuery): Promise<ConversationPage> {
    const store = await this.#stored();
    const wanted = folder === undefined ? folders : await spellings(folder);
    return store.list({ ...query, folders: wanted, isReal: true });
  }

  async foldersOf(folder: string): Promise<readonly string[]> {
    const near = await new Project(folder).folders();
    return (await Promise.all(near.map(spellings))).flat();
  }

  async delete(id: ConversationId): Promise<void> {
    await deleteWhole(requireKnowable(id), await this.#stored(), this.#context);
  }

  async attach(id: ConversationId, attachment: Attachment): Promise<string> {
    const store = await this.#stored();
    const { reader } = await this.#read(id, store);
    await reader.close();
    return saveAttachment(this.#context.dataFolder, id, attachment);
  }

  async close(): Promise<void> {
    const store = await this.#store;
    await this.#clearing;
    if (store !== undefined && this.#isEphemeral) await this.#forgetAll(store);
    else if (store !== undefined && isShared(store)) await this.#forgetCreated(store);
    await store?.close();
    this.#logger.close();
  }

  /** The same program in another folder. Rejects if there is no such folder. */
  async #at(folder: string): Promise<CliContext> {
    const found = await stat(folder).catch(() => undefined);
    if (found?.isDirectory() !== true)
      throw new HuddleError('NO_FOLDER', () => words.adjust.noFolder(sanitizeToOneLine(folder)));
    // Opened anew each time: the file may have changed since.
    const project = new Project(folder, this.#context.settings.team);
    return { ...this.#context, workingFolder: folder, project };
  }

  /** Rejects if the team of a folder keeps its conversations elsewhere: a process has one store, unless the user names it. */
  async #requireStoreOf({ subject, teamFile = '' }: FoundTeam): Promise<void> {
    if (this.#isEphemeral || findExplicitName(this.#context) !== undefined) return;
    const { store: wanted = LOCAL_STORE } = subject.team;
    const { name: used = LOCAL_STORE } = (await findStoreName(this.#context)) ?? {};
    if (wanted === used) return;
    const file = sanitizeToOneLine(teamFile);
    throw new HuddleError('OTHER_STORE', () => words.stores.otherStore(wanted, file));
  }

  async #requireSameTeam(id: ConversationId, { subject }: FoundTeam, store: Store): Promise<void> {
    const stored = await this.#read(id, store);
    try {
      // Nothing in it was said by the agents that would continue.
      if (stored.summary.isRehearsal) throw new HuddleError('OTHER_TEAM', () => words.adjust.rehearsed(id));
      requireSameTeam(await loadSession(stored), subject.team);
    } finally {
      await stored.reader.close();
    }
  }

  async #vouch(found: FoundTeam, here: CliContext): Promise<ChosenTeam> {
    if (!this.#choice.nested) requireUnnested(here);
    return vouchFor(found, this.#choice, here);
  }

  async #findRefusal(found: FoundTeam, here: CliContext): Promise<HuddleError | undefined> {
    try {
      await this.#vouch(found, here);
      return undefined;
    } catch (error) {
      if (error instanceof HuddleError) return error;
      throw error;
    }
  }

  #stored(): Promise<Store> {
    this.#store ??= this.#openStore();
    return this.#store;
  }

  async #openStore(): Promise<Store> {
    if (this.#isEphemeral) return new MemoryStore();
    const store = await openStore(this.#context, this.#logger);
    if (isShared(store)) return store;
    this.#clearing = this.#forgetUnused(store).catch((error) => this.#logger.warn?.(describeError(error)));
    return store;
  }

  /** Deletes conversations that a front end made and no one ever said anything in. */
  async #forgetUnused(store: Store): Promise<void> {
    const before = Date.now() - DAY;
    for await (const { id, state, changedAt } of listStored(store))
      if (state === 'empty' && changedAt < before) await this.#forget(id, store);
  }

  /** The same for those of this process, in a store that may hold millions. */
  async #forgetCreated(store: Store): Promise<void> {
    for (const id of this.#created) {
      const [summary] = await store.find(id);
      if (summary?.state === 'empty') await this.#forget(id, store);
    }
  }

  async #forgetAll(store: Store): Promise<void> {
    for await (const { id } of listStored(store)) await this.#forget(id, store);
  }

  async #forget(id: ConversationId, store: Store): Promise<void> {
    await deleteWhole(id, store, this.#context).catch((error) => {
      // Opened or deleted since it was listed.
      if (!(error instanceof ConversationLockedError || error instanceof UnknownConversationError))
        throw error;
    });
  }

  async #read(id: ConversationId, store: Store): Promise<ReadConversation> {
    const reader = await store.read(requireKnowable(id));
    const [summary] = await store.find(id);
    if (summary !== undefined) return { summary, reader };
    await reader.close();
    throw new UnknownConversationError(id);
  }
}

/** Throws if a conversation is held elsewhere. Of one in a shared store that nothing is known of, that has to be assumed. */
function requireHeldIn(here: readonly string[], { id, folder }: ConversationSummary, store: Store): void {
  if (folder === undefined ? !isShared(store) : here.includes(folder)) return;
  throw new HuddleError('OTHER_FOLDER', () => words.adjust.otherFolder(id));
}

/** The id, unless no conversation can have it. */
function requireKnowable(id: ConversationId): ConversationId {
  if (isSafeId(id)) return id;
  throw new UnknownConversationError(id);
}

/** The paths by which a folder may have been named when a conversation was held in it. */
async function spellings(folder: string): Promise<readonly string[]> {
  const real = await realpath(folder).catch(() => folder);
  return real === folder ? [folder] : [folder, real];
}
