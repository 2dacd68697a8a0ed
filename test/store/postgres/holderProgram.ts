// A process of its own that holds a conversation in a shared store, to be killed or stopped. `write URL TIMES`: opens it as soon
// as it is free, tells from whom it was taken, and appends for ever; every event is printed as soon as it is kept.
// `open URL TIMES`: says who may write, and holds on until standard input ends. `save URL TIMES`: saves a whole conversation and is
// killed at some event of it, or after the last.
import { writeSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import type { ConversationFact, RecordedEvent } from '../../../src/models/ConversationEvent.js';
import { HuddleError } from '../../../src/models/errors.js';
import { numberFacts } from '../../../src/store/numberFacts.js';
import { openPostgresStore } from '../../../src/store/postgres/PostgresStore.js';
import type { ConversationLog, Store } from '../../../src/store/Store.js';
import { ConversationLockedError } from '../../../src/store/storeErrors.js';
import { ID, message, OTHER_ID, start } from '../facts.js';

/** Several chunks of them go to the database. */
const WHOLE_EVENTS = 3500;

/** A fact that any role may write that holds the conversation. */
function rename(title: string): ConversationFact {
  return { type: 'title-changed', title };
}

async function write(store: Store): Promise<void> {
  const log = await openWhenFree(store);
  writeSync(1, `taken ${log.takenOverFrom?.pid ?? 'free'} at ${log.lastSeq}\n`);
  try {
    for (let round = 0; ; round++) {
      const facts = Array.from({ length: 1 + (round % 3) }, () =>
        rename(`${process.pid} ${'.'.repeat(round % 700)}`),
      );
      const events = log.append(facts);
      log.kept()?.then(
        () => {
          for (const event of events) writeSync(1, `${event.seq} ${crc32(JSON.stringify(event))}\n`);
        },
        () => undefined,
      );
      // Some wait for their answer, some do not.
      if (round % 4 === 0) await log.kept();
    }
  } catch (error) {
    writeSync(1, `ended ${error instanceof HuddleError ? error.code : String(error)}\n`);
  }
}

async function openWhenFree(store: Store): Promise<ConversationLog> {
  for (;;) {
    try {
      return await store.open(ID);
    } catch (error) {
      if (!(error instanceof ConversationLockedError)) throw error;
    }
    await wait(20);
  }
}

async function open(store: Store): Promise<void> {
  try {
    const log = await store.open(ID);
    log.append([rename(`From ${process.pid}`)]);
    await log.kept();
    writeSync(1, 'won\n');
  } catch (error) {
    writeSync(1, `${error instanceof HuddleError ? error.code : String(error)}\n`);
  }
  process.stdin.resume();
  process.stdin.on('end', () => process.exit());
}

async function save(store: Store): Promise<void> {
  const fatal = 1 + Math.floor(Math.random() * (WHOLE_EVENTS + 1));
  const facts = Array.from({ length: WHOLE_EVENTS - 1 }, (_, at) => message(at + 1));
  await store.createWhole(OTHER_ID, {
    restored: dyingAt(fatal, numberFacts([start(OTHER_ID), ...facts], 0, 1)),
  });
  writeSync(1, 'saved\n');
  process.kill(process.pid, 'SIGKILL');
}

function* dyingAt(fatal: number, events: readonly RecordedEvent[]): Generator<RecordedEvent> {
  for (const event of events) {
    if (event.seq === fatal) process.kill(process.pid, 'SIGKILL');
    yield event;
  }
}

const [order = '', url = '', times = ''] = process.argv.slice(2);
const orders: Readonly<Record<string, (store: Store) => Promise<void>>> = { write, open, save };
await orders[order]?.(await openPostgresStore({ url, leaseTimes: JSON.parse(times) }));
