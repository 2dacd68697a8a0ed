import type { ConversationState } from '../../conversation/ConversationState.js';
import type { ConversationSnapshot } from '../../coordinator/Conversation.js';
import type { MemberId, TurnId } from '../../models/ids.js';
import type { Limits, Team } from '../../models/Team.js';
import type { Block } from './Block.js';
import type { LiveTurn } from './LiveTurn.js';
import { createSpeakers, type ShownSpeaker, type Speakers } from './speakers.js';
import type { ToolCall } from './toolCalls.js';

/** What the screen knows: folded from the events of a conversation, never changed otherwise. */
export interface Screen {
  readonly speakers: Speakers;
  readonly limits: Limits;
  readonly conversation: ConversationState;
  readonly task: string | null;
  /** Turns that run, and ended ones whose message has yet to come. */
  readonly turns: readonly LiveTurn[];
  /** The latest tool calls, for those who want to see them in full. */
  readonly toolCalls: readonly ToolCall[];
  readonly toolCount: number;
  /** Those that wait for a person, in the order in which they came. */
  readonly permissions: readonly OpenPermission[];
  /** How many there were: a number is never given twice. */
  readonly questionCount: number;
  /** Whose heading the transcript stands under. */
  readonly heading: TurnId | null;
}

/** A permission request that waits for a person. */
export interface OpenPermission {
  /** By which people answer it. */
  readonly number: number;
  readonly turnId: TurnId;
  readonly memberId: MemberId;
  readonly requestId: string;
  /** What the agent calls the tool. */
  readonly name: string;
  /** All of it in one line. */
  readonly summary: string;
}

/** What an event does: the screen after it, and what it adds to the transcript. */
export interface Step {
  readonly screen: Screen;
  readonly blocks: readonly Block[];
}

/** The screen of a conversation as it stands; from here on it follows the events. */
export function createScreen(team: Team, snapshot: ConversationSnapshot): Screen {
  return {
    speakers: createSpeakers(team.members),
    limits: team.limits,
    conversation: snapshot.state,
    task: snapshot.teamTask,
    turns: [],
    toolCalls: [],
    toolCount: 0,
    permissions: [],
    questionCount: 0,
    heading: null,
  };
}

/** Puts blocks under the heading of their turn, which is printed again when somebody else spoke in between. */
export function addToTurn(screen: Screen, { turnId, memberId }: LiveTurn, blocks: readonly Block[]): Step {
  if (screen.heading === turnId) return { screen, blocks };
  const heading: Block = { kind: 'heading', speaker: speakerOf(screen, memberId), addressees: [] };
  return { screen: { ...screen, heading: turnId }, blocks: [heading, ...blocks] };
}

/** A question that was answered, by whomever. */
export function settleQuestion(screen: Screen, requestId: string): Screen {
  return {
    ...screen,
    permissions: screen.permissions.filter((question) => question.requestId !== requestId),
  };
}

export function findTurn(screen: Screen, turnId: TurnId): LiveTurn | undefined {
  return screen.turns.find((turn) => turn.turnId === turnId);
}

export function replaceTurn(screen: Screen, turn: LiveTurn): Step {
  const turns = screen.turns.map((other) => (other.turnId === turn.turnId ? turn : other));
  return { screen: { ...screen, turns }, blocks: [] };
}

export function speakerOf(screen: Screen, memberId: MemberId, name: string = memberId): ShownSpeaker {
  return screen.speakers.get(memberId) ?? { type: 'human', name };
}
