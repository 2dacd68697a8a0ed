// A: the first answer of `huddle acp` over starting bare Node, and a new session; wall time, whole processes.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { bareEnvironment, goal, median } from './measure.mjs';

const ROUNDS = 21;
const program = fileURLToPath(new URL('../dist/cli/huddle.js', import.meta.url));
const TEAM = {
  version: 1,
  members: [
    { name: 'kim', type: 'human' },
    { name: 'ada', type: 'ai', agentType: 'command', command: ['sh', '-c', 'cat >/dev/null; echo done'] },
  ],
};

export async function acpStart() {
  console.log(`\nA start of huddle acp; wall time, median of ${ROUNDS}\n`);
  const folder = mkdtempSync(join(tmpdir(), 'huddle-bench-'));
  writeFileSync(join(folder, 'huddle.jsonc'), JSON.stringify(TEAM));
  const samples = { bare: [], initialize: [], first: [], second: [] };
  for (let round = 0; round < ROUNDS; round++) {
    samples.bare.push(timeBare());
    const { initialize, first, second } = await timeAnswers(folder);
    samples.initialize.push(initialize);
    samples.first.push(first);
    samples.second.push(second);
  }
  rmSync(folder, { recursive: true });
  const [bare, initialize, first, second] = Object.values(samples).map(median);
  console.log(`       bare Node ${bare.toFixed(1)} ms, initialize ${initialize.toFixed(1)} ms`);
  goal('A first answer of huddle acp over bare Node', initialize / bare, 3.5, 'x');
  console.log(`       session/new asked for at once, which loads the rest: ${first.toFixed(1)} ms`);
  goal('A session/new', second, 80, ' ms');
}

function timeBare() {
  const start = performance.now();
  spawnSync(process.execPath, ['-e', '0'], { env: bareEnvironment });
  return performance.now() - start;
}

/** Milliseconds until the first answer, and from there to each new session. */
async function timeAnswers(folder) {
  const env = { ...bareEnvironment, HUDDLE_HOME: join(folder, 'data') };
  const start = performance.now();
  const child = spawn(process.execPath, [program, 'acp'], {
    cwd: folder,
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let id = 0;
  const ask = async (method, params) => {
    id += 1;
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    for (;;) {
      const { value, done } = await lines.next();
      if (done) throw new Error(`huddle acp ended before it answered ${method}`);
      if (JSON.parse(value).id === id) return performance.now();
    }
  };
  const initialized = await ask('initialize', { protocolVersion: 1 });
  const place = { cwd: folder, mcpServers: [] };
  const first = await ask('session/new', place);
  const second = await ask('session/new', place);
  child.stdin.end();
  await new Promise((resolve) => child.once('close', resolve));
  return { initialize: initialized - start, first: first - initialized, second: second - first };
}
