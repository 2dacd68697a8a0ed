import { AgentManager } from './agents/AgentManager.js';
import { type AdapterOptions, createAdapter } from './agents/definitions.js';
import type { RehearsalOptions } from './agents/rehearsal/rehearsalDialect.js';
import type { Conversation } from './coordinator/Conversation.js';
import { ConversationStarter } from './coordinator/ConversationStarter.js';
import type { Team } from './models/Team.js';
import { MemoryStore } from './store/memory/MemoryStore.js';
import type { Store } from './store/Store.js';
import type { Logger } from './utils/logger.js';

const MINUTE = 60_000;

export interface ConversationOptions {
  readonly team: Team;
  /** Where agents work. Default: the current folder. */
  readonly workingFolder?: string;
  /** Built-in stand-ins answer in place of the agents. */
  readonly rehearsal?: RehearsalOptions;
  /** Default: in memory. */
  readonly store?: Store;
  readonly logger?: Logger;
  readonly clock?: () => number;
}

/** Puts the parts together: a conversation of this team, ready to be spoken to. */
export function createConversation(options: ConversationOptions): Conversation {
  const { team, rehearsal, logger, clock } = options;
  const adapterOptions: AdapterOptions = { ...(rehearsal && { rehearsal }), ...(logger && { logger }) };
  const agents = new AgentManager({
    workingFolder: options.workingFolder ?? process.cwd(),
    limits: {
      idleMilliseconds: team.limits.idleMinutes * MINUTE,
      totalMilliseconds: team.limits.turnMinutes * MINUTE,
    },
    createAdapter: (agentType) => createAdapter(agentType, adapterOptions),
  });
  return new ConversationStarter().start({
    team,
    agents,
    store: options.store ?? new MemoryStore(clock),
    isRehearsal: rehearsal !== undefined,
    ...(logger && { logger }),
    ...(clock && { clock }),
  });
}
