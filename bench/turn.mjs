// W5: a whole turn through the adapters over spawning the same program directly, in wall time.
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { createCommandDialect } from '../compiled/agents/command/dialect.js';
import { runDialectTurn } from '../compiled/agents/process/runDialectTurn.js';
import { bareEnvironment, goal, median } from './measure.mjs';

const ROUNDS = 101;
/** As many as a small machine has. */
const PROCESSES = 160;
export const programs = {
  'Node agent': {
    command: [process.execPath, '-e', 'process.stdin.resume().on("end", () => console.log("done"))'],
    limit: 1.02,
  },
  'sh agent': { command: ['sh', '-c', 'cat >/dev/null; echo done'], limit: 1.15 },
};

export async function turn() {
  console.log(
    `\nW5 one turn, from the start to its end event, over spawn + read + exit; wall time, median of ${ROUNDS}\n`,
  );
  for (const [name, { command, limit }] of Object.entries(programs)) {
    const ours = [];
    const direct = [];
    await runOurs(command);
    for (let round = 0; round < ROUNDS; round++) {
      const runs = [
        async () => direct.push(await timed(() => runDirectly(command))),
        async () => ours.push(await timed(() => runOurs(command))),
      ];
      // Neither is always the one that comes after the other.
      for (const run of round % 2 === 0 ? runs : runs.reverse()) await run();
    }
    console.log(`       ${name}: ${median(ours).toFixed(2)} ms, directly ${median(direct).toFixed(2)} ms`);
    goal(`W5 ${name}`, median(ours) / median(direct), limit, 'x');
  }
  if (process.platform === 'linux') await afterTurn();
}

/** What the next agent waits for after a turn: it must not grow with the number of processes on the machine. */
async function afterTurn() {
  const { length } = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const others = Array.from({ length: Math.max(0, PROCESSES - length) }, () =>
    spawn('sleep', ['600'], { stdio: 'ignore' }),
  );
  const times = [];
  for (let round = 0; round < ROUNDS; round++) {
    const { cleanUp } = await runOurs(programs['sh agent'].command);
    const start = performance.now();
    await cleanUp;
    times.push(performance.now() - start);
  }
  for (const other of others) other.kill();
  goal(`W5 after the turn, ${PROCESSES} processes`, median(times), 0.5, ' ms');
}

/** Clean-up after the end event is awaited, but outside the measured time. */
export async function timed(run) {
  const start = performance.now();
  const { milliseconds = performance.now() - start, cleanUp } = (await run()) ?? {};
  await cleanUp;
  return milliseconds;
}

export async function runOurs([program, ...args]) {
  const start = performance.now();
  const request = {
    memberName: 'bench',
    prompt: 'Hello',
    workingFolder: process.cwd(),
    permission: 'read',
    session: { kind: 'new' },
    command: [program, ...args],
    env: 'inherit',
    limits: { idleMilliseconds: 60_000, totalMilliseconds: 60_000 },
  };
  const { signal } = new AbortController();
  const environment = bareEnvironment;
  const events = runDialectTurn(createCommandDialect('plain-text'), request, signal, { environment });
  for (;;) {
    const { value, done } = await events.next();
    if (done) throw new Error('no end event');
    if (value.type !== 'end') continue;
    if (value.outcome.kind !== 'completed') throw new Error(JSON.stringify(value.outcome));
    return { milliseconds: performance.now() - start, cleanUp: events.next() };
  }
}

export function runDirectly([program, ...args], prompt = 'Hello') {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
      env: bareEnvironment,
    });
    child.stdin.end(prompt);
    child.stdout.resume();
    child.stderr.resume();
    child.on('error', reject);
    child.on('close', () => resolve());
  });
}
