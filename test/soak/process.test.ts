import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Semaphore } from '../../src/utils/Semaphore.js';
import { bundleTurnsProgram, type TurnsOrder } from '../agents/process/bundle.js';
import { isAlive, isDeaf, play, registeredProcesses, STYLES, until } from '../agents/process/hostileAgent.js';
import { startDaemon, UNMARKED, WAYS_OUT, writeLoop } from '../agents/process/waysOut.js';
import { expectWithin, inQuiet } from './inQuiet.js';
import { isFull } from './isFull.js';

const FIGURES = isFull
  ? {
      turns: 300,
      escapes: 200,
      stops: 30,
      kills: 10,
      floodMegabytes: 1024,
      unreadPrompts: 100,
      shortTurns: 60,
    }
  : { turns: 30, escapes: 14, stops: 5, kills: 2, floodMegabytes: 64, unreadPrompts: 6, shortTurns: 12 };
/** Hostile agents that run at the same time. */
const AT_ONCE = 4;
/** A gigabyte, and a line of 100 MB, are read within these times. */
const FLOOD_SECONDS = 15;
const LONG_LINE_SECONDS = 2;
/** How often a time is measured until the machine was left alone meanwhile. */
const ATTEMPTS = isFull ? 3 : 1;
const HOSTILE_AGENT = fileURLToPath(new URL('../fixtures/hostile-agent.mjs', import.meta.url));

const SESSION = 'setsid sleep 60 & echo "$! session" >> "$HOSTILE_PIDFILE"';

/** Who runs the tests may be allowed more than those who use the program. */
const NOBODY = '65534';
const TO_NOBODY = [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'];
/** Only root can become somebody else, and Node may lie where nobody else can run it. */
const canBeNobody =
  process.getuid?.() === 0 &&
  spawnSync('/usr/bin/setpriv', [...TO_NOBODY, process.execPath, '-e', ''], { cwd: '/' }).status === 0;
const AS_NOBODY = canBeNobody ? ['/usr/bin/setpriv', ...TO_NOBODY] : undefined;

let folder: string;
let program: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'huddle-soak-'));
  program = await bundleTurnsProgram();
  chmodSync(folder, 0o777);
  chmodSync(join(program, '..'), 0o755);
});

afterAll(() => {
  rmSync(folder, { recursive: true });
  rmSync(join(program, '..'), { recursive: true });
});

describe('the process layer, over and over', () => {
  it(`leaves nothing of ${FIGURES.turns} hostile turns behind`, { timeout: 180_000 }, async () => {
    const nasty = ['grandchild', 'grandquiet', 'granddeaf', 'grandsession', 'forktree:5'];
    const slots = new Semaphore(AT_ONCE);
    const playTurn = async (_: unknown, index: number) => {
      const leave = await slots.acquire(new AbortController().signal);
      const behaviour = index % 3 === 0 ? (nasty[(index / 3) % nasty.length] ?? '') : 'roulette';
      const env = { HOSTILE_SEED: String(index) };
      const { alive, events } = await play(behaviour, { style: STYLES[index % 3] ?? 'claude', env });
      leave?.();
      return { alive, ends: events.filter(({ type }) => type === 'end').length };
    };
    const began = performance.now();
    const warmUp = await Promise.all(Array.from({ length: FIGURES.turns / 3 }, playTurn));
    const before = { descriptors: countDescriptors(), memory: process.memoryUsage.rss() };
    const rest = await Promise.all(Array.from({ length: (FIGURES.turns * 2) / 3 }, playTurn));
    const results = [...warmUp, ...rest];
    const growth = (process.memoryUsage.rss() - before.memory) / 1024 / 1024;
    report(
      `${FIGURES.turns} hostile turns`,
      `${seconds(began)}, RSS ${growth.toFixed(0)} MB more after the first third`,
    );
    expect(results.flatMap(({ alive }) => alive)).toEqual([]);
    expect(results.every(({ ends }) => ends === 1)).toBe(true);
    expect(countDescriptors()).toBe(before.descriptors);
    if (isFull) expect(growth).toBeLessThan(50);
  });

  it(`stops ${FIGURES.stops} deaf agents`, { timeout: 60_000 }, async () => {
    const pidFile = join(folder, 'stops');
    const controllers = Array.from({ length: FIGURES.stops }, () => new AbortController());
    const turns = controllers.map(({ signal }) =>
      play('ignoreterm', { signal, env: { HOSTILE_PIDFILE: pidFile } }),
    );
    await until(() => registeredProcesses(pidFile).filter(({ pid }) => isDeaf(pid)).length === FIGURES.stops);
    const began = performance.now();
    for (const controller of controllers) controller.abort();
    await until(() => registeredProcesses(pidFile).every(({ pid }) => !isAlive(pid)));
    const milliseconds = performance.now() - began;
    report(`${FIGURES.stops} stops of deaf agents`, `all dead after ${milliseconds.toFixed(0)} ms`);
    for (const { outcome } of await Promise.all(turns)) expect(outcome).toMatchObject({ kind: 'cancelled' });
    if (isFull) expect(milliseconds).toBeLessThan(2500);
  });

  it(`leaves no agent alive when Huddle itself is killed ${FIGURES.kills} times`, {
    timeout: 120_000,
  }, async () => {
    const times: number[] = [];
    for (let round = 0; round < FIGURES.kills; round += 1) {
      const pidFile = join(folder, `kill-${round}`);
      const huddle = startHuddle({ behaviour: 'ignoreterm', count: 4, atOnce: 4, pidFile });
      await until(() => registeredProcesses(pidFile).filter(({ pid }) => isDeaf(pid)).length === 4);
      const began = performance.now();
      huddle.kill('SIGKILL');
      await until(() => registeredProcesses(pidFile).every(({ pid }) => !isAlive(pid)));
      times.push(performance.now() - began);
    }
    const worst = Math.max(...times);
    report(`${FIGURES.kills} SIGKILLs of Huddle with 4 deaf agents`, `worst ${worst.toFixed(0)} ms`);
    if (isFull) expect(worst).toBeLessThan(1000);
  });

  it(`leaves nothing of ${FIGURES.escapes} turns behind whose processes left group and environment`, {
    timeout: 180_000,
  }, async () => {
    const loop = writeLoop(folder);
    const slots = new Semaphore(AT_ONCE);
    const playTurn = async (_: unknown, index: number) => {
      const leave = await slots.acquire(new AbortController().signal);
      const wayOut = WAYS_OUT[index % WAYS_OUT.length]?.[1];
      const script = `${wayOut?.(loop)}; echo done`;
      const { alive, outcome } = await play('', {
        style: 'plain',
        request: { command: ['sh', '-c', script] },
      });
      leave?.();
      return { alive, kind: outcome.kind };
    };
    const began = performance.now();
    const results = await Promise.all(Array.from({ length: FIGURES.escapes }, playTurn));
    rmSync(loop);
    report(`${FIGURES.escapes} turns with processes that left`, seconds(began));
    expect(results.flatMap(({ alive }) => alive)).toEqual([]);
    expect(results.every(({ kind }) => kind === 'completed')).toBe(true);
  });

  describe.each([
    ['', []],
    [' for one who may make no control groups', AS_NOBODY],
    [' inside of a turn of another', ['/usr/bin/prlimit', '--rss=1234567:']],
  ] as const)('Huddle itself is killed%s', (_title, wrapper) => {
    it
      .runIf(wrapper !== undefined)
      .each([
        ['in another session', () => SESSION],
        ['with none of our marks', () => UNMARKED],
        ...WAYS_OUT,
      ] as const)('and leaves no descendant alive %s', async (title, wayOut) => {
      const pidFile = join(folder, `${title}-${wrapper?.length}`);
      const loop = writeLoop(folder);
      const command = ['sh', '-c', `${wayOut(loop)}; sleep 60`];
      const huddle = startHuddle({ behaviour: '', count: 1, atOnce: 1, pidFile, command }, wrapper);
      await until(() => registeredProcesses(pidFile).length === 1);
      huddle.kill('SIGKILL');
      await until(() => registeredProcesses(pidFile).every(({ pid }) => !isAlive(pid)));
      rmSync(loop);
    });
  });

  it('spares what a killed Huddle has started beside its agents', async () => {
    const pidFile = join(folder, 'beside');
    const others = join(folder, 'others');
    const command = ['sh', '-c', `${SESSION}; sleep 60`];
    const beside = startDaemon(others);
    const huddle = startHuddle({ behaviour: '', count: 1, atOnce: 1, pidFile, command, beside }, AS_NOBODY);
    await until(() => registeredProcesses(others).length === 1);
    const file = `/proc/${huddle.pid}/task/${huddle.pid}/children`;
    const agentAndWatchdog = readFileSync(file, 'utf8').trim().split(' ').map(Number);
    huddle.kill('SIGKILL');
    await until(() => !agentAndWatchdog.some(isAlive));
    const [daemon] = registeredProcesses(others);
    expect(daemon && isAlive(daemon.pid)).toBe(true);
    process.kill(daemon?.pid ?? 0, 'SIGKILL');
  });

  it('leaves nothing of a turn behind that ends inside of a turn of another', async () => {
    const pidFile = join(folder, 'inside');
    const orphan = WAYS_OUT.find(([title]) => title === 'whose parent is gone')?.[1]('');
    const command = ['sh', '-c', `${orphan}; echo done`];
    const order = { behaviour: '', count: 1, atOnce: 1, pidFile, command };
    const lines = await outputOf(order, ['/usr/bin/prlimit', '--rss=1234567:']);
    expect(lines[0]).toBe('NO_FINAL_EVENT');
    await until(() => registeredProcesses(pidFile).every(({ pid }) => !isAlive(pid)));
  });

  it(`reads a flood of ${FIGURES.floodMegabytes} MB in bounded memory and time`, {
    timeout: 240_000,
  }, async (context) => {
    const { lines, measured } = await timeTurn(`flood:${FIGURES.floodMegabytes}`);
    report(`flood of ${FIGURES.floodMegabytes} MB`, `${measured.value.toFixed(1)} s, ${lines[1]}`);
    expect(lines[0]).toBe('completed');
    if (!isFull) return;
    expect(peakOf(lines)).toBeLessThan(120);
    expectWithin(FLOOD_SECONDS, measured, context);
  });

  it.runIf(isFull)('delivers the answer of an agent that never leaves, and makes it leave', async () => {
    const began = performance.now();
    let delivered = 0;
    const { alive } = await play('linger:deaf', {
      onEvent: ({ type }) => {
        if (type === 'end') delivered = performance.now() - began;
      },
    });
    const gone = performance.now() - began;
    report(
      'a deaf agent that lingers',
      `answer after ${delivered.toFixed(0)} ms, gone after ${gone.toFixed(0)} ms`,
    );
    expect(alive).toEqual([]);
    expect(delivered).toBeLessThan(1000);
    expect(gone).toBeLessThan(8000);
  });

  it.runIf(isFull)('skips a line of 100 MB in no time', { timeout: 60_000 }, async (context) => {
    const { lines, measured } = await timeTurn('longline:100');
    report('line of 100 MB', `${measured.value.toFixed(1)} s, ${lines[1]}`);
    expect(lines[0]).toBe('completed');
    expectWithin(LONG_LINE_SECONDS, measured, context);
  });

  it(`survives ${FIGURES.unreadPrompts} prompts that nobody reads`, { timeout: 120_000 }, async () => {
    const prompt = 'z'.repeat(4 * 1024 * 1024);
    const turns = Array.from({ length: FIGURES.unreadPrompts }, (_, index) =>
      play(index % 2 === 0 ? 'exitearly' : 'closestdin', { request: { prompt } }),
    );
    const outcomes = (await Promise.all(turns)).map(({ outcome }) => outcome.kind);
    expect(outcomes.filter((kind) => kind === 'completed')).toHaveLength(FIGURES.unreadPrompts / 2);
  });

  it(`says so when there are no descriptors left, and lives`, { timeout: 120_000 }, async () => {
    const order: TurnsOrder = { behaviour: 'fixed', count: FIGURES.shortTurns, atOnce: 32 };
    const lines = await outputOf(order, ['/bin/sh', '-c', 'ulimit -n 64; exec "$@"', 'sh']);
    report(`${order.count} turns, 32 at once, ulimit -n 64`, JSON.stringify(countWords(lines.slice(0, -1))));
    expect(lines).toHaveLength(FIGURES.shortTurns + 1);
    expect(lines.slice(0, -1).every((line) => line === 'completed' || line === 'SPAWN')).toBe(true);
  });

  it('works without a stdin and a terminal', async () => {
    const lines = await outputOf({ behaviour: 'cwd', count: 2, atOnce: 2 }, ['setsid']);
    expect(lines.slice(0, 2)).toEqual(['completed', 'completed']);
  });
});

/** One turn of this behaviour in a Huddle of its own, and the seconds from its start to its end. */
async function timeTurn(behaviour: string) {
  const { value, taken } = await inQuiet(async () => {
    const began = performance.now();
    const lines = await outputOf({ behaviour, count: 1, atOnce: 1 });
    return { lines, seconds: (performance.now() - began) / 1000 };
  }, ATTEMPTS);
  return { lines: value.lines, measured: { value: value.seconds, taken } };
}

function startHuddle(order: TurnsOrder, wrapper: readonly string[] = []): ChildProcess {
  const [command = '', ...args] = [...wrapper, process.execPath, program, JSON.stringify(order)];
  return spawn(command, args, {
    cwd: folder,
    env: { ...process.env, HOSTILE_AGENT, TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

async function outputOf(order: TurnsOrder, wrapper: readonly string[] = []): Promise<string[]> {
  const huddle = startHuddle(order, wrapper);
  let output = '';
  huddle.stdout?.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const [code] = await once(huddle, 'close');
  expect(code).toBe(0);
  return output.trim().split('\n');
}

function peakOf(lines: readonly string[]): number {
  return Number.parseInt(lines.at(-1)?.split(' ')[1] ?? '', 10);
}

function countDescriptors(): number {
  return readdirSync('/proc/self/fd').length;
}

function countWords(words: readonly string[]): Record<string, number> {
  return Object.fromEntries(
    [...new Set(words)].map((word) => [word, words.filter((other) => other === word).length]),
  );
}

function seconds(began: number): string {
  return `${((performance.now() - began) / 1000).toFixed(1)} s`;
}

function report(what: string, figure: string): void {
  if (isFull) process.stdout.write(`${what}: ${figure}\n`);
}
