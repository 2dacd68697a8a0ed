import { randomUUID } from 'node:crypto';
import type { ConversationEvent } from '../models/ConversationEvent.js';
import { HuddleError } from '../models/errors.js';
import { type ConversationId, createConversationId } from '../models/ids.js';
import type { FleetRefusal } from '../models/WorkerFile.js';
import { SQL_STATES, sqlStateOf, untilReached } from '../store/postgres/databaseFailures.js';
import { formatSaid } from '../store/postgres/proofs.js';
import type { SharedStore } from '../store/postgres/SharedStore.js';
import { UnknownConversationError } from '../store/storeErrors.js';
import { toArray } from '../utils/AnyIterable.js';
import type { SigningKey } from '../utils/ed25519.js';
import { encodeCommand } from './commands.js';
import { Follower } from './Follower.js';
import { type SignedRequest, signRequest } from './requests.js';
import { SharedConversation } from './SharedConversation.js';
import { channelOfWorkers } from './TurnTable.js';
import { Wake } from './Wake.js';

/** A fleet may have more to do than one day has time for. */
const VALID_MILLISECONDS = 24 * 60 * 60 * 1000;
/** Ids are short: of the conversations of one minute two may get the same. */
const ATTEMPTS = 10;
const LOOK_MILLISECONDS = 250;

export interface FleetOrder extends Readonly<SignedRequest<'conversation'>['body']> {
  readonly store: SharedStore;
  readonly key: SigningKey;
  /** The role whose workers are asked. */
  readonly on: string;
}

/** Asks the workers of a role to hold a new conversation; resolves with its id. Rejects with UNKNOWN_WORKER. */
export async function askFleet(order: FleetOrder): Promise<ConversationId> {
  const { store, on } = order;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const id = createConversationId(Date.now());
    if (!(await tryToAsk(order, id))) continue;
    store.listener.notify(channelOfWorkers(store.database.storeId, on), '');
    return id;
  }
  throw new HuddleError('FLEET_REFUSED', { worker: on, refusal: { because: 'other-conversation' } });
}

async function tryToAsk(order: FleetOrder, conversation: ConversationId): Promise<boolean> {
  const { store, key, on, team, subject, message } = order;
  const request = signRequest(
    {
      kind: 'conversation',
      store: store.database.storeId,
      conversation,
      workerRole: on,
      body: { team, subject, message },
      expires: Date.now() + VALID_MILLISECONDS,
    },
    key,
  );
  try {
    const [row] = await store.database.query<{ is_asked: boolean }>(
      'SELECT huddle.ask_fleet($1, $2, $3, $4) AS is_asked',
      [conversation, on, JSON.stringify(request), formatSaid(message)],
    );
    return row?.is_asked === true;
  } catch (error) {
    if (sqlStateOf(error) !== SQL_STATES.unknownWorker) throw error;
    throw new HuddleError('UNKNOWN_WORKER', { role: on });
  }
}

/** Progress of a fleet with a conversation. */
export type FleetState = 'asked' | 'held' | 'ended' | 'withdrawn';

/** Rejects with FLEET_REFUSED. */
export async function readFleetState({ database }: SharedStore, id: ConversationId): Promise<FleetState> {
  const [row] = await database.query<{ state: string; refusal: string | null; worker: string }>(
    'SELECT state, refusal, worker_role AS worker FROM huddle.fleet WHERE conversation = $1',
    [id],
  );
  if (row === undefined) return 'ended';
  const { state, refusal, worker } = row;
  if (state !== 'refused') return state as FleetState;
  throw new HuddleError('FLEET_REFUSED', { worker, refusal: JSON.parse(String(refusal)) as FleetRefusal });
}

/** Takes a request back that no worker has begun; says whether it did. */
export async function withdrawFleet({ database }: SharedStore, id: ConversationId): Promise<boolean> {
  const [row] = await database.query<{ is_withdrawn: boolean }>(
    'SELECT huddle.withdraw_fleet($1) AS is_withdrawn',
    [id],
  );
  return row?.is_withdrawn === true;
}

/**
 * Everything that happens in a conversation of a fleet, from its beginning to its end, whoever holds it meanwhile. Rejects with
 * FLEET_REFUSED if no worker will.
 *
 * @param stop Takes the request back, or has the running turns stopped; the end still comes.
 * @param onWait Called while no worker has begun.
 */
export async function* followFleet(
  store: SharedStore,
  id: ConversationId,
  { stop, onWait }: { readonly stop: AbortSignal; readonly onWait?: () => void },
): AsyncGenerator<ConversationEvent> {
  const wake = new Wake(stop);
  const shared = await findShared(store, id, { stop, onWait, wake });
  if (shared === undefined) return wake.end();
  const stopKey = randomUUID();
  const events: ConversationEvent[] = [];
  await untilReached(() => shared.join());
  // The members are the worker's: nothing is asked of them here.
  const parts = { id, store, shared, team: { members: [] } };
  const followed = await untilReached(() => Follower.open(parts));
  followed.subscribe((event) => events.push(event));
  const unsubscribe = shared.subscribe((payload) => {
    if (payload !== undefined) followed.showLive(payload);
    wake.call();
  });
  try {
    yield* await untilReached(() => toArray(followed.history()));
    for (let isStopping = false; ; ) {
      // In this order: when it has ended, all of it is there to be read.
      const state = await untilReached(() => readFleetState(store, id));
      const { lastSeq } = await untilReached(() => shared.readState());
      await untilReached(() => followed.catchUp(lastSeq));
      yield* events.splice(0);
      if (state === 'ended') return;
      if (stop.aborted && !isStopping) {
        isStopping = true;
        await untilReached(() => shared.ask(stopKey, encodeCommand({ kind: 'cancel', drop: true })));
      }
      await wake.next(LOOK_MILLISECONDS);
    }
  } finally {
    unsubscribe();
    wake.end();
    // Whoever is gone is not counted either.
    await shared.leave().catch(() => undefined);
  }
}

interface Waiting {
  readonly stop: AbortSignal;
  readonly onWait: (() => void) | undefined;
  readonly wake: Wake;
}

/** The conversation, once a worker holds it; undefined when nobody will. */
async function findShared(
  store: SharedStore,
  id: ConversationId,
  { stop, onWait, wake }: Waiting,
): Promise<SharedConversation | undefined> {
  for (;;) {
    const state = await untilReached(() => readFleetState(store, id));
    if (state === 'withdrawn') return undefined;
    const shared = state === 'asked' ? undefined : await untilReached(() => tryToFind(store, id));
    if (shared !== undefined || state === 'ended') return shared;
    if (stop.aborted && (await withdrawFleet(store, id))) return undefined;
    onWait?.();
    await wake.next(LOOK_MILLISECONDS);
  }
}

async function tryToFind(store: SharedStore, id: ConversationId): Promise<SharedConversation | undefined> {
  try {
    return await SharedConversation.find(store, id);
  } catch (error) {
    // Its worker prepares the folder.
    if (error instanceof UnknownConversationError) return undefined;
    throw error;
  }
}
