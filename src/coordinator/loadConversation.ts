import { isAddressed } from '../context/contextWindow.js';
import { messageNumber } from '../context/MessageList.js';
import type { ConversationMessage } from '../models/ConversationMessage.js';
import type { AgentMember, Team } from '../models/Team.js';
import type { ConversationReader } from '../store/Store.js';
import { foldName } from '../utils/foldName.js';
import { applyToStanding, decodeStanding, INITIAL_STANDING, type Standing } from './standing.js';

/** How a conversation stands, and the newest messages: as many as the next prompt of any member can show. */
export interface LoadedConversation extends Standing {
  readonly messages: readonly ConversationMessage[];
}

/** Events read at first on the way back from the end; each further step takes twice as many. */
const FIRST_STEP = 64;

/** Reads as little of a log as will do: prompts come out as if all of it had been read. */
export function loadConversation(log: ConversationReader, team: Team): LoadedConversation {
  const standing = loadStanding(log);
  return { ...standing, messages: readNewestMessages(log, createNeed(team, standing)) };
}

/** From the newest checkpoint on. */
export function loadStanding(log: ConversationReader): Standing {
  const { seq, standing: known } = readKnownStanding(log);
  let standing = known;
  for (const event of log.read(seq + 1)) standing = applyToStanding(standing, event);
  return standing;
}

function readKnownStanding(log: ConversationReader): { seq: number; standing: Standing } {
  const checkpoint = log.readCheckpoint();
  const standing = checkpoint && decodeStanding(checkpoint.value);
  return standing === null ? { seq: 0, standing: INITIAL_STANDING } : { seq: checkpoint?.seq ?? 0, standing };
}

/** Tells, message by message from the newest back, whether another one is needed. */
type Need = (message: ConversationMessage) => boolean;

function readNewestMessages(log: ConversationReader, stillNeeded: Need): ConversationMessage[] {
  const newestFirst: ConversationMessage[] = [];
  let step = FIRST_STEP;
  for (let end = log.lastSeq; end > 0; end -= step, step *= 2) {
    for (const event of [...log.read(end - step + 1, end)].reverse()) {
      if (event.type !== 'message-added') continue;
      newestFirst.push(event.message);
      if (!stillNeeded(event.message)) return newestFirst.reverse();
    }
  }
  return newestFirst.reverse();
}

/**
 * Every member's window must be full, and what turns and sessions point at must be there. Ids of a foreign form say
 * nothing about what came before them, so they do not end the search.
 */
function createNeed(team: Team, { state, memory }: Standing): Need {
  const members = team.members.filter((member): member is AgentMember => member.type === 'ai');
  const room = new Map(members.map((member) => [member, member.window + 1]));
  const turns = [...state.queue, ...memory.unfinished, ...memory.openTurns];
  const pointedAt = new Set<string>([
    ...turns.flatMap(({ triggeredBy, about = triggeredBy }) => [triggeredBy, about]),
    ...[...memory.sessions.values()].flatMap(({ lastSeenMessageId, missed = [] }) => [
      lastSeenMessageId,
      ...missed.map(({ first }) => first),
    ]),
  ]);
  return (message) => {
    pointedAt.delete(message.id);
    for (const [member, left] of room) {
      if (!isShownTo(member, message)) continue;
      if (left === 1) room.delete(member);
      else room.set(member, left - 1);
    }
    return room.size > 0 || pointedAt.size > 0 || messageNumber(message.id) === 0;
  };
}

function isShownTo({ id, name, visibility }: AgentMember, message: ConversationMessage): boolean {
  if (visibility === 'all' || message.speaker.roleId === id) return true;
  return isAddressed(message, new Set([foldName(id), foldName(name)]));
}
