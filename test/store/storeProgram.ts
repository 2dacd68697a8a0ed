// A process of its own that keeps a conversation, to be killed. `talk FILE`: two agents play ping-pong for ever and every
// event is printed as soon as it is acknowledged. `open FILE` and `make FILE`: say who may write, and hold on until stdin ends.
// `fill FILE`: appends until the file can take no more.
import { writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import type { Conversation } from '../../src/coordinator/Conversation.js';
import type { ConversationEvent, RecordedEvent } from '../../src/models/ConversationEvent.js';
import { HuddleError } from '../../src/models/errors.js';
import type { Store } from '../../src/store/Store.js';
import { SqliteStore } from '../../src/store/sqlite/SqliteStore.js';
import { toArray } from '../../src/utils/AnyIterable.js';
import { ID, listAll, message, start } from './facts.js';
import { agentNamed, LIMITS, type Play, resumeWith, says, startWith, teamOf } from './stage.js';

/** Low, so that it is often reached, with kills on the way. */
const limits = { ...LIMITS, agentTurns: 5 };
const team = teamOf([agentNamed('max'), agentNamed('sarah')], { limits });
const pingPong: Play = ({ memberName }) => says(`Over. [NEXT: ${memberName === 'max' ? 'sarah' : 'max'}]`);

async function talk(store: Store): Promise<void> {
  const conversation = await openOrStart(store);
  conversation.subscribe(acknowledge);
  const { phase } = conversation.snapshot();
  const isReopened = phase.kind === 'paused' && phase.reason.kind === 'reopened';
  if ((await conversation.retry()) === 0 && isReopened) await conversation.resume();
  for (;;) {
    await conversation.settled();
    await conversation.send('[NEXT: max] Play on.');
  }
}

async function openOrStart(store: Store): Promise<Conversation> {
  return (await listAll(store)).length === 0
    ? await startWith(store, team, pingPong, ID)
    : await resumeWith(store, ID, team, pingPong);
}

function acknowledge(event: ConversationEvent): void {
  if ('seq' in event) writeSync(1, `${event.seq} ${crc32(JSON.stringify(event))}\n`);
}

async function open(store: Store): Promise<void> {
  await hold(async () => (await store.open(ID)).append([message(1, `From ${process.pid}`)]));
}

async function make(store: Store): Promise<void> {
  await hold(async () => (await store.create(ID)).append([start()]));
}

async function hold(take: () => Promise<unknown>): Promise<void> {
  try {
    await take();
    writeSync(1, 'won\n');
  } catch (error) {
    writeSync(1, `${error instanceof HuddleError ? error.code : error}\n`);
  }
  process.stdin.resume();
}

async function fill(store: Store): Promise<void> {
  const log = await store.create(ID);
  let last: RecordedEvent | undefined = log.append([start()])[0];
  try {
    for (let number = 1; ; number++) last = log.append([message(number, 'x'.repeat(2000))]).at(-1);
  } catch (error) {
    const { code, message: text } = error as HuddleError;
    writeSync(
      1,
      `${JSON.stringify({ code, text, acknowledged: last?.seq, kept: (await toArray(log.read())).length })}\n`,
    );
  }
}

const [order, file = ''] = process.argv.slice(2);
const orders: Readonly<Record<string, (store: Store) => Promise<void>>> = { talk, open, make, fill };
await orders[order ?? '']?.(new SqliteStore({ file }));
