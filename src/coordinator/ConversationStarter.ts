import { randomBytes } from 'node:crypto';
import type { AgentManager } from '../agents/AgentManager.js';
import { ContextManager } from '../context/ContextManager.js';
import type { MemberSummary, TeamSummary } from '../models/ConversationEvent.js';
import { HuddleError } from '../models/errors.js';
import type { ConversationId } from '../models/ids.js';
import type { Member, Team } from '../models/Team.js';
import type { ConversationLog, OpenOptions, Store } from '../store/Store.js';
import type { Logger } from '../utils/logger.js';
import type { Conversation } from './Conversation.js';
import { ConversationCoordinator } from './ConversationCoordinator.js';
import { loadConversation } from './loadConversation.js';
import { findChangedProfiles } from './memberProfile.js';
import { describeReopening } from './reopenFacts.js';

export interface StartOptions {
  readonly team: Team;
  readonly store: Store;
  /** Where it is held, for the store's list. */
  readonly folder?: string;
  readonly agents: AgentManager;
  readonly isRehearsal?: boolean;
  readonly logger?: Logger;
  readonly clock?: () => number;
  /** People are there to answer what agents ask leave for; without them it is denied. */
  readonly asksPeople?: boolean;
  readonly createId?: () => ConversationId;
}

export interface ResumeOptions extends Omit<StartOptions, 'isRehearsal' | 'createId'>, OpenOptions {
  readonly id: ConversationId;
}

/** Builds running conversations: team and store in, handle out. */
export class ConversationStarter {
  async start({
    team,
    store,
    folder,
    agents,
    isRehearsal = false,
    logger = {},
    clock = Date.now,
    asksPeople = false,
    createId = () => createConversationId(clock()),
  }: StartOptions): Promise<Conversation> {
    const context = new ContextManager({ maxBytes: team.context.maxBytes, logger, clock });
    const log = await createLog(store, createId, folder);
    const { id } = log;
    return orGiveBack(log, async () => {
      const parts = { id, team, context, log, agents, logger, clock, asksPeople };
      const coordinator = new ConversationCoordinator(parts);
      coordinator.record([
        { type: 'conversation-start', conversationId: id, team: summarize(team), isRehearsal },
        ...(team.task === undefined ? [] : [{ type: 'task-changed', task: team.task } as const]),
        ...findChangedProfiles(team, new Map()),
      ]);
      await coordinator.kept();
      return coordinator;
    });
  }

  /** Opens a stored conversation to go on with it. What was going on is shown, and nothing starts by itself. */
  async resume({
    id,
    team,
    store,
    folder,
    agents,
    logger = {},
    clock = Date.now,
    asksPeople = false,
    takeOver = false,
  }: ResumeOptions): Promise<Conversation> {
    const log = await store.open(id, { takeOver, folder });
    return orGiveBack(log, async () => {
      const { messages, checkpointSeq, ...standing } = await loadConversation(log, team);
      const { teamTask } = standing;
      const context = new ContextManager({ maxBytes: team.context.maxBytes, logger, clock });
      context.importSnapshot({ messages, teamTask, timestamp: clock(), version: 1 });
      const parts = { id, team, context, log, agents, logger, clock, standing, checkpointSeq, asksPeople };
      const coordinator = new ConversationCoordinator(parts);
      coordinator.record(describeReopening(standing, team, log));
      await coordinator.kept();
      return coordinator;
    });
  }
}

/** Gives a log back if no conversation comes of it. */
async function orGiveBack<Value>(log: ConversationLog, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    await log.close();
    throw error;
  }
}

/** Ids are short, so one may be taken; that the next one is too is a mistake of whoever makes them. */
async function createLog(
  store: Store,
  createId: () => ConversationId,
  folder: string | undefined,
): Promise<ConversationLog> {
  try {
    return await store.create(createId(), { folder });
  } catch (error) {
    if (!(error instanceof HuddleError) || error.code !== 'CONVERSATION_EXISTS') throw error;
    return store.create(createId(), { folder });
  }
}

/** Sorts by the time it was made, and is short enough to type: `20261115-0212-9f3c`. */
function createConversationId(now: number): ConversationId {
  const stamp = new Date(now).toISOString().replaceAll(/[-:]/g, '');
  return `${stamp.slice(0, 8)}-${stamp.slice(9, 13)}-${randomBytes(2).toString('hex')}` as ConversationId;
}

function summarize({ name, members }: Team): TeamSummary {
  return { name, members: members.map(summarizeMember) };
}

function summarizeMember(member: Member): MemberSummary {
  const { id, name, type, title } = member;
  return {
    id,
    name,
    type,
    ...(title !== undefined && { title }),
    ...(member.type === 'ai' && { agentType: member.agentType, permission: member.permission }),
  };
}
