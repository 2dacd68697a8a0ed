import type { RecordedEnd } from '../agents/cassette/PlayedTurn.js';
import { applyToAgenda, EMPTY_AGENDA } from '../conversation/Agenda.js';
import { isContinuing } from '../conversation/questions.js';
import type { QueuedTurn, RecordedEvent, TurnStart } from '../models/ConversationEvent.js';
import type { ConversationId, MemberId, TurnId } from '../models/ids.js';
import { hasOtherTeam } from './openings.js';
import { type PlannedStep, planSteps } from './planSteps.js';

/** A recorded conversation, ready to be played. */
export interface Cassette {
  readonly events: readonly RecordedEvent[];
  readonly id: ConversationId;
  readonly isRehearsal: boolean;
  readonly isRedacted: boolean;
  /** Number of facts that are taken as they are: after them the conversation was opened with the team it had at its end. */
  readonly from: number;
  readonly steps: readonly PlannedStep[];
  readonly starts: ReadonlyMap<TurnId, TurnStart>;
  readonly ends: ReadonlyMap<TurnId, RecordedEnd>;
  /** Something was still to be done when it ended. */
  readonly isOpenEnd: boolean;
  /** Changes of files were recorded, or it was said that they are not. */
  readonly hasFiles: boolean;
  /** Turns whose changes are in a record. */
  readonly recordedTurns: ReadonlySet<TurnId>;
}

/** Indexes the facts of a recording, which were checked before. */
export function indexCassette(events: readonly RecordedEvent[]): Cassette {
  const [start] = events;
  if (start?.type !== 'conversation-start') throw new TypeError('no conversation-start');
  const all = planSteps(events);
  const from = findLastTeam(all);
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
  const first = steps[position]?.step;
  if (first?.kind !== 'start') return [];
  if (first.event.blindRound === undefined) return [first.event.turnId];
  const turnIds: TurnId[] = [];
  for (const { step } of steps.slice(position)) {
    if (step.kind === 'act' || step.kind === 'given') continue;
    if (step.kind !== 'start' || step.event.blindRound !== first.event.blindRound) break;
    turnIds.push(step.event.turnId);
  }
  return turnIds;
}

/** Whether people were there to be asked, from a step on until the conversation was opened again. */
export function isInteractive({ steps }: Cassette, position: number): boolean {
  for (const { step } of steps.slice(position + 1)) {
    if (step.kind === 'open') return false;
    if (step.kind !== 'ask') continue;
    const { event } = step.event;
    if (event.type === 'permission-request' && event.isOpen) return true;
    if (step.decided?.by.kind === 'person' || step.decided?.by.kind === 'size') return true;
  }
  return false;
}

/** Place of the last opening with another team than before: what was before it says nothing about the team of now. */
function findLastTeam(steps: readonly PlannedStep[]): number {
  const last = steps.findLast(({ step }) => step.kind === 'open' && hasOtherTeam(step.opening));
  return last?.index ?? 0;
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
