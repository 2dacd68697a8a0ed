import { resolve } from 'node:path';
import type { AdditionalFolder, AgentAdapter } from './agents/AgentAdapter.js';
import { AgentManager } from './agents/AgentManager.js';
import { createAdapter } from './agents/definitions.js';
import type { RehearsalOptions } from './agents/rehearsal/simulateAgents.js';
import { whenAsked } from './agents/whenAsked.js';
import type { Conversation, SentText } from './coordinator/Conversation.js';
import { ConversationStarter } from './coordinator/ConversationStarter.js';
import type { DecidingConversation } from './coordinator/Grant.js';
import type { Workspace } from './files/Workspace.js';
import type { ParticipantParts } from './machines/Participant.js';
import { HuddleError, InvalidOptionError } from './models/errors.js';
import type { ConversationId } from './models/ids.js';
import { checkServers, type McpServer } from './models/McpServer.js';
import type { Team } from './models/Team.js';
import { MemoryStore } from './store/memory/MemoryStore.js';
import { isShared, type SharedStore } from './store/postgres/SharedStore.js';
import { isSafeId, type OpenOptions, type Store } from './store/Store.js';
import type { Logger } from './utils/logger.js';

const MINUTE = 60_000;

/** Options of `createConversation`. */
export interface ConversationOptions {
  /** The team: from `defineTeam`, `loadTeamFile` or `createDefaultTeam`. */
  readonly team: Team;
  /** Id of the conversation: 1 to 64 letters, digits and hyphens. Default: a new one, such as `20261115-0212-9f3c`. */
  readonly id?: string;
  /** The folder agents work in. Default: the current folder. */
  readonly workingFolder?: string;
  /** Folders that count as inside for agents besides the working folder. What changes in them is not recorded. */
  readonly additionalFolders?: readonly AdditionalFolder[];
  /**
   * MCP servers, at most 20, for members with the permission `edit` or `full`, besides those of their own settings. Members that
   * cannot be given one say so in a warning, once.
   */
  readonly mcpServers?: readonly McpServer[];
  /** The file the team came from: no agent changes it unless a person says so. */
  readonly teamFile?: string;
  /** Simulated agents answer in place of the real ones, at no cost; `{}` is enough. */
  readonly rehearsal?: RehearsalOptions;
  /** Saves the conversation. Default: in memory only. */
  readonly store?: Store;
  /** Receives notes for developers. Default: none are written. */
  readonly logger?: Logger;
  /** Milliseconds since 1970, for tests. Default: `Date.now`. */
  readonly clock?: () => number;
  /**
   * People follow the conversation and answer permission requests, with `answerPermission`. Otherwise what the team file
   * does not allow is denied.
   */
  readonly interactive?: boolean;
  /** The environment that agents get theirs from, and in which git runs. Default: that of the process. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Programs inside the project that PATH may lead to; the others are passed over. */
  readonly trustedPrograms?: readonly string[];
  /**
   * Huddle's own folder. Changes of files are recorded there; without it nothing is recorded. Agents are told of it, so that
   * what only people may do there is refused to them.
   */
  readonly dataFolder?: string;
  /** Files of the program itself, such as its log: not recorded when they lie in the working folder. */
  readonly ownFiles?: readonly string[];
  /** Files that agents may neither read nor write through us, such as keys, wherever they lie. */
  readonly hiddenFiles?: readonly string[];
  /**
   * File with the private key of this machine, made when it is missing: it signs what members on other machines (`runsOn`) are
   * asked, which needs a shared `store`.
   */
  readonly keyFile?: string;
  /** Id of the conversation, or name of the recording, whose questions it asks again; told in lists. */
  readonly replayOf?: string;
  /** Hears exactly what a member is sent, when its turn begins. */
  readonly onPrompt?: (sent: SentText) => void;
}

/**
 * Creates a conversation of a team. No agent starts before the first `send`.
 *
 * Call `close()` at the end: agents are processes. The library does not ask for trust, so you are responsible for what
 * the team runs.
 *
 * @returns The handle: `send`, `subscribe`, `settled`, `close` and more.
 * @throws {@link StoreUnavailableError}, {@link StoreWriteError} (as a rejection) if the `store` cannot save it.
 * @throws {@link ConversationExistsError} (as a rejection) if the store has a conversation with this `id`.
 * @throws {@link HuddleError} `INVALID_OPTION` (as a rejection) if the `id` cannot be one, `mcpServers` are wrong, or the
 * `team` has no `limits.parallel`; `defineTeam` adds it.
 *
 * @example
 * ```ts
 * const conversation = await createConversation({ team, rehearsal: {} });
 * conversation.subscribe((event) => {
 *   if (event.type === 'message-added') console.log(event.message.content);
 * });
 * await conversation.send('Is the login safe? [NEXT: reviewer]');
 * await conversation.settled();
 * await conversation.close();
 * ```
 */
export async function createConversation(given: ConversationOptions): Promise<Conversation> {
  const options = identifyUser(given);
  const { rehearsal, clock, store = new MemoryStore(clock), replayOf } = options;
  const conversation = await new ConversationStarter().start({
    ...startOf(options),
    id: requireSafeId(options.id),
    store,
    isRehearsal: rehearsal !== undefined,
    replayOf,
  });
  if (!isShared(store)) return conversation;
  const { holdShared } = await SHARED();
  return holdShared(participantOf({ ...options, id: conversation.id, store }, store), conversation);
}

/** The only person of a team that no file describes is the one who uses this store, whatever their role is called. */
function identifyUser<Options extends ConversationOptions>(options: Options): Options {
  const { team, teamFile, store } = options;
  const people = team.members.filter(({ type }) => type === 'human');
  if (store === undefined || !isShared(store) || teamFile !== undefined || people.length !== 1)
    return options;
  const { role } = store.database;
  const members = team.members.map((member) => (member.type === 'human' ? { role, ...member } : member));
  return { ...options, team: { ...team, members } };
}

/** Loaded with the first conversation that others may share. */
const SHARED = () => import('./machines/JoinedConversation.js');

/** The place of this process in a conversation that others may share. */
function participantOf(options: ResumeConversationOptions, store: SharedStore): ParticipantParts {
  const { id, team, logger } = options;
  const hold = ({ takeOver }: { readonly takeOver: boolean }) =>
    new ConversationStarter().resume({ ...startOf(options), id, store, takeOver });
  return { store, id, team, hold, logger };
}

/** Ids are parts of file names and are typed at the command line. */
function requireSafeId(id: string | undefined): ConversationId | undefined {
  if (id === undefined || isSafeId(id)) return id;
  throw new InvalidOptionError('id', JSON.stringify(id), '1 to 64 letters, digits and hyphens');
}

/** Options of `resumeConversation`. */
export interface ResumeConversationOptions extends ConversationOptions, Pick<OpenOptions, 'takeOver'> {
  /** Id of the conversation; `store.list()` has them. */
  readonly id: ConversationId;
  /** The store that it is in. */
  readonly store: Store;
}

/**
 * Opens a saved conversation to continue it. Nothing runs before `send`, `retry` or `resume`.
 *
 * @throws {@link UnknownConversationError} (as a rejection) if the store has no conversation with this `id`.
 * @throws {@link ConversationLockedError} (as a rejection) if another process has it open; reading it with
 * `store.read(id)` always works. A conversation of a shared store is followed instead.
 *
 * @example
 * ```ts
 * const store = new SqliteStore({ file: 'conversations.sqlite' });
 * const conversation = await resumeConversation({ id, team, store });
 * await conversation.send('Continue with the second point.');
 * ```
 */
export async function resumeConversation(given: ResumeConversationOptions): Promise<Conversation> {
  const options = identifyUser(given);
  const { id, store, takeOver } = options;
  if (!isShared(store)) return new ConversationStarter().resume({ ...startOf(options), id, store, takeOver });
  const { openShared } = await SHARED();
  const conversation = await openShared({ ...participantOf(options, store), takeOver });
  // Whoever holds it has noted this already.
  if (!conversation.presence?.holder?.isHere) await store.visit(id, folderOf(options));
  return conversation;
}

interface StartingOptions extends ConversationOptions {
  /** Asks the workers of members that run elsewhere. Default: one with the key of `keyFile`, if there are any. */
  readonly remote?: AgentAdapter;
}

export interface HoldOptions extends StartingOptions {
  readonly id: ConversationId;
  readonly store: SharedStore;
  /** It is there already, and goes on. */
  readonly isBegun: boolean;
}

/** Opens a conversation of a shared store for this process to decide. Rejects with ConversationLockedError; others are let in by the caller. */
export function holdConversation({ isBegun, ...options }: HoldOptions): Promise<DecidingConversation> {
  const { id, store } = options;
  const starter = new ConversationStarter();
  return isBegun
    ? starter.resume({ ...startOf(options), id, store })
    : starter.start({ ...startOf(options), id, store, isRehearsal: options.rehearsal !== undefined });
}

function startOf(options: StartingOptions) {
  const { team, logger, clock, interactive } = options;
  const { parallel } = team.limits;
  // A team that was written by hand, in JavaScript: its turns would wait forever.
  if (!(parallel >= 1))
    throw new InvalidOptionError('team.limits.parallel', parallel, 'a number of at least 1; see defineTeam');
  checkServers(options.mcpServers ?? []);
  const openWorkspace = workspaceOpener(options);
  const folder = folderOf(options);
  return { team, logger, clock, interactive, folder, openWorkspace, agents: createAgents(options) };
}

/** Asks the machines of members that run elsewhere; undefined: all run here, or are simulated. */
function remoteOf({ team, rehearsal, store, keyFile }: ConversationOptions): AgentAdapter | undefined {
  const elsewhere = team.members.filter((member) => member.type === 'ai' && member.runsOn !== undefined);
  if (elsewhere.length === 0 || rehearsal !== undefined) return undefined;
  if (store === undefined || !isShared(store))
    throw new HuddleError('NEEDS_SHARED_STORE', { members: elsewhere.map(({ name }) => name) });
  if (keyFile === undefined)
    throw new InvalidOptionError('keyFile', keyFile, 'a path, because members run on other machines');
  const { waitMinutes } = team.limits;
  // Loaded with the first turn that runs elsewhere.
  return whenAsked(async () => {
    const { loadMachineKey } = await import('./config/machineKey.js');
    const { askWorkers } = await import('./machines/askTurn.js');
    return askWorkers({ store, key: await loadMachineKey(resolve(keyFile)), waitMinutes });
  });
}

/** Undefined: nothing is recorded of the files that agents work on. */
function workspaceOpener(
  options: ConversationOptions,
): ((conversationId: ConversationId) => Promise<Workspace>) | undefined {
  const { team, dataFolder, rehearsal, store, logger, environment: env, ownFiles = [] } = options;
  if (dataFolder === undefined || rehearsal !== undefined || team.files?.record === false) return undefined;
  const maxFileBytes = team.files?.maxFileBytes;
  const limit = maxFileBytes === undefined ? {} : { maxFileBytes };
  const own = { ownFiles: ownFiles.map((file) => resolve(file)) };
  const place = { folder: folderOf(options), logger, env, ...limit, ...own };
  // Loaded with the first conversation that records.
  return async (conversationId) => {
    const { openWorkspace } = await import('./files/openWorkspace.js');
    // A conversation that is not saved leaves nothing behind, of files neither.
    return openWorkspace({ ...place, conversationId, dataFolder: store && resolve(dataFolder) });
  };
}

function createAgents(options: StartingOptions): AgentManager {
  const {
    team,
    rehearsal,
    store,
    logger,
    teamFile,
    environment,
    trustedPrograms,
    hiddenFiles = [],
  } = options;
  const { additionalFolders = [], mcpServers = [] } = options;
  const remote = options.remote ?? remoteOf(options);
  const settings = {
    rehearsal,
    logger,
    environment,
    trustedPrograms,
    hidesPostgres: store !== undefined && isShared(store),
  };
  return new AgentManager({
    workingFolder: folderOf(options),
    preparation: settings,
    teamFile: teamFile && resolve(teamFile),
    hiddenFiles: hiddenFiles.map((file) => resolve(file)),
    additionalFolders: additionalFolders.map((folder) => ({ ...folder, path: resolve(folder.path) })),
    mcpServers,
    limits: {
      idleMilliseconds: team.limits.idleMinutes * MINUTE,
      totalMilliseconds: team.limits.turnMinutes * MINUTE,
    },
    createAdapter: (agentType) => reportPrompts(createAdapter(agentType, settings), options),
    remote: remote && reportPrompts(remote, options),
  });
}

function folderOf({ workingFolder = '.' }: ConversationOptions): string {
  return resolve(workingFolder);
}

/** Wraps an adapter so that prompts and events are told to `onPrompt` and to the debug log. */
function reportPrompts(adapter: AgentAdapter, { onPrompt, logger }: ConversationOptions): AgentAdapter {
  if (onPrompt === undefined && logger?.debug === undefined) return adapter;
  return {
    adopt: adapter.adopt?.bind(adapter),
    reportOf: adapter.reportOf?.bind(adapter),
    close: async () => adapter.close?.(),
    async *runTurn(request, signal) {
      const { memberName, prompt, systemFlag } = request;
      onPrompt?.({ memberName, prompt, systemFlag });
      for await (const event of adapter.runTurn(request, signal)) {
        logger?.debug?.(`[Debug][Jsonl] ${memberName} ${JSON.stringify(event)}`);
        yield event;
      }
    },
  };
}
