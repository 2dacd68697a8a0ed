import type { UnfinishedTurn } from '../conversation/Agenda.js';
import type { DecidingConversation } from '../coordinator/Grant.js';
import type { PauseReason, QueuedTurn } from '../models/ConversationEvent.js';
import { HuddleError } from '../models/errors.js';
import type { ConversationId } from '../models/ids.js';
import type { Team } from '../models/Team.js';
import type { FleetRefusal, WorkerFile } from '../models/WorkerFile.js';
import { retryTurns } from '../routing/queueTurns.js';
import { findAgent } from '../routing/teamMembers.js';
import { formatSaid } from '../store/postgres/proofs.js';
import type { SharedStore } from '../store/postgres/SharedStore.js';
import { ConversationLockedError } from '../store/storeErrors.js';
import type { Logger } from '../utils/logger.js';
import { ClaimLoop } from './ClaimLoop.js';
import { holdShared } from './JoinedConversation.js';
import { personOf } from './PresenceBoard.js';
import { checkSignedRequest, type RequestRow, type SignedRequest } from './requests.js';
import type { WorkerMemory } from './WorkerMemory.js';

const DAY = 24 * 60 * 60_000;
/** Subject of a conversation of a fleet, which the program that prepares its folder is given. */
const SUBJECT = /^[\w./#-]{1,200}$/u;

/** A worker does what was signed, and nothing that the database says beyond that: others watch it, and can stop it. */
const MAY_BE_ASKED = ['cancel', 'skip-look'] as const;

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

export function isSubject(text: string): boolean {
  return SUBJECT.test(text);
}

/** A conversation that a fleet was asked for, as it stands in the store. */
interface FleetRow extends RequestRow, Readonly<Record<string, unknown>> {
  /** The body of the command that the conversation begins with. */
  readonly said: string;
}

/** Holds conversations of a fleet for a worker's role, each to its end. */
export class FleetHolder {
  readonly #parts: FleetParts;
  readonly #conversations: ClaimLoop<FleetRow>;

  constructor(parts: FleetParts) {
    const { store, file, logger } = parts;
    this.#parts = parts;
    this.#conversations = new ClaimLoop({
      store,
      logger,
      atOnce: file.teams.size === 0 ? 0 : file.atOnce,
      claim: (running) => this.#claim(running),
      run: (row, stop) => this.#hold(row, stop),
    });
  }

  /** Number of conversations that are held now. */
  get held(): number {
    return this.#conversations.running.length;
  }

  /**
   * Takes conversations until the first signal, then holds those that it has to their end.
   *
   * @param stop Releases them: their turns are interrupted, and another worker continues.
   */
  run(finish: AbortSignal, stop: AbortSignal = new AbortController().signal): Promise<void> {
    return this.#conversations.run(finish, stop);
  }

  /** The next one that nobody has; what this process was given besides those in hand, the answer got lost of. */
  async #claim(running: readonly FleetRow[]): Promise<FleetRow | null> {
    const { database, presence } = this.#parts.store;
    const [row] = await database.query<FleetRow>(
      'SELECT conversation, request, asked_by AS "askedBy", said FROM huddle.claim_fleet($1, $2)',
      [await presence.arrive(), running.map(({ conversation }) => conversation)],
    );
    return row ?? null;
  }

  /** Releases the conversation if it cannot be held to its end now: it comes again, here or elsewhere. */
  async #hold(row: FleetRow, stop: AbortController): Promise<void> {
    const { store, logger, onNews } = this.#parts;
    const id = row.conversation as ConversationId;
    try {
      if (await this.#holdToItsEnd(id, row, stop)) return;
      onNews?.({ kind: 'given-back', id });
    } catch (error) {
      logger?.warn?.(`Conversation ${id} is left to the next worker: ${String(error)}`);
    }
    await store.database.query('SELECT huddle.release_fleet($1, $2)', [id, await store.presence.arrive()]);
  }

  /** False: somebody else has to continue it. */
  async #holdToItsEnd(id: ConversationId, row: FleetRow, stop: AbortController): Promise<boolean> {
    const { store, logger, memory, onNews } = this.#parts;
    try {
      const isBegun = await this.#isBegun(id);
      const { body, expires } = this.#check(row, isBegun);
      const { subject } = body;
      const { team, open } = await this.#parts.loadTeam(body.team);
      const person = personOf(team, row.askedBy);
      if (person === undefined)
        throw new FleetRefusedError({ because: 'no-person', asker: row.askedBy, team: body.team });
      const conversation = await open({ id, subject, isBegun });
      // Before anything is said in it.
      memory.reach(id, 'fleet/begun', expires);
      onNews?.({ kind: isBegun ? 'resumed' : 'begun', id });
      const hold = () => open({ id, subject, isBegun: true });
      const onExpired = () => stop.abort();
      const joined = await holdShared(
        { store, id, team, hold, only: MAY_BE_ASKED, onExpired, logger },
        conversation,
      );
      try {
        const said = { by: row.askedBy, as: person.name, message: body.message };
        if (!(await this.#runToItsEnd(conversation, said, stop.signal))) return false;
        memory.reach(id, 'fleet/ended', expires);
        await this.#end(id, null);
        onNews?.({ kind: 'ended', id });
        return true;
      } finally {
        await joined.close();
      }
    } catch (error) {
      if (error instanceof ConversationLockedError) return false;
      if (!(error instanceof FleetRefusedError)) throw error;
      const { refusal, cause } = error;
      await this.#end(id, JSON.stringify(refusal));
      onNews?.({ kind: 'refused', id, refusal, cause });
      return true;
    }
  }

  async #end(id: ConversationId, refusal: string | null): Promise<void> {
    await this.#parts.store.database.query('SELECT huddle.end_fleet($1, $2)', [id, refusal]);
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

  #check(row: FleetRow, isBegun: boolean): SignedRequest<'conversation'> {
    const { file, store, memory } = this.#parts;
    const { storeId, role } = store.database;
    // The conversation was deleted, or made to look unfinished, by whoever owns the database.
    if (memory.hasReached(row.conversation, isBegun ? 'fleet/ended' : 'fleet/begun'))
      throw new FleetRefusedError({ because: 'asked-before' });
    // One that was begun may continue for a while, elsewhere too; machines remember it for that long.
    const now = Date.now() - (isBegun ? DAY : 0);
    const checked = checkSignedRequest(
      'conversation',
      row,
      { file, storeId, role, now },
      ({ message }) => row.said === formatSaid(message),
    );
    if (checked.kind === 'refused') throw new FleetRefusedError(checked.refusal);
    const { team, subject } = checked.request.body;
    if (!file.teams.has(team)) throw new FleetRefusedError({ because: 'no-team', team });
    if (subject !== undefined && !isSubject(subject)) throw new FleetRefusedError({ because: 'bad-subject' });
    return checked.request;
  }

  /** False: it was stopped before. */
  async #runToItsEnd(
    conversation: DecidingConversation,
    { by, as, message }: { readonly by: string; readonly as: string; readonly message: string },
    signal: AbortSignal,
  ): Promise<boolean> {
    const { database, presence } = this.#parts.store;
    const stop = (): void => {
      // What it rejects with, `settled` does as well.
      conversation.close().catch(() => undefined);
    };
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    try {
      const [row] = await database.query<{ command: number | null }>(
        'SELECT huddle.begin_fleet($1, $2) AS command',
        [conversation.id, await presence.arrive()],
      );
      const command = row?.command;
      if (typeof command === 'number') {
        const grant = { by, claim: { command } };
        await conversation.actFor(grant, () => conversation.send(message, { as })).result;
      } else await continueTurns(conversation);
      do await conversation.settled();
      while (!signal.aborted && (await continueTurns(conversation)));
      if (signal.aborted) return false;
      await conversation.close();
      return true;
    } catch (error) {
      const isStopped = error instanceof HuddleError && error.code === 'CONVERSATION_CLOSED';
      if (signal.aborted && isStopped) return false;
      throw error;
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }
}

/** Sets a conversation going in which turns wait since its holder is gone; says whether any do. */
async function continueTurns(conversation: DecidingConversation): Promise<boolean> {
  const { pause } = conversation.snapshot().state;
  // At a limit, or stopped by a person, it has ended.
  if (pause !== null && pause.kind !== 'reopened') return false;
  const reruns = await rerunInterrupted(conversation);
  if (pause === null && reruns === 0) return false;
  await conversation.resume();
  return true;
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
