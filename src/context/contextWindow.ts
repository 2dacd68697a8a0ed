import type { ConversationMessage } from '../models/ConversationMessage.js';
import { foldName } from '../utils/foldName.js';
import type { LeftOutReason } from './types.js';

/** Request for the part of a conversation that one member sees; messages are named by their index. */
export interface WindowRequest {
  readonly agentId: string;
  readonly agentName?: string | undefined;
  /** Largest number of messages. */
  readonly size: number;
  readonly visibility: 'all' | 'addressed';
  readonly current: number;
  readonly trigger?: number | undefined;
  readonly lastSeen?: number | undefined;
  /** Up to `lastSeen`, and not seen all the same; both ends included. */
  readonly missed?: readonly { readonly first: number; readonly last: number }[] | undefined;
  /** Each message is shown with what kind of speaker said it. */
  readonly withTypes?: boolean;
  /** The window ends with the current message. */
  readonly ignoresLater?: boolean | undefined;
  /** The turn in which the member was shown `lastSeen` was cut off. */
  readonly wasCutOff?: boolean | undefined;
}

/** The messages from `start` on, without the current one and those that `hides`; and the pinned one before them. */
export interface ContextWindow {
  readonly start: number;
  /** Messages at the front that are left out for the same reason, but for the pinned and the current one. */
  readonly past: { readonly length: number; readonly inclusion: LeftOutReason };
  readonly current: number;
  readonly pinned: number | null;
  /** Absent when every message may be seen. */
  readonly hides: ((index: number) => LeftOutReason | null) | undefined;
  /** The member has the current message in its own session, from a turn that was cut off. */
  readonly holdsCurrent?: boolean;
}

type MessageAt = (index: number) => ConversationMessage | undefined;

/** Filters first, then takes the newest `size` of what is left. */
export function findWindow(length: number, messageAt: MessageAt, request: WindowRequest): ContextWindow {
  const { current, trigger } = request;
  const hides = createFilter(messageAt, request);
  const seen = countSeen(request);
  const start =
    hides === undefined ? plainStart(length, request) : filteredStart(length, request, hides, seen);
  const past =
    request.lastSeen === undefined
      ? ({ length: start, inclusion: 'window' } as const)
      : ({ length: seen, inclusion: 'seen' } as const);
  const pinned = trigger !== undefined && mustBePinned(trigger, start, request, hides) ? trigger : null;
  if (request.wasCutOff !== true) return { start, past, current, pinned, hides };
  return { start, past, current, pinned, hides, holdsCurrent: hides?.(current) === 'seen' };
}

/** Number of messages at the front that the member has all seen in its own session, so that none need be looked at. */
function countSeen({ lastSeen = -1, missed = [], ignoresLater, current }: WindowRequest): number {
  const seen = Math.min(lastSeen + 1, ...missed.map(({ first }) => first));
  return Math.max(0, ignoresLater ? Math.min(seen, current + 1) : seen);
}

/** A trigger that the window would leave out stays, unless the member has it in its own session anyway. */
function mustBePinned(
  trigger: number,
  start: number,
  { current }: WindowRequest,
  hides: ContextWindow['hides'],
): boolean {
  if (trigger === current) return false;
  const hidden = hides?.(trigger) ?? null;
  return hidden === null ? trigger < start : hidden !== 'seen';
}

function plainStart(length: number, { current, size }: WindowRequest): number {
  const start = length - size;
  return Math.max(0, current >= start ? start - 1 : start);
}

function filteredStart(
  length: number,
  { current, size }: WindowRequest,
  hides: NonNullable<ContextWindow['hides']>,
  seen: number,
): number {
  let start = length;
  for (let taken = 0; start > seen && taken < size; start--) {
    if (start - 1 !== current && hides(start - 1) === null) taken++;
  }
  return start;
}

function createFilter(messageAt: MessageAt, request: WindowRequest): ContextWindow['hides'] {
  const {
    agentId,
    agentName = agentId,
    visibility,
    current,
    lastSeen,
    missed = [],
    ignoresLater = false,
  } = request;
  if (visibility === 'all' && lastSeen === undefined && !ignoresLater) return undefined;
  const ownNames = new Set([foldName(agentId), foldName(agentName)]);
  const isMissed = (index: number) => missed.some(({ first, last }) => first <= index && index <= last);
  return (index) => {
    const message = messageAt(index);
    if (message === undefined) return null;
    if (ignoresLater && index > current) return 'window';
    const isOwn = message.speaker.roleId === agentId;
    if (lastSeen !== undefined && (isOwn || (index <= lastSeen && !isMissed(index)))) return 'seen';
    if (visibility === 'addressed' && !isOwn && !isAddressed(message, ownNames)) return 'not-addressed';
    return null;
  };
}

export function isAddressed({ routing }: ConversationMessage, ownNames: ReadonlySet<string>): boolean {
  const addressees = routing?.resolvedAddressees ?? [];
  return addressees.length === 0 || addressees.some((name) => name === 'all' || ownNames.has(foldName(name)));
}

/** Decides whether a message is included, before duplicates and the budget. */
export function inclusionInWindow(
  window: ContextWindow,
  index: number,
): 'kept' | 'pinned' | 'current' | LeftOutReason {
  if (index === window.current) return window.holdsCurrent ? 'seen' : 'current';
  if (index === window.pinned) return 'pinned';
  if (index < window.past.length) return window.past.inclusion;
  return window.hides?.(index) ?? (index < window.start ? 'window' : 'kept');
}
