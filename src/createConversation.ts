import { resolve } from 'node:path';
import type { AgentAdapter } from './agents/AgentAdapter.js';
import { AgentManager } from './agents/AgentManager.js';
import { createAdapter } from './agents/definitions.js';
import type { RehearsalOptions } from './agents/rehearsal/simulateAgents.js';
import type { Conversation, SentText } from './coordinator/Conversation.js';
import { ConversationStarter } from './coordinator/ConversationStarter.js';
import type { ConversationId } from './models/ids.js';
import type { Team } from './models/Team.js';
import { MemoryStore } from './store/memory/MemoryStore.js';
import type { OpenOptions, Store } from './store/Store.js';
import type { Logger } from './utils/logger.js';

const MINUTE = 60_000;

export interface ConversationOptions {
  readonly team: Team;
  /** The folder agents work in. Default: the current folder. */
  readonly workingFolder?: string;
  /** The file the team came from: no agent changes it unless a person says so. */
  readonly teamFile?: string;
  /** Simulated agents answer in place of the real ones. */
  readonly rehearsal?: RehearsalOptions;
  /** Default: in memory. */
  readonly store?: Store;
  readonly logger?: Logger;
  readonly clock?: () => number;
  /**
   * People follow the conversation and answer permission requests, with `answerPermission`. Otherwise what the team file
   * does not allow is denied.
   */
  readonly interactive?: boolean;
  /** Programs inside the project that PATH may lead to; the others are passed over. */
  readonly trustedPrograms?: readonly string[];
  /** Huddle's own folder, which agents are told of, so that what only people may do there is refused to them. */
  readonly dataFolder?: string;
  /** Hears exactly what a member is sent, when its turn begins. */
  readonly onPrompt?: (sent: SentText) => void;
}

/** Puts the parts together: a conversation of this team, ready to be spoken to. */
export function createConversation(options: ConversationOptions): Promise<Conversation> {
  const { rehearsal, clock, store = new MemoryStore(clock) } = options;
  return new ConversationStarter().start({
    ...startOf(options),
    store,
    isRehearsal: rehearsal !== undefined,
  });
}

export interface ResumeConversationOptions extends ConversationOptions, Pick<OpenOptions, 'takeOver'> {
  readonly id: ConversationId;
  readonly store: Store;
}

/** Opens a stored conversation to continue it. Rejects with ConversationLockedError, UnknownConversationError. */
export function resumeConversation(options: ResumeConversationOptions): Promise<Conversation> {
  const { id, store, takeOver } = options;
  return new ConversationStarter().resume({ ...startOf(options), id, store, takeOver });
}

function startOf(options: ConversationOptions) {
  const { team, logger, clock, interactive } = options;
  return { team, logger, clock, interactive, folder: folderOf(options), agents: createAgents(options) };
}

function createAgents(options: ConversationOptions): AgentManager {
  const { team, rehearsal, logger, teamFile, trustedPrograms, dataFolder } = options;
  const settings = {
    rehearsal,
    logger,
    trustedPrograms,
    ...(dataFolder !== undefined && { dataFolder: resolve(dataFolder) }),
  };
  return new AgentManager({
    workingFolder: folderOf(options),
    ...(teamFile !== undefined && { teamFile: resolve(teamFile) }),
    limits: {
      idleMilliseconds: team.limits.idleMinutes * MINUTE,
      totalMilliseconds: team.limits.turnMinutes * MINUTE,
    },
    createAdapter: (agentType) => reportPrompts(createAdapter(agentType, settings), options),
  });
}

function folderOf({ workingFolder = '.' }: ConversationOptions): string {
  return resolve(workingFolder);
}

/** Wraps an adapter so that prompts and events are told to `onPrompt` and to the debug log. */
function reportPrompts(adapter: AgentAdapter, { onPrompt, logger }: ConversationOptions): AgentAdapter {
  if (onPrompt === undefined && logger?.debug === undefined) return adapter;
  return {
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
