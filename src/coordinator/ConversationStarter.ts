import type { AgentManager } from '../agents/AgentManager.js';
import { ContextManager } from '../context/ContextManager.js';
import type { Workspace } from '../files/Workspace.js';
import type { ConversationFact, MemberSummary, TeamSummary } from '../models/ConversationEvent.js';
import { HuddleError } from '../models/errors.js';
import { type ConversationId, createConversationId } from '../models/ids.js';
import { isHeldToPermission, mayBeHeld } from '../models/knownPrograms.js';
import type { AgentMember, Member, Team } from '../models/Team.js';
import type { ConversationLog, OpenOptions, Store } from '../store/Store.js';
import type { Logger } from '../utils/logger.js';
import { ConversationCoordinator } from './ConversationCoordinator.js';
import { type LoadedConversation, loadConversation } from './loadConversation.js';
import { findChangedProfiles } from './memberProfile.js';
import type { Pace } from './Round.js';
import { describeReopening } from './reopenFacts.js';
import { canAdopt } from './runTurn.js';

export interface StartOptions {
  readonly team: Team;
  readonly store: Pick<Store, 'create' | 'open' | 'read'>;
  /** The folder it is held in, for the store's list. */
  readonly folder?: string;
  readonly agents: AgentManager;
  readonly isRehearsal?: boolean;
  /** The conversation or recording whose questions it asks again. */
  readonly replayOf?: string;
  readonly logger?: Logger;
  readonly clock?: () => number;
  /** People are there to answer permission requests; without them these are denied. */
  readonly interactive?: boolean;
  /** Id of the conversation. Default: a new one. */
  readonly id?: ConversationId | undefined;
  readonly createId?: () => ConversationId;
  /** Opens the files that agents work on in `folder`, for one conversation; never rejects. Absent: nothing is recorded. */
  readonly openWorkspace?: ((id: ConversationId) => Promise<Workspace>) | undefined;
  /** Absent: turns start as soon as they can. */
  readonly pace?: Pace;
  /** Source of fence nonces. Default: random ones. */
  readonly nonce?: () => string;
}

export interface ResumeOptions
  extends Omit<StartOptions, 'isRehearsal' | 'replayOf' | 'createId' | 'id'>,
    OpenOptions {
  readonly id: ConversationId;
}

/** Builds running conversations: team and store in, handle out. */
export class ConversationStarter {
  async start(options: StartOptions): Promise<ConversationCoordinator> {
    const { team, isRehearsal = false, replayOf } = options;
    const log = await createLog(options);
    return orGiveBack(log, () =>
      openConversation(log, options, [
        {
          type: 'conversation-start',
          conversationId: log.id,
          team: summarizeTeam(team),
          isRehearsal,
          replayOf,
        },
        ...(team.task === undefined ? [] : [{ type: 'task-changed', task: team.task } as const]),
        ...findChangedProfiles(team, new Map()),
      ]),
    );
  }

  /** Opens a saved conversation to continue it. Shows what was running; starts nothing automatically. */
  async resume(options: ResumeOptions): Promise<ConversationCoordinator> {
    const { id, team, store, folder, agents, takeOver = false } = options;
    const log = await store.open(id, { takeOver, folder });
    return orGiveBack(log, async () => {
      const loaded = await loadConversation(log, team);
      const adopted = loaded.state.running.filter((turn) => canAdopt(turn, team, agents));
      const facts = describeReopening(loaded, team, log, adopted);
      const conversation = await openConversation(log, options, facts, loaded);
      conversation.adopt(adopted);
      return conversation;
    });
  }
}

/** A conversation over a log, once its first facts are durable. */
async function openConversation(
  log: ConversationLog,
  options: Omit<StartOptions, 'isRehearsal' | 'createId' | 'id'>,
  facts: readonly ConversationFact[],
  loaded?: LoadedConversation,
): Promise<ConversationCoordinator> {
  const { team, store, agents, logger = {}, clock = Date.now, interactive = false } = options;
  const { folder = '.', openWorkspace, pace, nonce } = options;
  const context = new ContextManager({ maxBytes: team.context.maxBytes, logger, clock, nonce });
  if (loaded !== undefined) {
    const { messages, teamTask } = loaded;
    context.importSnapshot({ messages, teamTask, timestamp: clock(), version: 1 });
  }
  const files = openWorkspace && { folder, openWorkspace: () => openWorkspace(log.id) };
  const parts = { team, store, context, log, agents, logger, clock, interactive, loaded, files, pace };
  const coordinator = new ConversationCoordinator(parts);
  coordinator.record(facts);
  await coordinator.kept();
  return coordinator;
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

/** Creates a log. Our ids are short, so one may be taken; if the next one is too, `createId` is wrong. */
async function createLog({ store, folder, id, ...options }: StartOptions): Promise<ConversationLog> {
  if (id !== undefined) return store.create(id, { folder });
  const { clock = Date.now, createId = () => createConversationId(clock()) } = options;
  try {
    return await store.create(createId(), { folder });
  } catch (error) {
    if (!(error instanceof HuddleError) || error.code !== 'CONVERSATION_EXISTS') throw error;
    return store.create(createId(), { folder });
  }
}

/** The part of a team that everybody may see. */
export function summarizeTeam({ name, members }: Team): TeamSummary {
  return { name, members: members.map(summarizeMember) };
}

function summarizeMember(member: Member): MemberSummary {
  const { id, name, type, title } = member;
  if (member.type === 'ai') return { id, name, type, title, ...summarizeAgent(member) };
  return { id, name, type, title, role: member.role === id ? undefined : member.role };
}

/** The permission of a member that runs elsewhere is known there. */
function summarizeAgent(member: AgentMember): Partial<MemberSummary> {
  const { agentType, model, permission, check, runsOn } = member;
  if (runsOn !== undefined) return { agentType, model, check: check || undefined };
  const isHeld = mayBeHeld(agentType) && !isHeldToPermission(member) ? false : undefined;
  return { agentType, model, permission, isHeld, check: check || undefined };
}
