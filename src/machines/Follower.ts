import { applyToStatus, type ConversationStatus } from '../conversation/ConversationStatus.js';
import { isContinuing, type Phase, phaseOf } from '../conversation/questions.js';
import type { Conversation, ConversationSnapshot } from '../coordinator/Conversation.js';
import { loadConversation } from '../coordinator/loadConversation.js';
import type { ConversationEvent, RecordedEvent } from '../models/ConversationEvent.js';
import type { ConversationMessage } from '../models/ConversationMessage.js';
import { HuddleError } from '../models/errors.js';
import type { ConversationId } from '../models/ids.js';
import type { Team } from '../models/Team.js';
import type { SharedReader, SharedStore } from '../store/postgres/SharedStore.js';
import type { ConversationReader } from '../store/Store.js';
import { toArray } from '../utils/AnyIterable.js';
import { type Broadcast, createBroadcast } from '../utils/broadcast.js';
import type { Logger } from '../utils/logger.js';
import { ASK_FOR_WHOLE, LiveTextReader } from './LiveText.js';
import type { SharedConversation } from './SharedConversation.js';

export interface FollowedParts {
  readonly id: ConversationId;
  /** Its members decide which messages a handle holds. */
  readonly team: Pick<Team, 'members'>;
  readonly store: Pick<SharedStore, 'read'>;
  readonly shared: Pick<SharedConversation, 'notify'>;
  readonly logger?: Logger | undefined;
}

/** A conversation that another process holds, shown from the log as it comes. */
export class Follower
  implements Pick<Conversation, 'id' | 'history' | 'subscribe' | 'snapshot' | 'settled' | 'close'>
{
  readonly #parts: FollowedParts;
  readonly #broadcast: Broadcast<ConversationEvent>;
  readonly #live: LiveTextReader;
  readonly #messages: ConversationMessage[];
  /** Reads what comes. */
  #reader: SharedReader;
  #status: ConversationStatus;
  #lastSeq: number;
  #reading: Promise<void> = Promise.resolve();
  #hasClosed = false;
  #wakes: (() => void)[] = [];

  private constructor(parts: FollowedParts, reader: SharedReader, lastSeq: number, loaded: LoadedStatus) {
    const { messages, ...status } = loaded;
    this.#parts = parts;
    this.#live = new LiveTextReader(() => parts.shared.notify(ASK_FOR_WHOLE));
    this.#reader = reader;
    this.#messages = [...messages];
    this.#status = status;
    this.#lastSeq = lastSeq;
    this.#broadcast = createBroadcast((error) =>
      parts.logger?.error?.(`A listener failed: ${String(error)}`),
    );
  }

  /** Reads as much as a handle holds of a conversation that is opened again. Turns that run are told from their start. */
  static async open(parts: FollowedParts): Promise<Follower> {
    const reader = await parts.store.read(parts.id);
    const { beginning, loaded } = await loadBeforeTurns(reader, parts.team);
    return new Follower(parts, reader, beginning, loaded);
  }

  get id(): ConversationId {
    return this.#parts.id;
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
  showLive(payload: string): boolean {
    const piece = this.#live.read(payload);
    if (piece === undefined) return false;
    // After the events that were told of before, such as the start of its turn.
    void this.#reading.then(() => {
      // Of turns that run, and of no others: anyone can send it.
      const running = new Set(this.#status.state.running.map(({ turnId }) => turnId));
      this.#broadcast.send(...this.#live.show(piece, Date.now(), (turnId) => running.has(turnId)));
    });
    return true;
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

  async settled(): Promise<Phase> {
    for (;;) {
      // No one runs it here any more.
      if (this.#hasClosed) throw new HuddleError('CONVERSATION_CLOSED', {});
      const { state } = this.#status;
      if (state.running.length === 0 && !isContinuing(state)) return phaseOf(state);
      await new Promise<void>((resolve) => this.#wakes.push(resolve));
    }
  }

  async close(): Promise<void> {
    this.#hasClosed = true;
    this.#wake();
    await this.#reading;
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

  #take(event: RecordedEvent): void {
    this.#status = applyToStatus(this.#status, event);
    this.#lastSeq = event.seq;
    if (event.type === 'turn-end') this.#live.end(event.turnId);
    if (event.type === 'message-added') this.#messages.push(event.message);
    this.#broadcast.send(event);
  }

  #wake(): void {
    for (const wake of this.#wakes.splice(0)) wake();
  }
}

interface LoadedStatus extends ConversationStatus {
  readonly messages: readonly ConversationMessage[];
}

/** Events read at first on the way back from the end; each further step takes twice as many. */
const FIRST_STEP = 64;

/** Reads a conversation as it was before the turns that run now began, so that whoever joins sees them from their start. */
async function loadBeforeTurns(
  reader: ConversationReader,
  team: FollowedParts['team'],
): Promise<{ readonly beginning: number; readonly loaded: LoadedStatus }> {
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
    restoredSeq: reader.restoredSeq,
    read: (from = 1, to = lastSeq) => reader.read(from, Math.min(to, lastSeq)),
    readCheckpoint: async () => {
      const checkpoint = await reader.readCheckpoint();
      return checkpoint !== null && checkpoint.seq <= lastSeq ? checkpoint : null;
    },
    close: () => reader.close(),
  };
}
