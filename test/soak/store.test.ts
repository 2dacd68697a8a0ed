import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RecordedEvent } from '../../src/models/ConversationEvent.js';
import { HuddleError } from '../../src/models/errors.js';
import { SqliteStore } from '../../src/store/sqlite/SqliteStore.js';
import { toArray } from '../../src/utils/AnyIterable.js';
import { bundleStoreProgram } from '../store/bundleProgram.js';
import { ID, listAll, message, start } from '../store/facts.js';
import { isFull } from './isFull.js';

const FIGURES = isFull
  ? { kills: 200, cuts: 2000, flips: 2000, openers: 20 }
  : { kills: 6, cuts: 60, flips: 100, openers: 5 };
/** The limit of the team that is killed. */
const AGENT_TURNS = 5;
const TIMEOUT = 300_000;

let folder: string;
let program: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'huddle-store-'));
  program = await bundleStoreProgram();
});

afterAll(() => {
  rmSync(folder, { recursive: true });
  rmSync(dirname(program), { recursive: true });
});

describe('the store, over and over', () => {
  it(`loses nothing when its process is killed ${FIGURES.kills} times`, { timeout: TIMEOUT }, async () => {
    const file = join(folder, 'kills', 'conversations.db');
    const acknowledged = new Map<number, number>();
    const began = performance.now();
    for (let round = 0; round < FIGURES.kills; round++) {
      for (const [seq, sum] of await talkUntilKilled(file, round)) acknowledged.set(seq, sum);
    }
    const store = new SqliteStore({ file });
    const events = await toArray((await store.read(ID)).read());
    const kept = new Map(events.map((event) => [event.seq, crc32(JSON.stringify(event))]));
    const lost = [...acknowledged].filter(([seq, sum]) => kept.get(seq) !== sum);
    report(
      `${FIGURES.kills} kills`,
      `${seconds(began)}; ${acknowledged.size} acknowledged events, ${lost.length} lost; ${count(events, 'turn-start')} turns, ${interrupted(events)} interrupted`,
    );
    expect(lost).toEqual([]);
    expect(repeated(events, 'turn-start')).toEqual([]);
    expect(repeated(events, 'turn-end')).toEqual([]);
    expect(longestRunOfTurns(events)).toBeLessThanOrEqual(AGENT_TURNS);
    if (isFull) expect(longestRunOfTurns(events)).toBe(AGENT_TURNS);
    await store.close();
  });

  it(`lets one of ${FIGURES.openers} openers write`, { timeout: TIMEOUT }, async () => {
    const file = join(folder, 'openers', 'conversations.db');
    const store = new SqliteStore({ file });
    const log = await store.create(ID);
    log.append([start()]);
    await log.close();
    const began = performance.now();
    const answers = await askAtOnce('open', file);
    const lost = answers.filter((answer) => answer === 'CONVERSATION_LOCKED').length;
    report(`${FIGURES.openers} openers`, `${seconds(began)}; 1 won, ${lost} refused`);
    expect(answers.filter((answer) => answer === 'won')).toHaveLength(1);
    expect(lost).toBe(FIGURES.openers - 1);
    expect((await readAll(store)).map(({ seq }) => seq)).toEqual([1, 2]);
    await store.close();
  });

  it(`makes one file when ${FIGURES.openers} processes begin at once`, { timeout: TIMEOUT }, async () => {
    const file = join(folder, 'makers', 'conversations.db');
    const answers = await askAtOnce('make', file);
    expect(answers.filter((answer) => answer === 'won')).toHaveLength(1);
    expect(new Set(answers)).toEqual(new Set(['won', 'CONVERSATION_EXISTS']));
    expect((await readWhatIsThere(file)).map(({ seq }) => seq)).toEqual([1]);
  });

  it(`opens with an unbroken beginning after ${FIGURES.cuts} cuts of the WAL`, {
    timeout: TIMEOUT,
  }, async () => {
    const { file, walSizes } = await writeLog('cuts', 120);
    const database = readFileSync(file);
    const wal = readFileSync(`${file}-wal`);
    const whole = await readAll(new SqliteStore({ file }));
    const began = performance.now();
    let wrong = 0;
    for (let round = 0; round < FIGURES.cuts; round++) {
      const cut = Math.floor(Math.random() * (wal.length + 1));
      const copy = writeCopy(database, wal.subarray(0, cut));
      const durable = walSizes.filter((size) => size <= cut).length;
      const events = await readWhatIsThere(copy);
      const isBeginning = JSON.stringify(events) === JSON.stringify(whole.slice(0, events.length));
      if (!isBeginning || events.length < durable) wrong++;
    }
    report(`${FIGURES.cuts} WAL cuts`, `${seconds(began)}; ${wrong} wrong`);
    expect(wrong).toBe(0);
  });

  it(`never shows a wrong event after ${FIGURES.flips} changed bytes`, { timeout: TIMEOUT }, async () => {
    const { file, store } = await writeLog('flips', 120);
    const whole = (await readAll(store)).map((event) => JSON.stringify(event));
    await store.close();
    const database = readFileSync(file);
    const began = performance.now();
    const tally = { complete: 0, reported: 0, wrong: 0, crashed: 0, changed: 0 };
    for (let round = 0; round < FIGURES.flips; round++) {
      const bytes = Buffer.from(database);
      const place = Math.floor(Math.random() * bytes.length);
      bytes[place] = (bytes[place] ?? 0) ^ (1 + Math.floor(Math.random() * 255));
      const copy = writeCopy(bytes);
      const outcome = await tryReading(copy, whole);
      tally[outcome]++;
      if (outcome === 'reported' && !readFileSync(copy).equals(bytes)) tally.changed++;
    }
    report(`${FIGURES.flips} changed bytes`, `${seconds(began)}; ${JSON.stringify(tally)}`);
    expect(tally).toMatchObject({ wrong: 0, crashed: 0, changed: 0 });
  });

  it('keeps what it acknowledged when the file can take no more', async () => {
    const file = join(folder, 'full', 'conversations.db');
    const shell = spawnSync(
      'sh',
      ['-c', `trap '' XFSZ; ulimit -f 400; exec "$0" "$@"`, process.execPath, program, 'fill', file],
      {
        encoding: 'utf8',
      },
    );
    const said = JSON.parse(shell.stdout);
    report('a file that may not grow', `${said.acknowledged} events kept; ${said.text}`);
    expect(said).toMatchObject({ code: 'STORE_WRITE', text: expect.stringContaining(file) });
    expect(said.kept).toBe(said.acknowledged);
    const store = new SqliteStore({ file });
    expect(await readAll(store)).toHaveLength(said.acknowledged);
    await store.close();
  });
});

const hasOwnSqlite = process.getBuiltinModule('node:sqlite') !== undefined;

it.skipIf(hasOwnSqlite)('says how to install SQLite where neither Node nor a package has it', () => {
  const elsewhere = join(folder, 'elsewhere.mjs');
  copyFileSync(program, elsewhere);
  const { stderr } = spawnSync(
    process.execPath,
    [elsewhere, 'open', join(folder, 'none', 'conversations.db')],
    {
      encoding: 'utf8',
    },
  );
  expect(stderr).toContain("code: 'STORE_UNAVAILABLE'");
  expect(stderr).toContain('npm install @photostructure/sqlite');
  expect(existsSync(join(folder, 'none'))).toBe(false);
});

/** Runs the program until it is killed at some moment; what it had acknowledged by then. */
async function talkUntilKilled(file: string, round: number): Promise<Map<number, number>> {
  const child = spawn(process.execPath, [program, 'talk', file], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  // Every other time also the start, the opening of the file and the lease can be hit.
  if (round % 2 === 0) await once(child.stdout, 'data');
  await delay(Math.random() * (round % 2 === 0 ? 60 : 160));
  child.kill('SIGKILL');
  await once(child, 'close');
  const lines = output.split('\n').slice(0, -1);
  return new Map(lines.map((line) => line.split(' ').map(Number) as [number, number]));
}

/** A log of single appends, and how large the WAL was after each of them. */
async function writeLog(
  name: string,
  appends: number,
): Promise<{ file: string; store: SqliteStore; walSizes: number[] }> {
  const file = join(folder, name, 'conversations.db');
  const store = new SqliteStore({ file });
  const log = await store.create(ID);
  const walSizes: number[] = [];
  for (let number = 0; number < appends; number++) {
    log.append([number === 0 ? start() : message(number, `Message ${number} ${'小x'.repeat(number * 3)}`)]);
    walSizes.push(statSync(`${file}-wal`).size);
  }
  return { file, store, walSizes };
}

let copies = 0;
function writeCopy(database: Uint8Array, wal?: Uint8Array): string {
  const copy = join(folder, `copy-${copies++ % 4}`, 'conversations.db');
  rmSync(dirname(copy), { recursive: true, force: true });
  mkdirSync(dirname(copy), { mode: 0o700 });
  writeFileSync(copy, database, { mode: 0o600 });
  if (wal) writeFileSync(`${copy}-wal`, wal, { mode: 0o600 });
  return copy;
}

async function readAll(store: SqliteStore): Promise<RecordedEvent[]> {
  return await toArray((await store.read(ID)).read());
}

/** Before the conversation itself is durable there is none. */
async function readWhatIsThere(file: string): Promise<RecordedEvent[]> {
  const store = new SqliteStore({ file });
  try {
    return (await listAll(store)).length === 0 ? [] : await readAll(store);
  } finally {
    await store.close();
  }
}

async function tryReading(
  file: string,
  whole: readonly string[],
): Promise<'complete' | 'reported' | 'wrong' | 'crashed'> {
  let store: SqliteStore | undefined;
  let seen = 0;
  try {
    store = new SqliteStore({ file });
    for await (const event of (await store.read(ID)).read()) {
      if (JSON.stringify(event) !== whole[seen++]) return 'wrong';
    }
    const [summary] = await listAll(store);
    if (summary?.state !== 'damaged' && summary?.messages !== whole.length - 1) return 'wrong';
    return seen === whole.length ? 'complete' : 'wrong';
  } catch (error) {
    return error instanceof HuddleError && /^STORE_/.test(error.code) ? 'reported' : crash(error);
  } finally {
    await store?.close();
  }
}

function crash(error: unknown): 'crashed' {
  console.error(error);
  return 'crashed';
}

/** What each of several processes says, all of them alive until the last has spoken. */
async function askAtOnce(order: 'open' | 'make', file: string): Promise<string[]> {
  const children = Array.from({ length: FIGURES.openers }, () =>
    spawn(process.execPath, [program, order, file], { stdio: ['pipe', 'pipe', 'inherit'] }),
  );
  const answers = await Promise.all(children.map(firstLine));
  for (const child of children) child.stdin.end();
  await Promise.all(children.map((child) => once(child, 'close')));
  return answers;
}

async function firstLine(child: ChildProcess): Promise<string> {
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  const [line] = await once(lines, 'line');
  return String(line);
}

function count(events: readonly RecordedEvent[], type: RecordedEvent['type']): number {
  return events.filter((event) => event.type === type).length;
}

function interrupted(events: readonly RecordedEvent[]): number {
  return events.filter((event) => event.type === 'turn-end' && event.result.kind === 'interrupted').length;
}

function repeated(events: readonly RecordedEvent[], type: 'turn-start' | 'turn-end'): string[] {
  const ids = events.flatMap((event) => (event.type === type ? [event.turnId] : []));
  return ids.filter((id, index) => ids.indexOf(id) !== index);
}

/** Turns between two messages of people, at most. */
function longestRunOfTurns(events: readonly RecordedEvent[]): number {
  let longest = 0;
  let run = 0;
  for (const event of events) {
    if (event.type === 'message-added' && event.message.speaker.type === 'human') run = 0;
    if (event.type === 'turn-start') longest = Math.max(longest, ++run);
  }
  return longest;
}

function seconds(began: number): string {
  return `${((performance.now() - began) / 1000).toFixed(1)} s`;
}

function report(what: string, measured: string): void {
  console.log(`${what}: ${measured}`);
}
