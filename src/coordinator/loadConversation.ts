import { isAddressed } from '../context/contextWindow.js';
import {
  applyToStatus,
  type ConversationStatus,
  decodeStatus,
  INITIAL_STATUS,
} from '../conversation/ConversationStatus.js';
import type { QueuedTurn } from '../models/ConversationEvent.js';
import type { ConversationMessage } from '../models/ConversationMessage.js';
import { type MessageId, messageNumber } from '../models/ids.js';
import type { AgentMember, Team } from '../models/Team.js';
import { agentsOf } from '../routing/teamMembers.js';
import type { ConversationReader } from '../store/Store.js';
import { toArray } from '../utils/AnyIterable.js';
import { foldName } from '../utils/foldName.js';

/** A stored conversation, and its newest messages: as many as the next prompt of any member can show. */
export interface LoadedConversation extends ConversationStatus {
  readonly messages: readonly ConversationMessage[];
  /** The number of the last event in the checkpoint; 0 without one. */
  readonly checkpointSeq: number;
}

/** Events read at first on the way back from the end; each further step takes twice as many. */
const FIRST_STEP = 64;

/** Reads as little of a log as will do: prompts come out as if all of it had been read. */
export async function loadConversation(
  log: ConversationReader,
  team: Pick<Team, 'members'>,
): Promise<LoadedConversation> {
  const { seq, status } = await foldFromCheckpoint(log);
  const messages = await readNewestMessages(log, createNeed(team, status));
  return { ...status, messages, checkpointSeq: seq };
}

/** Folds a log from its newest checkpoint on. */
export async function loadStatus(log: ConversationReader): Promise<ConversationStatus> {
  return (await foldFromCheckpoint(log)).status;
}

/** `seq` is the checkpoint's. */
async function foldFromCheckpoint(
  log: ConversationReader,
): Promise<{ seq: number; status: ConversationStatus }> {
  const checkpoint = await log.readCheckpoint();
  const known = checkpoint && decodeStatus(checkpoint.value);
  const seq = known === null ? 0 : (checkpoint?.seq ?? 0);
  let status = known ?? INITIAL_STATUS;
  for await (const event of log.read(seq + 1)) status = applyToStatus(status, event);
  return { seq, status };
}

/** Tells, message by message from the newest back, whether another one is needed. */
type Need = (message: ConversationMessage) => boolean;

async function readNewestMessages(
  log: ConversationReader,
  stillNeeded: Need,
): Promise<ConversationMessage[]> {
  const newestFirst: ConversationMessage[] = [];
  let step = FIRST_STEP;
  for (let end = log.lastSeq; end > 0; end -= step, step *= 2) {
    for (const event of (await toArray(log.read(end - step + 1, end))).reverse()) {
      if (event.type !== 'message-added') continue;
      newestFirst.push(event.message);
      if (!stillNeeded(event.message)) return newestFirst.reverse();
    }
  }
  return newestFirst.reverse();
}

/**
 * Every window must be full, and what turns and sessions point at must be there. Ids of a foreign form say nothing about
 * what came before them, so they do not end the search.
 */
function createNeed(team: Pick<Team, 'members'>, { state, memory }: ConversationStatus): Need {
  const turns = [...state.queue, ...state.unfinished.map(({ turn }) => turn), ...state.running];
  const windows = new Set(agentsOf(team).flatMap((member) => windowsOf(member, turns)));
  const pointedAt = new Set<string>([
    ...turns.flatMap(({ triggeredBy, about = triggeredBy }) => [triggeredBy, about]),
    ...[...memory.sessions.values()].flatMap(({ lastSeenMessageId, missed = [] }) => [
      lastSeenMessageId,
      ...missed.map(({ first }) => first),
    ]),
  ]);
  return (message) => {
    pointedAt.delete(message.id);
    for (const window of windows) if (isFilledBy(window, message)) windows.delete(window);
    return windows.size > 0 || pointedAt.size > 0 || messageNumber(message.id) === 0;
  };
}

/** A part of the conversation that a member is shown, on the way back. */
interface UnfilledWindow {
  readonly member: AgentMember;
  /** The message it ends with, as long as that has not come; by default the newest. */
  end?: MessageId | undefined;
  /** Number of messages it still has room for, the current one included. */
  room: number;
}

/** Lists a window that ends now, and one for each question of a blind round: its turn is shown nothing after that. */
function windowsOf(member: AgentMember, turns: readonly QueuedTurn[]): UnfilledWindow[] {
  const questions = turns
    .filter(({ memberId, blindRound }) => memberId === member.id && blindRound !== undefined)
    .map(({ about }) => about);
  return [undefined, ...questions].map((end) => ({ member, end, room: member.window + 1 }));
}

function isFilledBy(window: UnfilledWindow, message: ConversationMessage): boolean {
  if (window.end === message.id) window.end = undefined;
  if (window.end === undefined && isShownTo(window.member, message)) window.room--;
  return window.room === 0;
}

function isShownTo({ id, name, visibility }: AgentMember, message: ConversationMessage): boolean {
  if (visibility === 'all' || message.speaker.roleId === id) return true;
  return isAddressed(message, new Set([foldName(id), foldName(name)]));
}
