import type { PauseReason } from '../models/ConversationEvent.js';
import type { MemberId, TurnId } from '../models/ids.js';
import type { Agenda, UnfinishedTurn } from './Agenda.js';

/** Phase of an open conversation. */
export type Phase =
  /** Nothing to do. */
  | { readonly kind: 'idle' }
  | { readonly kind: 'running'; readonly turnIds: readonly TurnId[] }
  /** For a person; `named`: because an agent asked for them. */
  | { readonly kind: 'waiting'; readonly memberIds: readonly MemberId[]; readonly named: boolean }
  | { readonly kind: 'paused'; readonly reason: PauseReason };

export function phaseOf({ running, pause, awaited, queue }: Agenda): Phase {
  if (running.length > 0) return { kind: 'running', turnIds: running.map(({ turnId }) => turnId) };
  if (pause !== null) return { kind: 'paused', reason: pause };
  if (awaited !== null && queue.length === 0) return { kind: 'waiting', ...awaited };
  return { kind: 'idle' };
}

/** Outcome of a run, the most pressing first. */
export type ConversationOutcome =
  | 'cancelled'
  | 'limit'
  | 'not-logged-in'
  | 'agent-missing'
  | 'failed'
  | 'waiting'
  | 'no-recipient'
  | 'done';

export function outcomeOf(agenda: Agenda): ConversationOutcome {
  const { pause, unfinished, isUnaddressed, isAnswered } = agenda;
  const codes = unfinished.map(({ code }) => code);
  if (pause !== null) return stopsARun(pause) ? 'limit' : 'cancelled';
  if (codes.includes('AUTH')) return 'not-logged-in';
  if (!isAnswered && codes.includes('AGENT_MISSING')) return 'agent-missing';
  if (unfinished.length > 0) return 'failed';
  if (askedFor(agenda).length > 0) return 'waiting';
  return isUnaddressed ? 'no-recipient' : 'done';
}

/** Whether the team file asked for the pause: a limit, or a reader during whose turn files changed. */
function stopsARun({ kind }: PauseReason): boolean {
  return kind === 'limit' || kind === 'reader';
}

/** State of a conversation that is not open. */
export type LeftAs =
  /** Huddle ended while a turn was running or waiting. */
  | 'interrupted'
  /** At a limit, or because a person asked for it. */
  | 'paused'
  /** A person stopped a turn. */
  | 'stopped'
  /** A turn failed, and no one has said anything since. */
  | 'failed'
  /** For people whom an agent asked for by name. */
  | 'waiting'
  /** Nothing is left to run. */
  | 'done';

export function leftAs(agenda: Agenda): LeftAs {
  const { running, queue } = agenda;
  return leftWith({
    ...agenda,
    running: running.length,
    queued: queue.length,
    asked: askedFor(agenda).length,
  });
}

/** Rest of a conversation, as an agenda has it or a list: numbers of turns and of people. */
interface Leftovers extends Pick<Agenda, 'pause'> {
  readonly running: number;
  readonly queued: number;
  readonly unfinished: readonly Pick<UnfinishedTurn, 'kind'>[];
  readonly asked: number;
}

/** Says what keeps a conversation from being done, the most telling thing first. */
export function leftWith({ running, pause, unfinished, queued, asked }: Leftovers): LeftAs {
  const last = unfinished.at(-1);
  if (running > 0) return 'interrupted';
  if (pause !== null) return pause.kind === 'cancelled' ? 'stopped' : 'paused';
  if (last !== undefined) return LEFT_AFTER[last.kind];
  if (queued > 0) return 'interrupted';
  return asked > 0 ? 'waiting' : 'done';
}

const LEFT_AFTER: Readonly<Record<UnfinishedTurn['kind'], LeftAs>> = {
  interrupted: 'interrupted',
  cancelled: 'stopped',
  failed: 'failed',
  'timed-out': 'failed',
};

/** The people an agent has asked for by name, and who have not answered. */
export function askedFor({ awaited }: Agenda): readonly MemberId[] {
  return awaited?.named ? awaited.memberIds : [];
}

/** Whether the next turn starts automatically. */
export function isContinuing({ queue, pause }: Agenda): boolean {
  return queue.length > 0 && pause === null;
}

/** Whether there is something to stop: a turn that runs, or one that is about to. */
export function canCancel(agenda: Agenda): boolean {
  return agenda.running.length > 0 || isContinuing(agenda);
}

/** Whether a person can continue after a pause: not where a turn was stopped and none is queued, which is to be retried. */
export function canContinue({ pause, queue, unfinished }: Agenda): boolean {
  return pause !== null && (queue.length > 0 || unfinished.length === 0);
}

/** Whether turns did not complete, be it that they were cut off. */
export function canRetry({ running, unfinished }: Agenda): boolean {
  return running.length + unfinished.length > 0;
}

/** Whether something is left to run: turns that did not complete, or that wait. */
export function hasWork(agenda: Agenda): boolean {
  return canRetry(agenda) || agenda.queue.length > 0;
}
