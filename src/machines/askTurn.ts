import type { AgentAdapter, TurnAddress, TurnRequest } from '../agents/AgentAdapter.js';
import { TurnText } from '../conversation/TurnText.js';
import type { AgentEvent, WaitingEvent } from '../models/AgentEvent.js';
import { HuddleError } from '../models/errors.js';
import type { TurnFailure, TurnOutcome } from '../models/TurnOutcome.js';
import { SQL_STATES, sqlStateOf, untilReached } from '../store/postgres/databaseFailures.js';
import type { Listener, SharedStore } from '../store/postgres/SharedStore.js';
import { StoreOutOfReachError } from '../store/storeErrors.js';
import { utf8Length } from '../utils/bytes.js';
import type { SigningKey } from '../utils/ed25519.js';
import { readReport } from './Reporter.js';
import { MOST_BYTES, signRequest } from './requests.js';
import { type AskedTurn, channelOfWorkers, type TurnNews, TurnTable } from './TurnTable.js';
import { Wake } from './Wake.js';

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
    listener.notify(channelOfWorkers(database.storeId, worker), '');
    return { asked };
  } catch (error) {
    if (sqlStateOf(error) !== SQL_STATES.unknownWorker) throw error;
    return {
      failure: { code: 'NO_WORKER', reason: 'no-worker', worker, member, minutes: 0, isUnknown: true },
    };
  }
}

function writeRequest(
  { prompt, systemFlag: systemText, limits, session, sessionTotals }: TurnRequest,
  { conversationId: conversation, turnId: turn, memberId: member, agentType, runsOn = '' }: TurnAddress,
  { store, key, waitMinutes = WAIT_MINUTES, clock = Date.now }: AskingOptions,
): string {
  const request = signRequest(
    {
      kind: 'turn',
      store: store.database.storeId,
      conversation,
      workerRole: runsOn,
      body: { turn, member, agentType, prompt, systemText, limits, session, sessionTotals },
      expires: Math.ceil(clock() + waitMinutes * MINUTE),
    },
    key,
  );
  return JSON.stringify(request);
}

/** Seconds that a turn waits before people are told. */
const SILENT_SECONDS = 5;

export interface AskedPlace {
  readonly table: TurnTable;
  readonly listener: Listener;
  readonly turn: TurnAddress;
  readonly asked: AskedTurn;
  /** Number of the last report that facts were made of before. */
  readonly taken: number;
  readonly waitMinutes: number;
  /** Notes in which report an event came. */
  readonly noteReport: (event: AgentEvent, number: number) => void;
}

/** The events of a turn that was asked for, as workers report them, until its end. Leaving the loop withdraws it. */
export async function* followAsked(
  place: AskedPlace,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, void, undefined> {
  const { listener, asked } = place;
  const wake = new Wake(signal);
  const stopListening = listener.listen(asked.channel, () => wake.call());
  const following = new FollowedTurn(place);
  try {
    for (;;) {
      const news = await following.look(signal);
      yield* news.events;
      if (following.hasEnded) return;
      if (!news.hasMore) await wake.next();
    }
  } finally {
    stopListening();
    wake.end();
    if (!following.hasEnded && !isLeft(signal)) await following.withdraw();
  }
}

/** Whether this process cannot write the conversation any more: whoever holds it next continues the turn. */
function isLeft({ aborted, reason }: AbortSignal): boolean {
  return aborted && reason instanceof HuddleError;
}

interface Step {
  readonly events: readonly AgentEvent[];
  readonly hasMore: boolean;
}

const OUT_OF_REACH: Step = { events: [], hasMore: false };

/** A turn as it is seen by the process that asked for it. */
class FollowedTurn {
  readonly #place: AskedPlace;
  readonly #text = new TurnText();
  #seen = 0;
  #told = '';
  #hasBegun = false;
  hasEnded = false;

  constructor(place: AskedPlace) {
    this.#place = place;
  }

  /** Reads what is new. While the store is out of reach nothing is, unless the turn was stopped. */
  async look(signal: AbortSignal): Promise<Step> {
    try {
      if (isLeft(signal)) return this.#conclude({ kind: 'interrupted', draft: this.#text.text });
      if (signal.aborted) await this.withdraw();
      return await this.#read();
    } catch (error) {
      if (!(error instanceof StoreOutOfReachError)) throw error;
      if (!signal.aborted) return OUT_OF_REACH;
      // Its report stays in the store, for the process that opens the conversation next.
      return this.#conclude({ kind: 'cancelled', draft: this.#text.text });
    }
  }

  /** Takes back the request. */
  async withdraw(): Promise<void> {
    const { table, turn, asked } = this.#place;
    await table.withdraw(turn.conversationId, asked.number);
  }

  async #read(): Promise<Step> {
    const { table, asked, turn } = this.#place;
    const news = await table.look(asked.number, this.#seen);
    if (news === null) return this.#conclude({ kind: 'interrupted', draft: this.#text.text });
    if (news.is_worker_gone) await table.lose(turn.conversationId, asked.number);
    const events = this.#take(news);
    if (this.hasEnded) return { events, hasMore: false };
    const hasMore = this.#seen < news.reported || news.is_worker_gone;
    if (!hasMore) events.push(...(await this.#judge(news)));
    return { events, hasMore };
  }

  #take({ reports, state }: TurnNews): AgentEvent[] {
    const events: AgentEvent[] = [];
    if (state !== 'asked' && state !== 'withdrawn' && !this.#hasBegun) {
      this.#hasBegun = true;
      events.push({ type: 'waiting', worker: this.#worker, isOver: true });
    }
    for (const { number, body } of reports) {
      const event = readReport(body) ?? BROKEN;
      this.#seen = number;
      this.#text.add(event);
      if (number <= this.#place.taken && !isRepeated(event)) continue;
      // Not the constant itself: its number is that of this turn.
      const told = event === BROKEN ? { ...event } : event;
      this.#place.noteReport(told, number);
      events.push(told);
      if (event.type !== 'end') continue;
      this.hasEnded = true;
      break;
    }
    return events;
  }

  /** Events that follow from the state of a turn of which all reports were taken. */
  async #judge(news: TurnNews): Promise<readonly AgentEvent[]> {
    const { waitMinutes, turn, table, asked } = this.#place;
    const { state, asked_for: seconds, waits_for: account, reported } = news;
    const draft = this.#text.text;
    switch (state) {
      case 'withdrawn':
        return this.#finish({ kind: 'cancelled', draft }, reported + 1);
      case 'lost':
        return this.#finish({ kind: 'interrupted', draft }, reported + 1);
      case 'ended':
        // Its last report was no end.
        return this.#finish({ kind: 'interrupted', draft }, reported);
      case 'asked':
        break;
      default:
        return [];
    }
    if (seconds < waitMinutes * 60) return this.#tellWaiting(news);
    if ((await table.withdraw(turn.conversationId, asked.number)) !== 'withdrawn') return [];
    const failure = {
      code: 'NO_WORKER',
      reason: 'no-worker',
      worker: this.#worker,
      member: turn.memberName,
      minutes: waitMinutes,
      account: account ?? undefined,
    } as const;
    return this.#finish({ kind: 'failed', failure, draft }, reported + 1);
  }

  async #tellWaiting(news: TurnNews): Promise<readonly AgentEvent[]> {
    if (news.asked_for < SILENT_SECONDS) return [];
    const { table, turn } = this.#place;
    const { waits_for: account, waits_running: running, waits_at_once: atOnce } = news;
    const lastSeen = await table.lastSeen(this.#worker, turn.memberId);
    const isFull = account !== null && running !== null && atOnce !== null && lastSeen === 0;
    const event: WaitingEvent = {
      type: 'waiting',
      worker: this.#worker,
      lastSeen: lastSeen === null ? undefined : Math.floor(lastSeen / 60) * 60 || Math.min(lastSeen, 1),
      ...(isFull && { account, running, atOnce }),
    };
    const text = JSON.stringify(event);
    if (text === this.#told) return [];
    this.#told = text;
    return [event];
  }

  #conclude(outcome: TurnOutcome): Step {
    this.hasEnded = true;
    return { events: [{ type: 'end', outcome }], hasMore: false };
  }

  /** Ends with a report of this number, which is taken with the fact that follows. */
  #finish(outcome: TurnOutcome, number: number): readonly AgentEvent[] {
    const { events } = this.#conclude(outcome);
    for (const event of events) this.#place.noteReport(event, number);
    return events;
  }

  get #worker(): string {
    return this.#place.turn.runsOn ?? '';
  }
}

/** Whether the next holder needs an event again that was taken before: no fact says it whole. */
function isRepeated({ type }: AgentEvent): boolean {
  return ['text', 'text-delta', 'text-reset', 'usage', 'session'].includes(type);
}

/** Stands in the place of a report that is none: only someone who writes into the store by hand can bring that about. */
const BROKEN: AgentEvent = { type: 'error', message: 'The worker reported something that cannot be read.' };
