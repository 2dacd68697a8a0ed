import { applyToStatus, type ConversationStatus } from '../conversation/ConversationStatus.js';
import { isContinuing, type Phase, phaseOf } from '../conversation/questions.js';
import type {
  Conversation,
  ConversationSnapshot,
  FileSelectionOptions,
  SendOptions,
} from '../coordinator/Conversation.js';
import { type LoadedConversation, loadConversation } from '../coordinator/loadConversation.js';
import type { FilesDiff } from '../files/actions/diffFiles.js';
import type { FileHistory } from '../files/changes/fileHistory.js';
import type { ConversationEvent, RecordedEvent } from '../models/ConversationEvent.js';
import type { ConversationMessage } from '../models/ConversationMessage.js';
import { HuddleError } from '../models/errors.js';
import type { ConversationId } from '../models/ids.js';
import type { Team } from '../models/Team.js';
import { sanitizeSource } from '../routing/teamMembers.js';
import type { SharedReader, SharedStore } from '../store/postgres/SharedStore.js';
import type { ConversationReader } from '../store/Store.js';
import { toArray } from '../utils/AnyIterable.js';
import { type Broadcast, createBroadcast } from '../utils/broadcast.js';
import type { Logger } from '../utils/logger.js';
import { LiveTextReader } from './LiveText.js';
import type { Wish } from './wishes.js';

export interface FollowedParts {
  readonly id: ConversationId;
  readonly team: Team;
  readonly store: Pick<SharedStore, 'read'>;
  /** Asks the holder; resolves with the first event that follows, which is told by then. */
  readonly ask: (wish: Wish) => Promise<number | null>;
  /** Asks the holder for what agents are saying, from its start. */
  readonly askForWhole: () => void;
  /** The holder, as people write it: `bob@laptop`; null: none is known. */
  readonly holder: () => string | null;
  readonly logger?: Logger | undefined;
}

/** So many events are kept for those who asked for something. */
const RECENT_EVENTS = 50;

/** Loaded when it is asked for. */
const FILES = () => import('../files/actions/filesOfConversation.js');

/** A conversation that another process holds: shown from the log, changed by wishes. */
export class FollowerHandle implements Conversation {
  readonly #parts: FollowedParts;
  readonly #broadcast: Broadcast<ConversationEvent>;
  readonly #live: LiveTextReader;
  readonly #messages: ConversationMessage[];
  /** Reads what comes. */
  #reader: SharedReader;
  /** The latest events that were told. */
  #recent: readonly RecordedEvent[] = [];
  #status: ConversationStatus;
  #lastSeq: number;
  #reading: Promise<void> = Promise.resolve();
  #failure: { readonly error: unknown } | null = null;
  #wakes: (() => void)[] = [];

  private constructor(
    parts: FollowedParts,
    messages: readonly ConversationMessage[],
    status: ConversationStatus,
    lastSeq: number,
    reader: SharedReader,
  ) {
    this.#parts = parts;
    this.#live = new LiveTextReader(parts.askForWhole);
    this.#reader = reader;
    this.#messages = [...messages];
    this.#status = status;
    this.#lastSeq = lastSeq;
    this.#broadcast = createBroadcast((error) =>
      parts.logger?.error?.(`A listener failed: ${String(error)}`),
    );
  }

  /** Reads as much as a handle holds of a conversation that is opened again. Turns that run are told from their start. */
  static async open(parts: FollowedParts): Promise<FollowerHandle> {
    const reader = await parts.store.read(parts.id);
    const { beginning, loaded } = await loadBeforeTurns(reader, parts.team);
    const { messages, checkpointSeq: _, ...status } = loaded;
    return new FollowerHandle(parts, messages, status, beginning, reader);
  }

  get id(): ConversationId {
    return this.#parts.id;
  }

  get team(): Team {
    return this.#parts.team;
  }

  /** The number of the last event that was told. */
  get lastSeq(): number {
    return this.#lastSeq;
  }

  /** Tells everything up to an event, in order. Resolves when that is done. */
  catchUp(to: number): Promise<void> {
    if (to <= this.#lastSeq) return this.#reading;
    const reading = this.#reading.then(() => this.#readUpTo(to));
    this.#reading = reading.catch((error) => this.#parts.logger?.debug?.(`No news: ${String(error)}`));
    return reading;
  }

  /** Shows what an agent is just saying. False: the payload is something else. */
  hear(payload: string): boolean {
    const piece = this.#live.read(payload);
    if (piece === undefined) return false;
    // After the events that were told of before, such as the start of its turn.
    void this.#reading.then(() => {
      // Of turns that run, and of no others: anyone can send it.
      const running = new Set(this.#status.state.running.map(({ turnId }) => turnId));
      const progress = this.#live.show(piece, Date.now(), (turnId) => running.has(turnId));
      for (const step of progress) this.#broadcast.send(step);
    });
    return true;
  }

  /** Ends what waits for the conversation to settle: no one runs it any more. */
  fail(error: unknown): void {
    this.#failure = { error };
    this.#wake();
  }

  async send(content: string, { via }: SendOptions = {}): Promise<ConversationMessage> {
    const seq = await this.#parts.ask({ kind: 'say', content, ...(via && { via: sanitizeSource(via) }) });
    const [event] = seq === null ? [] : await this.#readRange(seq, seq);
    if (event?.type === 'message-added') return event.message;
    throw describeRefusal(event);
  }

  async cancel({ drop = false }: { readonly drop?: boolean } = {}): Promise<void> {
    await this.#do({ kind: 'cancel', drop });
  }

  async skipLook(): Promise<void> {
    await this.#do({ kind: 'skip-look' });
  }

  async pause(): Promise<void> {
    await this.#do({ kind: 'pause' });
  }

  async resume(): Promise<void> {
    await this.#do({ kind: 'resume' });
  }

  async retry(): Promise<number> {
    const events = await this.#do({ kind: 'retry' });
    const queued = events.find((event) => event.type === 'turns-queued');
    return queued?.turns.filter(({ retryOf }) => retryOf !== undefined).length ?? 0;
  }

  async rename(title: string): Promise<void> {
    await this.#do({ kind: 'rename', title });
  }

  async answerPermission(requestId: string, verdict: 'allow' | 'deny'): Promise<void> {
    await this.#do({ kind: 'decide', requestId, verdict });
  }

  async files(): Promise<FileHistory> {
    return (await FILES()).readFiles(this, undefined);
  }

  async diff(what?: string, { paths }: FileSelectionOptions = {}): Promise<FilesDiff> {
    return (await FILES()).readDiff(this, undefined, { what, paths });
  }

  async undo(): Promise<never> {
    throw new HuddleError('FILES_ELSEWHERE', { holder: this.#parts.holder() });
  }

  async apply(): Promise<never> {
    return this.undo();
  }

  async *history(): AsyncGenerator<RecordedEvent> {
    const reader = await this.#parts.store.read(this.id);
    try {
      yield* reader.read(1, this.#lastSeq);
    } finally {
      await reader.close();
    }
  }

  subscribe(listener: (event: ConversationEvent) => void): () => void {
    return this.#broadcast.subscribe(listener);
  }

  snapshot(): ConversationSnapshot {
    const { state, teamTask } = this.#status;
    return { state, phase: phaseOf(state), messages: [...this.#messages], teamTask };
  }

  /** Everything that was told is durable. */
  kept(): undefined {}

  async settled(): Promise<Phase> {
    for (;;) {
      if (this.#failure !== null) throw this.#failure.error;
      const { state } = this.#status;
      if (state.running.length === 0 && !isContinuing(state)) return phaseOf(state);
      await new Promise<void>((resolve) => this.#wakes.push(resolve));
    }
  }

  async close(): Promise<void> {
    this.fail(new HuddleError('CONVERSATION_CLOSED', {}));
    await this.#reading;
  }

  /** Asks for something. Gives the events that followed, from the first on. */
  async #do(wish: Wish): Promise<readonly RecordedEvent[]> {
    const seq = await this.#parts.ask(wish);
    if (seq === null) return [];
    const events = await this.#readRange(seq, Math.min(seq + 2, this.#lastSeq));
    if (events[0]?.type === 'notice' && events[0].code === 'wish-refused') throw describeRefusal(events[0]);
    return events;
  }

  async #readUpTo(to: number): Promise<void> {
    if (to <= this.#lastSeq) return;
    for (const event of await this.#readNew(to)) this.#take(event);
    this.#wake();
  }

  async #readNew(to: number): Promise<readonly RecordedEvent[]> {
    try {
      this.#reader.extendTo(to);
      return await toArray(this.#reader.read(this.#lastSeq + 1, to));
    } catch (error) {
      // Anyone can tell of events that are not there.
      this.#parts.logger?.debug?.(`Event ${to} was not there: ${String(error)}`);
      this.#reader = await this.#parts.store.read(this.id);
      return toArray(this.#reader.read(this.#lastSeq + 1));
    }
  }

  async #readRange(from: number, to: number): Promise<readonly RecordedEvent[]> {
    const recent = this.#recent.filter(({ seq }) => seq >= from && seq <= to);
    if (recent.length === to - from + 1) return recent;
    const reader = await this.#parts.store.read(this.id);
    try {
      return await toArray(reader.read(from, to));
    } finally {
      await reader.close();
    }
  }

  #take(event: RecordedEvent): void {
    this.#status = applyToStatus(this.#status, event);
    this.#lastSeq = event.seq;
    this.#recent = [...this.#recent.slice(1 - RECENT_EVENTS), event];
    if (event.type === 'turn-end') this.#live.end(event.turnId);
    if (event.type === 'message-added') this.#messages.push(event.message);
    this.#broadcast.send(event);
  }

  #wake(): void {
    for (const wake of this.#wakes.splice(0)) wake();
  }
}

/** The error of a wish that became a notice. */
function describeRefusal(event: RecordedEvent | undefined): HuddleError {
  if (event?.type !== 'notice' || event.code !== 'wish-refused') return new HuddleError('WISH_NOT_TAKEN', {});
  if (event.because === 'stranger') return new HuddleError('ROLE_NOT_IN_TEAM', { role: event.role });
  return event.because === 'empty'
    ? new HuddleError('EMPTY_MESSAGE', {})
    : new HuddleError('WISH_NOT_TAKEN', {});
}

/** Events read at first on the way back from the end; each further step takes twice as many. */
const FIRST_STEP = 64;

export interface LoadedBeforeTurns {
  /** The last event before those turns. */
  readonly beginning: number;
  readonly loaded: LoadedConversation;
}

/** Reads a conversation as it was before the turns that run now began, so that whoever joins sees them from their start. */
export async function loadBeforeTurns(reader: ConversationReader, team: Team): Promise<LoadedBeforeTurns> {
  const loaded = await loadConversation(reader, team);
  const open = new Set<string>(loaded.state.running.map(({ turnId }) => turnId));
  if (open.size === 0) return { beginning: reader.lastSeq, loaded };
  const beginning = (await findStart(reader, open)) - 1;
  return { beginning, loaded: await loadConversation(readUpTo(reader, beginning), team) };
}

/** The first of the events with which these turns started. */
async function findStart(reader: ConversationReader, open: Set<string>): Promise<number> {
  let step = FIRST_STEP;
  let first = reader.lastSeq + 1;
  for (let end = reader.lastSeq; end > 0 && open.size > 0; end -= step, step *= 2) {
    for (const event of (await toArray(reader.read(end - step + 1, end))).reverse()) {
      if (event.type !== 'turn-start' || !open.delete(event.turnId)) continue;
      first = event.seq;
    }
  }
  return first;
}

/** The same log, as if it ended there. */
function readUpTo(reader: ConversationReader, lastSeq: number): ConversationReader {
  return {
    id: reader.id,
    lastSeq,
    ...(reader.restoredSeq !== undefined && { restoredSeq: reader.restoredSeq }),
    read: (from = 1, to = lastSeq) => reader.read(from, Math.min(to, lastSeq)),
    readCheckpoint: async () => {
      const checkpoint = await reader.readCheckpoint();
      return checkpoint !== null && checkpoint.seq <= lastSeq ? checkpoint : null;
    },
    close: () => reader.close(),
  };
}
