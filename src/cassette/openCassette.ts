import { statSync } from 'node:fs';
import type { RecordedEnd } from '../agents/cassette/PlayedTurn.js';
import type { InvalidCassetteFacts } from '../catalogue/english/cassetteErrors.js';
import { applyToAgenda, EMPTY_AGENDA } from '../conversation/Agenda.js';
import { isContinuing } from '../conversation/questions.js';
import {
  EVENT_VERSION,
  type QueuedTurn,
  type RecordedEvent,
  type TurnStart,
} from '../models/ConversationEvent.js';
import { HuddleError } from '../models/errors.js';
import type { ConversationId, MemberId, TurnId } from '../models/ids.js';
import { InvalidImportError, readChunks, readEventLines } from '../store/importConversation.js';
import { StoreNewerError, StoreOlderError } from '../store/storeErrors.js';
import { type PlayStep, planSteps } from './planSteps.js';

/** Size of the largest file that is played. */
export const MOST_MEGABYTES = 64;

/** A cassette cannot be played, and why; nothing was run. */
export class InvalidCassetteError extends HuddleError<'INVALID_CASSETTE'> {
  readonly fault: InvalidCassetteFacts['fault'];

  constructor(facts: InvalidCassetteFacts) {
    super('INVALID_CASSETTE', facts);
    this.fault = facts.fault;
  }
}

/** A cassette: a file, or its events. */
export type CassetteSource = { readonly file: string } | { readonly events: Iterable<RecordedEvent> };

/** A recorded conversation, ready to be played. */
export interface Cassette {
  readonly events: readonly RecordedEvent[];
  readonly id: ConversationId;
  readonly isRehearsal: boolean;
  readonly isRedacted: boolean;
  /** Number of facts that are taken as they are: after them the conversation was opened with the team it had at its end. */
  readonly from: number;
  readonly steps: readonly PlayStep[];
  readonly starts: ReadonlyMap<TurnId, TurnStart>;
  readonly ends: ReadonlyMap<TurnId, RecordedEnd>;
  /** Something was still to be done when it ended. */
  readonly isOpenEnd: boolean;
  /** Changes of files were recorded, or it was said that they are not. */
  readonly hasFiles: boolean;
  /** Turns whose changes are in a record. */
  readonly recordedTurns: ReadonlySet<TurnId>;
}

/**
 * Reads a cassette and checks that it can be played.
 *
 * @throws {@link InvalidCassetteError} if it is damaged, too large, from another version, or cut off in a turn.
 */
export function openCassette(source: CassetteSource): Cassette {
  const file = 'file' in source ? source.file : undefined;
  const events = 'file' in source ? readCassette(source.file) : [...source.events];
  const fail = (fault: InvalidCassetteFacts['fault']) => new InvalidCassetteError({ file, fault });
  if (events.length === 0) throw fail({ kind: 'empty' });
  if (events[0]?.type !== 'conversation-start') throw fail({ kind: 'damaged', line: 1, fault: 'no-start' });
  const newer = events.find(({ v }) => v > EVENT_VERSION);
  if (newer !== undefined) throw fail({ kind: 'newer', found: newer.v, known: EVENT_VERSION });
  const turnIds = findCutOff(events);
  if (turnIds.length > 0) throw fail({ kind: 'cut-off', turnIds });
  return indexCassette(events);
}

/** Turns whose end is in no fact. */
function findCutOff(events: readonly RecordedEvent[]): string[] {
  const open = new Set<string>();
  for (const event of events) {
    if (event.type === 'turn-start') open.add(event.turnId);
    if (event.type === 'turn-end') open.delete(event.turnId);
  }
  return [...open];
}

function readCassette(file: string): RecordedEvent[] {
  const fail = (fault: InvalidCassetteFacts['fault'], cause?: unknown) =>
    Object.assign(new InvalidCassetteError({ file, fault }), { cause });
  if (statSync(file).size > MOST_MEGABYTES * 1024 ** 2)
    throw fail({ kind: 'too-large', megabytes: MOST_MEGABYTES });
  try {
    return [...readEventLines(readChunks(file))];
  } catch (error) {
    if (error instanceof InvalidImportError)
      throw fail({ kind: 'damaged', line: error.line, fault: error.fault }, error);
    if (error instanceof StoreNewerError)
      throw fail({ kind: 'newer', found: error.found, known: error.known }, error);
    if (error instanceof StoreOlderError) throw fail({ kind: 'older' }, error);
    throw error;
  }
}

/** Indexes the facts of a recording, which were checked before. */
export function indexCassette(events: readonly RecordedEvent[]): Cassette {
  const [start] = events;
  if (start?.type !== 'conversation-start') throw new TypeError('no conversation-start');
  const all = planSteps(events);
  const isOtherTeam = (step: PlayStep): boolean =>
    step.kind === 'open' &&
    !step.opening.isStart &&
    [...step.opening.given, ...step.opening.facts].some(({ type }) => type === 'profile-changed');
  // What was before the last opening with another team says nothing about the team of now.
  const from = all.findLast(isOtherTeam)?.index ?? 0;
  const agenda = events.reduce(applyToAgenda, EMPTY_AGENDA);
  return {
    events,
    id: start.conversationId,
    isRehearsal: start.isRehearsal,
    isRedacted: start.redacted === true,
    from,
    steps: all.filter(({ index }) => index >= from),
    starts: new Map(events.flatMap((event) => (event.type === 'turn-start' ? [[event.turnId, event]] : []))),
    ends: findEnds(events),
    isOpenEnd: isContinuing(agenda) || agenda.running.length > 0,
    hasFiles: events.some(isAboutFiles),
    recordedTurns: new Set(
      events.flatMap((event) =>
        event.type === 'files-recorded' && event.by.kind === 'turns' ? event.by.turnIds : [],
      ),
    ),
  };
}

function findEnds(events: readonly RecordedEvent[]): Map<TurnId, RecordedEnd> {
  const texts = new Map<string, string>();
  const ends = new Map<TurnId, RecordedEnd>();
  for (const event of events)
    if (event.type === 'message-added') texts.set(event.message.id, event.message.content);
  events.forEach((event, index) => {
    if (event.type !== 'turn-end') return;
    const { result, turnId } = event;
    const next = events[index + 1];
    const isDoubtful = next?.type === 'notice' && next.code === 'usage-unknown';
    const text = result.kind === 'completed' && result.messageId !== null ? texts.get(result.messageId) : '';
    ends.set(turnId, { end: event, text: text ?? '', isDoubtful });
  });
  return ends;
}

function isAboutFiles(event: RecordedEvent): boolean {
  if (event.type === 'files-recorded') return event.by.kind === 'turns' || event.by.kind === 'others';
  if (event.type === 'turn-start') return event.copy === true;
  return event.type === 'notice' && event.code === 'files-not-recorded';
}

/** The member that had a turn, also one that never started. */
export function memberOfTurn({ starts, ends }: Cassette, turnId: TurnId): MemberId | undefined {
  return (starts.get(turnId) ?? ends.get(turnId)?.end)?.memberId;
}

/** Whether a turn that is about to start is the recorded one: of the same member, in the same blind round. */
export function isSameTurn(cassette: Cassette, { turnId, memberId, blindRound }: QueuedTurn): boolean {
  const start = cassette.starts.get(turnId);
  return (
    memberOfTurn(cassette, turnId) === memberId && (start === undefined || start.blindRound === blindRound)
  );
}

/** The turns of a blind round that started together, from a step on. */
export function startsTogether({ steps }: Cassette, position: number): TurnId[] {
  const first = startOf(steps[position]);
  if (first?.blindRound === undefined) return first === undefined ? [] : [first.turnId];
  const turnIds: TurnId[] = [];
  for (const step of steps.slice(position)) {
    if (step.kind === 'act' || step.kind === 'given') continue;
    const start = startOf(step);
    if (start === undefined || start.blindRound !== first.blindRound) break;
    turnIds.push(start.turnId);
  }
  return turnIds;
}

function startOf(step: PlayStep | undefined): TurnStart | undefined {
  return step?.kind === 'own' && step.event.type === 'turn-start' ? step.event : undefined;
}

/** Whether people were there to be asked, from a step on until the conversation was opened again. */
export function isInteractive({ steps }: Cassette, position: number): boolean {
  const reopened = steps.findIndex(({ kind }, at) => at > position && kind === 'open');
  return steps
    .slice(position + 1, reopened === -1 ? undefined : reopened)
    .some(
      (step) =>
        step.kind === 'ask' && (step.isOpen || ['person', 'size'].includes(step.decided?.by.kind ?? '')),
    );
}
