import { formatSeconds } from '../../../../catalogue/formats.js';
import type { ShownMember } from '../../../../presentation/Block.js';
import { describeWaiting } from '../../../../presentation/describeTurn.js';
import { doingOf } from '../../../../presentation/LiveTurn.js';
import type { Telling } from '../../../../presentation/Telling.js';
import { sanitizeToOneLine } from '../../../../utils/sanitize.js';
import { panelWords as words } from './panelWords.js';

/** The state of a member now, in words. */
export interface MemberState {
  readonly kind: 'working' | 'waiting' | 'queued' | 'failed' | 'awaited' | 'idle';
  readonly text: string;
  /** The turn it is about. */
  readonly turnId?: string;
}

/** Describes what a member does: what runs comes before what waits, and that before what went wrong. */
export function describeMemberState(telling: Telling, { id }: ShownMember, now: number): MemberState {
  const { states } = words.webPanels.members;
  const { turns, conversation } = telling;
  const running = turns.find(({ member, ended }) => member.id === id && ended === undefined);
  if (running !== undefined) {
    const [doing, about] = doingOf(running);
    const { turnId } = running;
    if (doing === 'waiting')
      return { kind: 'waiting', text: states.waiting(sanitizeToOneLine(about)), turnId };
    if (doing === 'elsewhere')
      return {
        kind: 'waiting',
        text: sanitizeToOneLine(describeWaiting(running.member.name, about, words)),
        turnId,
      };
    return { kind: 'working', text: states.working(formatSeconds(now - running.startedAt, words)), turnId };
  }
  const place = conversation.queue.findIndex(({ memberId }) => memberId === id);
  if (place >= 0) return { kind: 'queued', text: states.queued(place + 1) };
  const unfinished = conversation.unfinished.findLast(({ turn }) => turn.memberId === id);
  if (unfinished !== undefined)
    return { kind: 'failed', text: states[unfinished.kind], turnId: unfinished.turn.turnId };
  if (conversation.awaited?.named && conversation.awaited.memberIds.includes(id))
    return { kind: 'awaited', text: states.awaited };
  return { kind: 'idle', text: states.idle };
}

/** Whether a clock is needed: something works now. */
export function isAnyoneWorking({ turns }: Telling): boolean {
  return turns.some(({ ended }) => ended === undefined);
}
