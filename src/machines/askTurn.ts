import type { AgentAdapter, TurnAddress, TurnRequest } from '../agents/AgentAdapter.js';
import type { AgentEvent } from '../models/AgentEvent.js';
import type { TurnFailure } from '../models/TurnOutcome.js';
import { SQL_STATES, sqlStateOf, untilReached } from '../store/postgres/databaseFailures.js';
import type { SharedStore } from '../store/postgres/SharedStore.js';
import { utf8Length } from '../utils/bytes.js';
import type { SigningKey } from '../utils/ed25519.js';
import { type AskedPlace, followAsked } from './followAsked.js';
import { MOST_BYTES } from './readAsk.js';
import { REQUEST_VERSION, signAsk } from './signing.js';
import { type AskedTurn, channelOfWorkers, TurnTable } from './TurnTable.js';

/** Minutes that a turn waits for a worker, unless the team file says otherwise. */
const WAIT_MINUTES = 30;
const MINUTE = 60_000;

export interface AskingOptions {
  readonly store: SharedStore;
  /** Signs what is asked; workers know its public half. */
  readonly key: SigningKey;
  readonly waitMinutes?: number | undefined;
  /** Turns that people wait for are taken before others. Default: they are. */
  readonly isUrgent?: boolean;
  /** Whether somebody follows what agents write while they write it. Default: yes. */
  readonly isWatched?: () => boolean;
  /** Epoch milliseconds. */
  readonly clock?: () => number;
}

/** Asks workers of a shared store for the turns of members that run there, and gives what they report as if it happened here. */
export function askWorkers(options: AskingOptions): AgentAdapter {
  const { store, waitMinutes = WAIT_MINUTES } = options;
  const table = new TurnTable(store);
  const reports = new WeakMap<AgentEvent, number>();
  const placeOf = (turn: TurnAddress, asked: AskedTurn, taken: number): AskedPlace => ({
    table,
    listener: store.listener,
    turn,
    asked,
    taken,
    waitMinutes,
    noteReport: (event, number) => reports.set(event, number),
  });
  return {
    async *runTurn(request, signal) {
      const { address } = request;
      if (address === undefined) throw new TypeError('A turn on another machine is one of a conversation.');
      const asked = await ask(request, address, table, options, signal);
      if ('asked' in asked) yield* followAsked(placeOf(address, asked.asked, 0), signal);
      else yield { type: 'end', outcome: { kind: 'failed', failure: asked.failure, draft: '' } };
    },
    async adopt(turn, signal) {
      const asked = await table.findAsked(turn);
      return asked && followAsked(placeOf(turn, asked, asked.taken), signal);
    },
    reportOf: (event) => reports.get(event),
  };
}

type Asked = { readonly asked: AskedTurn } | { readonly failure: TurnFailure };

/** Writes the request, and wakes the workers. */
async function ask(
  request: TurnRequest,
  address: TurnAddress,
  table: TurnTable,
  { store, isUrgent = true, isWatched = () => true, ...options }: AskingOptions,
  signal: AbortSignal,
): Promise<Asked> {
  const { database, listener } = store;
  const { memberName: member, runsOn: worker = '' } = address;
  const habits = { isWatched: isWatched(), isUrgent };
  const text = writeRequest(request, address, { store, ...options });
  if (utf8Length(text) > MOST_BYTES)
    return {
      failure: { code: 'WORKER_REFUSED', reason: 'worker-refused', worker, member, because: 'too-large' },
    };
  try {
    const asked = await untilReached(() => table.ask(address, text, habits), { signal });
    listener.tell(channelOfWorkers(database.storeId, worker), '');
    return { asked };
  } catch (error) {
    if (sqlStateOf(error) !== SQL_STATES.unknownWorker) throw error;
    return {
      failure: { code: 'NO_WORKER', reason: 'no-worker', worker, member, minutes: 0, isUnknown: true },
    };
  }
}

function writeRequest(
  { prompt, systemFlag, limits, session, sessionTotals }: TurnRequest,
  {
    conversationId: conversation,
    turnId: turn,
    memberId: member,
    agentType,
    runsOn: workerRole = '',
  }: TurnAddress,
  { store, key, waitMinutes = WAIT_MINUTES, clock = Date.now }: AskingOptions,
): string {
  const signed = signAsk(
    {
      v: REQUEST_VERSION,
      store: store.database.storeId,
      conversation,
      turn,
      member,
      agentType,
      workerRole,
      prompt,
      ...(systemFlag !== undefined && { systemText: systemFlag }),
      limits,
      session,
      ...(sessionTotals !== undefined && { sessionTotals }),
      expires: Math.ceil(clock() + waitMinutes * MINUTE),
    },
    key,
  );
  return JSON.stringify(signed);
}
