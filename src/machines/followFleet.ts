import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { ConversationEvent, RecordedEvent } from '../models/ConversationEvent.js';
import { HuddleError } from '../models/errors.js';
import type { ConversationId, TurnId } from '../models/ids.js';
import type { SharedStore } from '../store/postgres/SharedStore.js';
import { UnknownConversationError } from '../store/storeErrors.js';
import { toArray } from '../utils/AnyIterable.js';
import { type FleetState, readFleetState, withdrawFleet } from './askFleet.js';
import { ConversationRoom } from './ConversationRoom.js';
import { ASK_FOR_WHOLE, type LivePiece, LiveTextReader } from './LiveText.js';
import { encodeWish } from './wishes.js';

const LOOK_MILLISECONDS = 250;
/** So long a database that does not answer is asked again; then holders have given up as well. */
const PATIENCE_MILLISECONDS = 15_000;

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
  const room = await findRoom(store, id, stop, onWait);
  if (room === undefined) return;
  const live = new LiveTextReader(() => room.tell(ASK_FOR_WHOLE));
  const running = new Set<TurnId>();
  const pieces: LivePiece[] = [];
  let wake = (): void => undefined;
  const unwatch = room.watch((payload) => {
    const piece = payload === undefined ? undefined : live.read(payload);
    if (piece !== undefined) pieces.push(piece);
    wake();
  });
  try {
    await patiently(() => room.attend());
    let isStopping = false;
    for (let seq = 0; ; ) {
      const woken = new Promise<void>((resolve) => {
        wake = resolve;
      });
      // In this order: when it has ended, all of it is there to be read.
      const state = await patiently(() => readFleetState(store, id));
      const events = await patiently(() => readFrom(store, id, seq + 1));
      for (const event of events) {
        note(running, event);
        if (event.type === 'turn-end') live.end(event.turnId);
        yield event;
        seq = event.seq;
      }
      for (const piece of pieces.splice(0))
        yield* live.show(piece, Date.now(), (turnId) => running.has(turnId));
      if (state === 'ended') return;
      if (stop.aborted && !isStopping) {
        isStopping = true;
        await patiently(() => room.ask(randomUUID(), encodeWish({ kind: 'cancel', drop: true })));
      }
      await Promise.race([woken, pause(isStopping ? undefined : stop)]);
    }
  } finally {
    unwatch();
    // Whoever is gone is not counted either.
    await room.stayAway().catch(() => undefined);
  }
}

/** The conversation, once a worker holds it; undefined when nobody will. */
async function findRoom(
  store: SharedStore,
  id: ConversationId,
  stop: AbortSignal,
  onWait: (() => void) | undefined,
): Promise<ConversationRoom | undefined> {
  for (;;) {
    const state: FleetState = await patiently(() => readFleetState(store, id));
    if (state === 'withdrawn') return undefined;
    const room = state === 'asked' ? undefined : await patiently(() => tryToFind(store, id));
    if (room !== undefined || state === 'ended') return room;
    if (stop.aborted && (await withdrawFleet(store, id))) return undefined;
    onWait?.();
    await pause(stop);
  }
}

async function tryToFind(store: SharedStore, id: ConversationId): Promise<ConversationRoom | undefined> {
  try {
    return await ConversationRoom.find(store, id);
  } catch (error) {
    // Its worker prepares the folder.
    if (error instanceof UnknownConversationError) return undefined;
    throw error;
  }
}

async function readFrom(store: SharedStore, id: ConversationId, first: number): Promise<RecordedEvent[]> {
  const reader = await store.read(id);
  try {
    return first > reader.lastSeq ? [] : await toArray(reader.read(first));
  } finally {
    await reader.close();
  }
}

function note(running: Set<TurnId>, event: RecordedEvent): void {
  if (event.type === 'turn-start') running.add(event.turnId);
  if (event.type === 'turn-end') running.delete(event.turnId);
}

async function patiently<Value>(work: () => Promise<Value>): Promise<Value> {
  const last = performance.now() + PATIENCE_MILLISECONDS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const isAway = error instanceof HuddleError && error.code === 'STORE_OUT_OF_REACH';
      if (!isAway || performance.now() > last) throw error;
      await pause();
    }
  }
}

/** Ends early with the signal. */
async function pause(signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) await delay(LOOK_MILLISECONDS);
  else await delay(LOOK_MILLISECONDS, undefined, { ...(signal && { signal }) }).catch(() => undefined);
}
