import type { FleetRefusal } from '../catalogue/english/fleetErrors.js';
import type { UnfinishedTurn } from '../conversation/Agenda.js';
import type { DecidingConversation } from '../coordinator/Mandate.js';
import type { PauseReason, QueuedTurn } from '../models/ConversationEvent.js';
import { HuddleError } from '../models/errors.js';
import type { ConversationId } from '../models/ids.js';
import type { Team } from '../models/Team.js';
import type { WorkerFile } from '../models/WorkerFile.js';
import { retryTurns } from '../routing/queueTurns.js';
import { findAgent } from '../routing/teamMembers.js';
import type { SharedStore } from '../store/postgres/SharedStore.js';
import { ConversationLockedError } from '../store/storeErrors.js';
import type { Logger } from '../utils/logger.js';
import { checkFleetAsk, type FleetAsk, type FleetRow } from './fleetAsk.js';
import { holdShared } from './JoinedConversation.js';
import { personOf } from './PresenceBoard.js';
import { channelOfWorkers } from './TurnTable.js';
import { Wake } from './Wake.js';
import type { WorkerMemory } from './WorkerMemory.js';

/** A worker does what was signed, and nothing that the database says beyond that: others watch it, and can stop it. */
const MAY_BE_WISHED = ['cancel', 'skip-look'] as const;

/** A team of this machine's own, as a fleet uses it. */
export interface FleetTeam {
  readonly team: Team;
  /** Opens a conversation for writing. Rejects with ConversationLockedError, FleetRefusedError. */
  open(opening: FleetOpening): Promise<DecidingConversation>;
}

export interface FleetOpening {
  readonly id: ConversationId;
  readonly subject: string | undefined;
  /** It was begun before, here or elsewhere. */
  readonly isBegun: boolean;
}

export interface FleetParts {
  readonly store: SharedStore;
  readonly file: Pick<WorkerFile, 'askers' | 'teams' | 'atOnce'>;
  /** The memory of this machine: what began or ended here does not begin again, whatever the database says. */
  readonly memory: Pick<WorkerMemory, 'hasReached' | 'reach'>;
  /** Reads a team of the worker's file by its name. Rejects with FleetRefusedError if it cannot be used. */
  readonly loadTeam: (name: string) => Promise<FleetTeam>;
  readonly logger?: Logger | undefined;
  /** Told of each conversation, for people. */
  readonly onNews?: ((news: FleetNews) => void) | undefined;
}

export type FleetNews =
  | { readonly kind: 'begun' | 'resumed' | 'ended' | 'given-back'; readonly id: ConversationId }
  | {
      readonly kind: 'refused';
      readonly id: ConversationId;
      readonly refusal: FleetRefusal;
      /** Stays on this machine: it may name what is here. */
      readonly cause?: unknown;
    };

/** A team cannot be used for a conversation; the reason is told to whoever asked. */
export class FleetRefusedError extends Error {
  readonly refusal: FleetRefusal;

  /** @param cause Why it is so, for whoever looks after this machine. */
  constructor(refusal: FleetRefusal, cause?: unknown) {
    super(refusal.because, { cause });
    this.refusal = refusal;
  }
}

/** Holds conversations of a fleet for a worker's role, each to its end. */
export class FleetHolder {
  readonly #parts: FleetParts;
  readonly #held = new Map<string, Promise<void>>();
  readonly #wake = new Wake();

  constructor(parts: FleetParts) {
    this.#parts = parts;
  }

  /** Number of conversations that are held now. */
  get held(): number {
    return this.#held.size;
  }

  /**
   * Takes conversations until the first signal, then holds those that it has to their end.
   *
   * @param stop Gives them back: their turns are interrupted, and another worker continues.
   */
  async run(finish: AbortSignal, stop: AbortSignal = new AbortController().signal): Promise<void> {
    const { listener, database } = this.#parts.store;
    const call = (): void => this.#wake.call();
    const unlisten = listener.listen(channelOfWorkers(database.storeId, database.role), call);
    finish.addEventListener('abort', call);
    try {
      while (!finish.aborted) {
        await this.#takeWhatFits(finish, stop);
        if (!finish.aborted) await this.#wake.next();
      }
      await Promise.all(this.#held.values());
    } finally {
      unlisten();
      finish.removeEventListener('abort', call);
    }
  }

  async #takeWhatFits(finish: AbortSignal, stop: AbortSignal): Promise<void> {
    const { file, logger } = this.#parts;
    try {
      while (!finish.aborted && file.teams.size > 0 && this.#held.size < file.atOnce) {
        const row = await this.#claim();
        if (row === undefined) return;
        const work = this.#hold(row, stop).finally(() => {
          this.#held.delete(row.conversation);
          this.#wake.call();
        });
        this.#held.set(row.conversation, work);
      }
    } catch (error) {
      logger?.warn?.(`No conversations were claimed: ${String(error)}`);
    }
  }

  /** The next one that nobody has; what this process was given besides those in hand, the answer got lost of. */
  async #claim(): Promise<FleetRow | undefined> {
    const { database, presence } = this.#parts.store;
    const [row] = await database.query<FleetRow & Record<string, unknown>>(
      'SELECT conversation, request, asked_by AS "askedBy", said FROM huddle.claim_fleet($1, $2)',
      [await presence.arrive(), [...this.#held.keys()]],
    );
    return row;
  }

  /** Never rejects: what cannot be done now comes again, here or elsewhere. */
  async #hold(row: FleetRow, stop: AbortSignal): Promise<void> {
    const { store, logger, onNews } = this.#parts;
    const id = row.conversation as ConversationId;
    try {
      if (await this.#holdToItsEnd(id, row, stop)) return;
      onNews?.({ kind: 'given-back', id });
    } catch (error) {
      logger?.warn?.(`Conversation ${id} is left to the next worker: ${String(error)}`);
    }
    try {
      await store.database.query('SELECT huddle.release_fleet($1, $2)', [id, await store.presence.arrive()]);
    } catch (error) {
      logger?.warn?.(`Conversation ${id} was not given back: ${String(error)}`);
    }
  }

  /** False: somebody else has to continue it. */
  async #holdToItsEnd(id: ConversationId, row: FleetRow, stop: AbortSignal): Promise<boolean> {
    const { store, logger, memory, onNews } = this.#parts;
    const isBegun = await this.#isBegun(id);
    try {
      const ask = this.#check(row, isBegun);
      const { team: name, subject, message } = ask;
      const { team, open } = await this.#parts.loadTeam(name);
      const person = personOf(team, row.askedBy);
      if (person === undefined)
        throw new FleetRefusedError({ because: 'no-person', asker: row.askedBy, team: name });
      const conversation = await open({ id, subject, isBegun });
      // Before anything is said in it.
      memory.reach(id, 'fleet/begun', ask.expires);
      onNews?.({ kind: isBegun ? 'resumed' : 'begun', id });
      const hold = () => open({ id, subject, isBegun: true });
      const expiry = new AbortController();
      const onExpired = () => expiry.abort();
      const only = MAY_BE_WISHED;
      const joined = await holdShared({ store, id, team, hold, only, onExpired, logger }, conversation);
      try {
        const signal = AbortSignal.any([stop, expiry.signal]);
        const said = { by: row.askedBy, as: person.name, message };
        const onEnd = () => memory.reach(id, 'fleet/ended', ask.expires);
        return await this.#runToItsEnd(conversation, said, onEnd, signal);
      } finally {
        await joined.close();
      }
    } catch (error) {
      if (error instanceof ConversationLockedError) return false;
      if (!(error instanceof FleetRefusedError)) throw error;
      const { refusal } = error;
      await store.database.query('SELECT huddle.end_fleet($1, $2)', [id, JSON.stringify(refusal)]);
      onNews?.({ kind: 'refused', id, refusal, cause: error.cause });
      return true;
    }
  }

  /** A conversation of this role continues; one that somebody else made is none of a fleet. */
  async #isBegun(id: ConversationId): Promise<boolean> {
    const { database } = this.#parts.store;
    const [row] = await database.query<{ created_by: string }>(
      'SELECT created_by FROM huddle.conversation WHERE id = $1',
      [id],
    );
    if (row !== undefined && row.created_by !== database.role)
      throw new FleetRefusedError({ because: 'other-conversation' });
    return row !== undefined;
  }

  #check(row: FleetRow, isBegun: boolean): FleetAsk {
    const { file, store, memory } = this.#parts;
    const { storeId, role } = store.database;
    // The conversation was deleted, or made to look unfinished, by whoever owns the database.
    if (memory.hasReached(row.conversation, isBegun ? 'fleet/ended' : 'fleet/begun'))
      throw new FleetRefusedError({ because: 'asked-before' });
    const checked = checkFleetAsk(row, { file, storeId, role, now: Date.now(), isBegun });
    if (checked.kind === 'refused') throw new FleetRefusedError(checked.refusal);
    return checked.ask;
  }

  async #runToItsEnd(
    conversation: DecidingConversation,
    { by, as, message }: { readonly by: string; readonly as: string; readonly message: string },
    onEnd: () => void,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { id } = conversation;
    const { database, presence } = this.#parts.store;
    const stop = (): void => {
      // What it rejects with, `settled` does as well.
      conversation.close().catch(() => undefined);
    };
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    try {
      const [row] = await database.query<{ wish: number | null }>(
        'SELECT huddle.begin_fleet($1, $2) AS wish',
        [id, await presence.arrive()],
      );
      const wish = row?.wish;
      if (typeof wish === 'number') {
        const mandate = { by, taking: { wish } };
        await conversation.actFor(mandate, () => conversation.send(message, { as })).result;
      } else await goOn(conversation);
      do await conversation.settled();
      while (!signal.aborted && (await goOn(conversation)));
      if (signal.aborted) return false;
      await conversation.close();
      onEnd();
      await database.query('SELECT huddle.end_fleet($1, NULL)', [id]);
      this.#parts.onNews?.({ kind: 'ended', id });
      return true;
    } catch (error) {
      if (signal.aborted && isClosed(error)) return false;
      throw error;
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }
}

/** Sets a conversation going in which turns wait since its holder is gone; says whether any do. */
async function goOn(conversation: DecidingConversation): Promise<boolean> {
  const { pause } = conversation.snapshot().state;
  // At a limit, or stopped by a person, it has ended.
  if (pause !== null && pause.kind !== 'reopened') return false;
  const reruns = await rerunInterrupted(conversation);
  if (pause === null && reruns === 0) return false;
  await conversation.resume();
  return true;
}

function isClosed(error: unknown): boolean {
  return error instanceof HuddleError && error.code === 'CONVERSATION_CLOSED';
}

/**
 * Queues turns that a machine did not live to end, if their team says so: of members that may only read, each once. For
 * conversations without a person who could decide. Resolves with their number.
 */
export async function rerunInterrupted(conversation: DecidingConversation): Promise<number> {
  const { team } = conversation;
  if (team.retryInterrupted !== 'read') return 0;
  const { unfinished, turnCount, pause } = conversation.snapshot().state;
  const interrupted = unfinished.flatMap((each) => (isInterrupted(each, pause) ? [each.turn] : []));
  const readers = interrupted.filter(({ memberId }) => mayOnlyRead(findAgent(team, memberId)));
  if (readers.length === 0) return 0;
  const reruns = await findReruns(conversation);
  const wanted = readers.filter(({ turnId }) => !reruns.has(turnId));
  if (wanted.length === 0) return 0;
  conversation.record([{ type: 'turns-queued', turns: retryTurns(wanted, turnCount), place: 'front' }]);
  return wanted.length;
}

/** A turn is also stopped by a worker that gives its conversation back. A person who stops one pauses the conversation. */
function isInterrupted({ kind }: UnfinishedTurn, pause: PauseReason | null): boolean {
  return kind === 'interrupted' || (kind === 'cancelled' && pause?.kind !== 'cancelled');
}

/** The permission of a member elsewhere is in that machine's own file. */
function mayOnlyRead(member: ReturnType<typeof findAgent>): boolean {
  return member?.permission === 'read' && member.runsOn === undefined;
}

/** Turns that took the place of others. */
async function findReruns(conversation: DecidingConversation): Promise<Set<QueuedTurn['turnId']>> {
  const reruns = new Set<QueuedTurn['turnId']>();
  for await (const event of conversation.history()) {
    if (event.type !== 'turns-queued') continue;
    for (const { turnId, retryOf } of event.turns) if (retryOf !== undefined) reruns.add(turnId);
  }
  return reruns;
}
