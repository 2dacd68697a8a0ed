import { type Agenda, applyToAgenda, EMPTY_AGENDA, endInterrupted } from '../conversation/Agenda.js';
import { readFileHistory } from '../files/changes/fileHistory.js';
import type {
  ConversationFact,
  ConversationStart,
  QueuedTurn,
  RecordedEvent,
} from '../models/ConversationEvent.js';
import { HuddleError } from '../models/errors.js';
import {
  type ConversationId,
  createConversationId,
  type MessageId,
  messageNumber,
  type TurnId,
} from '../models/ids.js';
import { toArray } from '../utils/AnyIterable.js';
import { nearest } from '../utils/nearest.js';
import { toHalfWidth } from '../utils/toHalfWidth.js';
import type { CreateOptions, Store } from './Store.js';

/** Options of `forkConversation`. */
export interface ForkConversationOptions extends ForkPlace, CreateOptions {
  /** Keeps the turns that waited at this place: `resume` of the fork runs them. Default: they are dropped. */
  readonly keepQueue?: boolean | undefined;
  /** The id of the fork. Default: a new one. */
  readonly as?: ConversationId | undefined;
  /** Holds contents of files that the fork names, before it is written: without the original they would be let go. */
  readonly holdContents?:
    | ((id: ConversationId, contentIds: ReadonlySet<string>) => Promise<void>)
    | undefined;
}

/** A fork that was saved. */
export interface ForkedConversation extends ForkCut {
  readonly id: ConversationId;
}

/**
 * Saves a copy of the beginning of a conversation, which continues on its own. The original is only read: it does not matter
 * who has it open.
 *
 * @throws {@link UnknownConversationError} (as a rejection) if the store has no conversation with this id.
 * @throws {@link ConversationExistsError} (as a rejection) if the store has the id `as`.
 * @throws {@link HuddleError} `UNKNOWN_MESSAGE` or `UNKNOWN_TURN` (as a rejection) if it does not have that place.
 *
 * @example
 * ```ts
 * const fork = await forkConversation(store, id, { at: 'msg-5' });
 * const conversation = await resumeConversation({ id: fork.id, team, store });
 * ```
 */
export async function forkConversation(
  store: Store,
  from: ConversationId,
  options: ForkConversationOptions = {},
): Promise<ForkedConversation> {
  const { at, before, beforeTurn, keepQueue = false, as, folder, holdContents } = options;
  const { events, importedSeq } = await readAll(store, from);
  const forked = forkEvents(events, { at, before, beforeTurn }, { keep: () => keepQueue, importedSeq });
  const { facts, added, cut } = forked;
  const save = async (id: ConversationId): Promise<ForkedConversation> => {
    const isTaken = (await store.find(id)).some((known) => known.id === id && known.state !== 'empty');
    // Before anything is held in the name of a conversation that is another one.
    if (isTaken) throw new HuddleError('CONVERSATION_EXISTS', { id });
    await holdContents?.(id, contentsOf(facts));
    await store.createWhole(id, { restored: renameStart(facts, id), added }, { folder });
    return { id, ...cut };
  };
  if (as !== undefined) return save(as);
  try {
    return await save(createConversationId(Date.now()));
  } catch (error) {
    if (!(error instanceof HuddleError) || error.code !== 'CONVERSATION_EXISTS') throw error;
    return save(createConversationId(Date.now()));
  }
}

async function readAll(store: Store, id: ConversationId) {
  const reader = await store.read(id);
  try {
    const events = await toArray(reader.read());
    return { events, importedSeq: (await readFileHistory(events, reader.restoredSeq)).importedSeq };
  } finally {
    await reader.close();
  }
}

/** The same facts under another id. What follows them is not masked, whatever they are. */
function* renameStart(facts: readonly RecordedEvent[], id: ConversationId): Generator<RecordedEvent> {
  for (const fact of facts) yield fact.type === 'conversation-start' ? startOf(fact, id) : fact;
}

function startOf<Start extends ConversationStart>(start: Start, conversationId: ConversationId): Start {
  const { redacted: _, ...rest } = start;
  return { ...rest, conversationId } as Start;
}

/** The contents before and after every recorded change. */
function contentsOf(facts: readonly RecordedEvent[]): ReadonlySet<string> {
  return new Set(
    facts.flatMap((fact) =>
      fact.type === 'files-recorded'
        ? fact.files.flatMap(({ before, after }) => [before, after].flatMap((state) => state?.id ?? []))
        : [],
    ),
  );
}

/**
 * The place at which a conversation is forked, one of these; by default its last message. A message is named by its id or its
 * number: `msg-5`, `5`.
 */
export interface ForkPlace {
  /** The last message of the fork. What followed from it at once belongs to it: its task, its queue, its files. */
  readonly at?: string | undefined;
  /** The first message that is left out; if an agent wrote it, the fork ends before its turn. */
  readonly before?: string | undefined;
  /** The first turn that is left out, with all of its blind round. */
  readonly beforeTurn?: TurnId | undefined;
}

interface ForkOptions {
  /** Chooses the waiting turns that stay in the queue. Default: none. */
  readonly keep?: (turn: QueuedTurn) => boolean;
  /** Number of the last event that came with an import. Default: none did. */
  readonly importedSeq?: number;
}

/** A conversation up to a place, and what makes it a conversation of its own. */
export interface ForkedEvents {
  /** The beginning of the log, unchanged. */
  readonly facts: readonly RecordedEvent[];
  /** Facts of the fork alone, which follow. */
  readonly added: readonly ConversationFact[];
  readonly cut: ForkCut;
}

/** The place at which a log was cut. */
export interface ForkCut {
  /** Number of the last fact that is copied. */
  readonly upTo: number;
  /** The last message that is copied. */
  readonly messageId?: MessageId | undefined;
  /** It is not the place that was asked for: that was inside a blind round, which is kept or left out as a whole. */
  readonly isMoved: boolean;
  /** Turns that waited or ran at this place, and will not run in the fork. */
  readonly dropped: readonly QueuedTurn[];
  /** Turns that wait in the fork as well, or can be retried there. */
  readonly kept: readonly QueuedTurn[];
}

/**
 * Cuts a log at a place.
 *
 * @throws {@link HuddleError} `UNKNOWN_MESSAGE` or `UNKNOWN_TURN` if the log does not have it.
 */
export function forkEvents(
  events: Iterable<RecordedEvent>,
  place: ForkPlace = {},
  { keep = () => false, importedSeq = 0 }: ForkOptions = {},
): ForkedEvents {
  const log = [...events];
  const [first] = log;
  if (first?.type !== 'conversation-start') throw new TypeError('no conversation-start');
  const { end, isMoved } = findEnd(log, place);
  const facts = log.slice(0, end);
  const { queue, running } = agendaOf(facts);
  const waiting = [...running, ...queue];
  const kept = waiting.filter(keep);
  const dropped = waiting.filter((turn) => !kept.includes(turn));
  const messageId = facts.findLast((event) => event.type === 'message-added')?.message.id;
  const importedUpTo = importedSeq > 0 ? Math.min(importedSeq, end) : undefined;
  const added: ConversationFact[] = [
    { type: 'conversation-forked', from: first.conversationId, upTo: end, messageId, importedUpTo },
    // Its end belongs to the original: here it is a turn that was cut off.
    ...running.map(endInterrupted),
  ];
  if (dropped.length > 0) added.push({ type: 'turns-dropped', turnIds: dropped.map(({ turnId }) => turnId) });
  return { facts, added, cut: { upTo: end, messageId, isMoved, dropped, kept } };
}

interface FoundEnd {
  /** Number of events before the cut. */
  readonly end: number;
  readonly isMoved: boolean;
}

function findEnd(log: readonly RecordedEvent[], { at, before, beforeTurn }: ForkPlace): FoundEnd {
  if (beforeTurn !== undefined) return moveBack(log, indexOfStart(log, beforeTurn));
  if (before !== undefined) return findStart(log, findMessage(log, before));
  const last = log.findLastIndex(({ type }) => type === 'message-added');
  if (at === undefined && last < 0) return { end: log.length, isMoved: false };
  return moveOn(log, 1 + (at === undefined ? last : findMessage(log, at)));
}

/** The end of a fork that ends with the event before `from`, or with the blind round that runs there. */
function moveOn(log: readonly RecordedEvent[], from: number): FoundEnd {
  let end = from;
  let agenda = agendaOf(log.slice(0, end));
  for (let isAnswering = false; isInBlindRound(agenda) || isAnswering; end++) {
    const event = log[end];
    if (event === undefined) break;
    agenda = applyToAgenda(agenda, event);
    // The message of a turn comes after its end.
    if (event.type === 'message-added') isAnswering = false;
    else if (event.type === 'turn-end')
      isAnswering = event.result.kind === 'completed' && event.result.messageId !== null;
  }
  const isMoved = log.slice(from, end).some(({ type }) => type === 'message-added');
  while (end < log.length && isConsequence(log[end] as RecordedEvent)) end++;
  return { end, isMoved };
}

/** The end of a fork without a message. */
function findStart(log: readonly RecordedEvent[], index: number): FoundEnd {
  const message = log[index];
  const turnId = message?.type === 'message-added' ? message.turnId : undefined;
  const start = log.findIndex((event) => event.type === 'turn-start' && event.turnId === turnId);
  if (turnId !== undefined && start >= 0) return { ...moveBack(log, start), isMoved: false };
  // Who speaks to a paused conversation continues it first.
  return moveBack(log, log[index - 1]?.type === 'conversation-resume' ? index - 1 : index);
}

/** The same place, or the start of the blind round that runs there. */
function moveBack(log: readonly RecordedEvent[], from: number): FoundEnd {
  const { running } = agendaOf(log.slice(0, from));
  const blind = running.find(({ blindRound }) => blindRound !== undefined);
  const end = blind === undefined ? from : indexOfStart(log, blind.turnId);
  return { end, isMoved: log.slice(end, from).some(({ type }) => type === 'message-added') };
}

function isInBlindRound({ running }: Agenda): boolean {
  return running.some(({ blindRound }) => blindRound !== undefined);
}

/** Whether a fact belongs to what was before it: no message, nothing of a turn, no pause. */
function isConsequence({ type }: RecordedEvent): boolean {
  switch (type) {
    case 'message-added':
    case 'turn-start':
    case 'turn-activity':
    case 'permission-decided':
    case 'turn-end':
    case 'conversation-pause':
    case 'conversation-resume':
      return false;
    case 'conversation-start':
    case 'conversation-forked':
    case 'task-changed':
    case 'title-changed':
    case 'profile-changed':
    case 'turns-queued':
    case 'turns-dropped':
    case 'files-recorded':
    case 'waiting-for-human':
    case 'notice':
      return true;
  }
}

function agendaOf(events: readonly RecordedEvent[]): Agenda {
  return events.reduce<Agenda>(applyToAgenda, EMPTY_AGENDA);
}

function indexOfStart(log: readonly RecordedEvent[], turnId: TurnId): number {
  const index = log.findIndex((event) => event.type === 'turn-start' && event.turnId === turnId);
  if (index < 0) throw new HuddleError('UNKNOWN_TURN', { turnId });
  return index;
}

function findMessage(log: readonly RecordedEvent[], typed: string): number {
  const word = toHalfWidth(typed).trim().replace(/^#/u, '');
  const id = /^\d+$/u.test(word) ? `msg-${Number(word)}` : word.toLowerCase();
  const index = log.findIndex(
    (event) => event.type === 'message-added' && (event.message.id === typed || event.message.id === id),
  );
  if (index >= 0) return index;
  const ids = log.flatMap((event) => (event.type === 'message-added' ? event.message.id : []));
  throw new HuddleError('UNKNOWN_MESSAGE', { messageId: typed, nearest: findNearest(id, ids) });
}

/** By its number, if it has one. */
function findNearest(id: string, ids: readonly string[]): string | undefined {
  const number = messageNumber(id);
  if (number === 0) return nearest(id, ids) ?? ids.at(-1);
  const distance = (other: string) => Math.abs(messageNumber(other) - number);
  return ids.toSorted((one, other) => distance(one) - distance(other))[0];
}
