import { type LeftAs, leftWith } from '../../conversation/questions.js';
import type { Block } from '../../presentation/Block.js';
import { isOpen } from '../../presentation/LiveTurn.js';
import type { Telling } from '../../presentation/Telling.js';
import { quoteForShell } from '../../utils/quoteForShell.js';
import type { ListedConversation, OpenRequest, PlacedTelling } from './wire.js';

// What the server and its page work out alike.

/** Whether a block is a row of the log. The others are steps of a turn, which stand folded in its row. */
const IS_ROW: Readonly<Record<Block['kind'], boolean>> = {
  start: true,
  message: true,
  turn: true,
  task: true,
  notice: true,
  fork: true,
  pause: true,
  files: true,
  text: false,
  tool: false,
  file: false,
  todo: false,
  request: false,
  decision: false,
  retry: false,
  error: false,
  warning: false,
};

export function isRow({ block }: PlacedTelling): boolean {
  return IS_ROW[block.kind];
}

/** The permission requests that wait for a person, whole, in the order in which they came. */
export function openRequests({ turns }: Pick<Telling, 'turns'>): readonly OpenRequest[] {
  return turns
    .flatMap(({ turnId, member, permissions }) =>
      permissions.filter(isOpen).map((request) => ({ ...request, turnId, memberName: member.name })),
    )
    .toSorted((one, other) => (one.number ?? 0) - (other.number ?? 0));
}

/** The state of a session by what it needs: `asks` waits for an approval or an answer. */
export type Need = Exclude<LeftAs, 'waiting'> | 'asks' | 'works' | 'empty' | 'damaged';

export function needOf(session: ListedConversation): Need {
  const { requests, running, queued, pause, state, awaited, messages } = session;
  if (state === 'damaged') return 'damaged';
  if (requests.length > 0) return 'asks';
  if (state === 'open' && (running.length > 0 || (queued > 0 && pause === null))) return 'works';
  const left = leftWith({ ...session, running: running.length, asked: awaited.length });
  if (left === 'waiting') return 'asks';
  return left === 'done' && messages === 0 ? 'empty' : left;
}

/** Sorts by what needs a person first, then by the last change. */
export function byNeed(one: ListedConversation, other: ListedConversation): number {
  return rankOf(one) - rankOf(other) || other.changedAt - one.changedAt;
}

/** Lower needs a person more; an approval holds up an agent that runs. */
function rankOf(session: ListedConversation): number {
  return session.requests.length > 0 ? 0 : RANKS[needOf(session)];
}

const RANKS: Readonly<Record<Need, number>> = {
  asks: 1,
  works: 2,
  paused: 3,
  stopped: 3,
  interrupted: 3,
  failed: 3,
  done: 4,
  empty: 4,
  damaged: 4,
};

/** The command that continues a session in the folder it is of. */
export function resumeCommand(id: string, folder = '.'): string {
  return `cd ${quoteForShell(folder)} && huddle resume ${id}`;
}

/** Whether a session cannot be continued from this server now: another process has it open, or it is of another folder. */
export function isReadOnly({ openIn, isElsewhere }: ListedConversation): boolean {
  return openIn !== undefined || isElsewhere === true;
}
