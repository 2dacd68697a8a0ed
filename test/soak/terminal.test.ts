import { copyFileSync, readFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { type OpenTerminal, openTerminal } from '../cli/pty.js';
import { createMachine, type Machine, root, teamFile } from '../cli/runHuddle.js';
import { crowding, inQuiet, RESTLESS } from './inQuiet.js';
import { isFull } from './isFull.js';

const LOAD = isFull
  ? { megabytes: 5, tools: 200, keys: 120, messages: 5000 }
  : { megabytes: 1, tools: 200, keys: 10, messages: 250 };
/** A key shows within this time. */
const KEY_MILLISECONDS = 50;
/** The one in a hundred that the machine kept waiting, not the program: it shares its cores with who looks at it. */
const UNLUCKY_MILLISECONDS = 100;
const PEAK_MEGABYTES = 280;
/** What the second half of the messages may add, since V8 collects when it likes; live memory grows by half a megabyte. */
const GROWTH_MEGABYTES = 25;
const BATCH = 25;

describe('a very long conversation in the terminal', { timeout: 600_000 }, () => {
  test('leaves the screen responsive and the program small while an agent says and does a lot', async ({
    skip,
  }) => {
    const { value, taken } = await inQuiet(holdLongTurn, isFull ? 5 : 1);
    const { waits, before, peak, now } = value;
    const [middle, most, all] = [0.5, 0.99, 1].map((share) => percentile(waits, share)) as [
      number,
      number,
      number,
    ];
    const late = waits.filter((wait) => wait > KEY_MILLISECONDS).length;
    console.info(
      `${LOAD.megabytes} MB in one turn: a key shows after ${describeTime(middle)} (median), ${describeTime(most)} (99 of 100), ` +
        `${describeTime(all)} at most; ` +
        `${late} of ${waits.length} took over ${KEY_MILLISECONDS} ms. ` +
        `Memory: ${before} MB before, ${peak} at most, ${now} some messages later. ` +
        `Load of the machine: ${describeLoad()}; its host took ${(taken * 100).toFixed(1)} % of the time.`,
    );
    if (!isFull) return;
    expect(Math.max(peak, now)).toBeLessThan(PEAK_MEGABYTES);
    skip(taken > RESTLESS, 'The host of this machine took too much of its time to judge how long keys take.');
    expect(middle).toBeLessThanOrEqual((KEY_MILLISECONDS / 2) * crowding());
    expect(most).toBeLessThanOrEqual(KEY_MILLISECONDS * crowding());
    expect(all).toBeLessThan(UNLUCKY_MILLISECONDS * crowding());
  });

  test('does not grow with the messages in the scrollback', async () => {
    const { terminal, memory } = await openLoudConversation(createMachine());
    const sizes: number[] = [];
    await sayMessages(terminal, LOAD.messages, () => sizes.push(memory().now));
    const waits = await typeKeys(terminal);
    const { peak } = memory();
    await leave(terminal);

    // By then everything is loaded and compiled, and V8 has taken the room that it works in.
    const half = Math.max(...sizes.slice(0, sizes.length / 2));
    const last = sizes.at(-1) ?? 0;
    console.info(
      `${LOAD.messages} messages: ${sizes[0]} MB after the first, ${half} after half of them, ${last} after the last, ` +
        `${peak} at most; then a key shows after ${describeTime(percentile(waits, 0.5))} (median), ` +
        `${describeTime(percentile(waits, 1))} at most. Load of the machine: ${describeLoad()}`,
    );
    if (!isFull) return;
    expect(last).toBeLessThan(half + GROWTH_MEGABYTES);
    expect(percentile(waits, 0.99)).toBeLessThanOrEqual(KEY_MILLISECONDS * crowding());
  });
});

async function holdLongTurn() {
  const { terminal, memory } = await openLoudConversation(createMachine());
  const before = memory().now;
  terminal.type('Go.\r');
  await terminal.until('echo 1');
  const waits = await typeKeys(terminal);
  await hasShown(terminal, 'The end of it.');
  await hasShown(terminal, 'turn-1');
  const { peak } = memory();
  await sayMessages(terminal, LOAD.messages / 5);
  const { now } = memory();
  await leave(terminal);
  return { waits, before, peak, now };
}

async function openLoudConversation(machine: Machine) {
  copyFileSync(join(root, 'test', 'soak', 'loudAgent.mjs'), join(machine.folder, 'bin', 'claude'));
  const team = teamFile({ max: { agentType: 'claude' } }) as { members: object[] };
  machine.write('huddle.jsonc', { ...team, members: [...team.members, { name: 'lee', type: 'human' }] });
  await machine.trust();
  const env = { LOUD_MEGABYTES: String(LOAD.megabytes), LOUD_TOOLS: String(LOAD.tools) };
  const pidFile = join(machine.folder, 'pid');
  const terminal = openTerminal(machine, { env, pidFile });
  await terminal.until('ready');
  return { terminal, memory: () => readMemory(Number(readFileSync(pidFile, 'utf8'))) };
}

/** It may have come while keys were typed. */
async function hasShown(terminal: OpenTerminal, text: string): Promise<void> {
  if (!terminal.shown().includes(text)) await terminal.until(text);
}

/** A person talks to another one, a message after the other: what comes all at once is a paste. */
async function sayMessages(
  terminal: OpenTerminal,
  count: number,
  afterSome: () => void = () => undefined,
): Promise<void> {
  terminal.type('\x15');
  for (let first = 1; first <= count; first += BATCH) {
    for (let number = first; number < first + BATCH; number += 1) {
      terminal.type(`Message number ${number}. [NEXT: lee]\r`);
      // With the empty row behind it: in the editor there is none.
      await terminal.until(`Message number ${number}.\x1b[K\n\x1b[K\n`);
    }
    afterSome();
  }
}

/** How long each of many keys took to show. They are letters that nobody else writes. */
async function typeKeys(terminal: OpenTerminal): Promise<number[]> {
  const waits: number[] = [];
  for (let key = 0; key < LOAD.keys; key++) {
    const letter = String.fromCodePoint(0xac00 + key);
    const start = performance.now();
    terminal.type(letter);
    await terminal.until(letter);
    waits.push(performance.now() - start);
    await delay(isFull ? 50 : 10);
  }
  return waits.sort((one, other) => one - other);
}

async function leave(terminal: OpenTerminal): Promise<void> {
  terminal.type('\x03');
  terminal.type('\x03');
  expect(await terminal.ended).toBe(0);
}

/** Megabytes of memory that are in use, and that were at most. */
function readMemory(pid: number): { readonly now: number; readonly peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const read = (name: string) =>
    Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024);
  return { now: read('VmRSS'), peak: read('VmHWM') };
}

function percentile(ascending: readonly number[], share: number): number {
  return ascending[Math.ceil(ascending.length * share) - 1] ?? 0;
}

function describeTime(milliseconds: number): string {
  return `${milliseconds.toFixed(0)} ms`;
}

function describeLoad(): string {
  return `${(loadavg()[0] ?? 0).toFixed(1)} on ${availableParallelism()} cores`;
}
