import type { FleetRefusal } from '../catalogue/english/fleetErrors.js';
import { createConversationId } from '../coordinator/ConversationStarter.js';
import { HuddleError } from '../models/errors.js';
import type { ConversationId } from '../models/ids.js';
import { SQL_STATES, sqlStateOf } from '../store/postgres/databaseFailures.js';
import { formatSaid } from '../store/postgres/proofs.js';
import type { SharedStore } from '../store/postgres/SharedStore.js';
import type { SigningKey } from '../utils/ed25519.js';
import { type FleetAsk, signFleetAsk } from './fleetAsk.js';
import { channelOfWorkers } from './TurnTable.js';

/** A fleet may have more to do than one day has time for. */
const VALID_MILLISECONDS = 24 * 60 * 60 * 1000;
/** Ids are short: of the conversations of one minute two may get the same. */
const ATTEMPTS = 10;

export interface FleetOrder extends Pick<FleetAsk, 'team' | 'subject' | 'message'> {
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
    store.listener.tell(channelOfWorkers(store.database.storeId, on), '');
    return id;
  }
  throw new HuddleError('FLEET_REFUSED', { worker: on, refusal: { because: 'other-conversation' } });
}

async function tryToAsk(order: FleetOrder, conversation: ConversationId): Promise<boolean> {
  const { store, key, on, team, subject, message } = order;
  const { storeId } = store.database;
  const expires = Date.now() + VALID_MILLISECONDS;
  const ask: FleetAsk = { store: storeId, conversation, workerRole: on, team, subject, message, expires };
  try {
    const [row] = await store.database.query<{ is_asked: boolean }>(
      'SELECT huddle.ask_fleet($1, $2, $3, $4) AS is_asked',
      [conversation, on, signFleetAsk(ask, key), formatSaid(message)],
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
