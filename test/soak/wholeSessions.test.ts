import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { ConversationId } from '../../src/models/ids.js';
import { numberFacts } from '../../src/store/numberFacts.js';
import { SqliteStore } from '../../src/store/sqlite/SqliteStore.js';
import { createMachine, type Machine } from '../cli/runHuddle.js';
import { ID, message, start } from '../store/facts.js';
import { isFull } from './isFull.js';

const FIGURES = isFull ? { kills: 50, messages: 10_000 } : { kills: 4, messages: 2000 };
const COPY = 'copy' as ConversationId;
const TIMEOUT = 300_000;

describe('a session that is saved whole', { timeout: TIMEOUT }, () => {
  test(`is there with all that is in it or not at all when its import is killed ${FIGURES.kills} times`, async () => {
    const machine = machineWithLog();
    await killOften(machine, ['import', 'log.jsonl', '--id', COPY]);
  });

  test(`is there with all that is in it or not at all when its fork is killed ${FIGURES.kills} times`, async () => {
    const machine = machineWithLog();
    expect((await machine.run(['import', 'log.jsonl'])).code).toBe(0);
    await killOften(machine, ['fork', ID, '--id', COPY]);
  });

  test('is not there when its import was killed half way, and the same import works then', async () => {
    const machine = machineWithLog();
    const pipe = join(machine.project, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const importing = machine.start(['import', 'pipe', '--id', COPY]);
    const isOver = once(importing, 'close');
    const feed = await open(pipe, 'w');
    const lines = logLines();
    // More than a pipe holds, so some of it was read.
    await feed.writeFile(lines.slice(0, lines.length / 2).join(''));
    importing.kill('SIGKILL');
    await isOver;
    await feed.close();
    expect((await machine.run(['show', COPY])).stderr).toContain('UNKNOWN_CONVERSATION');
    const again = await machine.run(['import', 'log.jsonl', '--id', COPY]);
    expect(again.stdout).toBe(`Imported: ${COPY}\n`);
  });

  test('takes the place of an empty one of its id that a process left behind', async () => {
    const machine = machineWithLog();
    const store = openStore(machine);
    await (await store.create(COPY)).close();
    await store.close();
    const imported = await machine.run(['import', 'log.jsonl', '--id', COPY]);
    expect(imported.stdout).toBe(`Imported: ${COPY}\n`);
  });
});

/** Runs a command to its end once, then again and again until it is killed at some moment. */
async function killOften(machine: Machine, args: readonly string[]): Promise<void> {
  const began = performance.now();
  expect((await machine.run(args)).code).toBe(0);
  const needed = performance.now() - began;
  const tally = { whole: 0, nothing: 0, partial: 0 };
  for (let round = 0; round < FIGURES.kills; round++) {
    await forgetCopy(machine);
    const child = machine.start(args);
    const isOver = once(child, 'close');
    await delay(needed * (0.2 + 0.8 * Math.random()));
    child.kill('SIGKILL');
    await isOver;
    tally[await lookAtCopy(machine)]++;
  }
  console.info(`${FIGURES.kills} kills of ${args[0]} (${Math.round(needed)} ms): ${JSON.stringify(tally)}`);
  expect(tally.partial).toBe(0);
  if (isFull) expect(tally.nothing).toBeGreaterThan(0);
}

async function lookAtCopy(machine: Machine): Promise<'whole' | 'nothing' | 'partial'> {
  const store = openStore(machine);
  try {
    const [found] = await store.find(COPY);
    if (found === undefined) return 'nothing';
    return found.messages === FIGURES.messages && found.state === 'done' ? 'whole' : 'partial';
  } finally {
    await store.close();
  }
}

async function forgetCopy(machine: Machine): Promise<void> {
  const store = openStore(machine);
  if ((await store.find(COPY)).length > 0) await store.delete(COPY);
  await store.close();
}

function openStore({ env }: Machine): SqliteStore {
  return new SqliteStore({ file: join(env.HUDDLE_HOME ?? '', 'conversations.sqlite') });
}

function machineWithLog(): Machine {
  const machine = createMachine();
  machine.write('log.jsonl', logLines().join(''));
  return machine;
}

function logLines(): readonly string[] {
  const facts = [
    start(),
    ...Array.from({ length: FIGURES.messages }, (_, at) => message(at + 1, 'x'.repeat(200))),
  ];
  return numberFacts(facts, 0, 1).map((event) => `${JSON.stringify(event)}\n`);
}
