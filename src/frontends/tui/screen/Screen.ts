import type { Catalogue } from '../../../catalogue/words.js';
import type { Conversation, ConversationSnapshot } from '../../../coordinator/Conversation.js';
import { isHeld } from '../../../coordinator/ConversationPresence.js';
import type { ConversationEvent } from '../../../models/ConversationEvent.js';
import type { TurnId } from '../../../models/ids.js';
import type { Limits, Team } from '../../../models/Team.js';
import type { Block, ToolCall, TurnOf } from '../../../presentation/Block.js';
import { describeBlock, headingOf } from '../../../presentation/describeBlock.js';
import type { LiveTurn } from '../../../presentation/LiveTurn.js';
import type { Paragraph } from '../../../presentation/Paragraph.js';
import { NEW_TELLING, showMembers, type Telling } from '../../../presentation/Telling.js';
import { tell } from '../../../presentation/tell.js';

const KEPT_CALLS = 500;

/** The conversation as the terminal knows it: its telling, and what only a screen asks for. */
export interface Screen extends Telling {
  readonly limits: Limits;
  /** Simulated agents answer: what they report was never used. */
  readonly isRehearsal: boolean;
  /** The latest tool calls that have ended, to be shown in full on request. */
  readonly toolCalls: readonly ToolCall[];
  /** The turn whose heading the transcript stands under. */
  readonly heading: TurnId | null;
}

/** The screen of a conversation as it stands; from here on it follows the events. */
export function createScreen(
  team: Team,
  { state, teamTask }: ConversationSnapshot,
  isRehearsal = false,
): Screen {
  const members = showMembers(team.members);
  return {
    ...NEW_TELLING,
    members,
    conversation: state,
    task: teamTask,
    limits: team.limits,
    isRehearsal,
    toolCalls: [],
    heading: null,
  };
}

/** The effect of an event: the screen after it, and what it adds to the transcript. */
export interface ScreenStep {
  readonly screen: Screen;
  readonly paragraphs: readonly Paragraph[];
}

export function applyEvent(screen: Screen, event: ConversationEvent, words: Catalogue): ScreenStep {
  const { telling, blocks } = tell(screen, event);
  const paragraphs: Paragraph[] = [];
  let { heading, toolCalls } = screen;
  for (const block of blocks) {
    const described = describeBlock(block, telling, {
      words,
      isRehearsal: screen.isRehearsal,
      command: slashCommand,
    });
    const turn = turnOf(block);
    if (block.kind === 'message' && turn === undefined) heading = null;
    if (turn !== undefined && described.length > 0 && heading !== turn.turnId) {
      heading = turn.turnId;
      paragraphs.push(headingOf(turn.member));
    }
    paragraphs.push(...described);
    if (block.kind === 'tool' && block.call.ok !== undefined)
      toolCalls = [...toolCalls, block.call].slice(-KEPT_CALLS);
  }
  return { screen: { ...screen, ...telling, toolCalls, heading }, paragraphs };
}

function slashCommand(name: string, what: string): string {
  return `/${name} ${what}`;
}

/** The turn a block belongs to: it stands under a heading of its own, again when another member spoke in between. */
function turnOf(block: Block): TurnOf | undefined {
  if (block.kind === 'files') {
    const [{ turnId, member } = {}, ...others] = block.turns;
    return turnId && member && others.length === 0 ? { turnId, member } : undefined;
  }
  if ('turn' in block) return block.turn;
  return 'turnId' in block ? block : undefined;
}

/** Turns that ended with the machine that held the conversation: the log does not say so before someone continues. */
export function findCutOff(
  { turns, conversation: { running } }: Pick<Screen, 'turns' | 'conversation'>,
  { presence }: Pick<Conversation, 'presence'>,
): readonly LiveTurn[] {
  if (presence === undefined || isHeld(presence)) return [];
  // Those of workers continue.
  const elsewhere = new Set(running.flatMap(({ turnId, runsOn }) => (runsOn === undefined ? [] : [turnId])));
  return turns.filter(({ turnId, ended }) => ended === undefined && !elsewhere.has(turnId));
}

/** These turns as they can still be read: what they asked or used is over. */
export function silenceCutOff(cutOff: readonly LiveTurn[]): readonly LiveTurn[] {
  return cutOff.map((turn) => ({ ...turn, permissions: [], tools: [], todo: [] }));
}
