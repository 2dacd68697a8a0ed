// B: the first answer of `huddle mcp`, and the list of its tools, over starting bare Node; in wall time.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { bareEnvironment, goal, median } from './measure.mjs';

const ROUNDS = 31;
const program = fileURLToPath(new URL('../dist/cli/huddle.js', import.meta.url));
const clientInfo = { name: 'bench', version: '1' };
const HELLO = {
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo },
};
const LIST = { id: 2, method: 'tools/list', params: {} };
const TEAM = {
  version: 1,
  members: [
    { name: 'kim', type: 'human' },
    { name: 'max', type: 'ai', agentType: 'claude' },
  ],
};

export async function mcp() {
  console.log(`\nB first answers of huddle mcp over bare Node; wall time, median of ${ROUNDS}\n`);
  const folder = mkdtempSync(join(tmpdir(), 'huddle-bench-'));
  writeFileSync(join(folder, 'huddle.jsonc'), JSON.stringify(TEAM));
  const options = { cwd: folder, env: { ...bareEnvironment, HUDDLE_HOME: join(folder, 'home') } };
  const samples = { bare: [], first: [], tools: [] };
  for (let round = 0; round < ROUNDS; round++) {
    samples.bare.push(await timeBare(options));
    const { first, tools } = await timeAnswers(options);
    samples.first.push(first);
    samples.tools.push(tools);
  }
  rmSync(folder, { recursive: true });
  const [bare, first, tools] = [samples.bare, samples.first, samples.tools].map(median);
  console.log(`       bare Node ${bare.toFixed(1)} ms, first answer ${first.toFixed(1)} ms`);
  console.log(`       the tools of a team ${tools.toFixed(1)} ms (${(tools / bare).toFixed(2)}x)`);
  goal('B first answer of huddle mcp', first / bare, 3.5, 'x');
}

async function timeBare(options) {
  const start = performance.now();
  await once(spawn(process.execPath, ['-e', '0'], { ...options, stdio: 'ignore' }), 'exit');
  return performance.now() - start;
}

/** From the start of the process until its answers are read. */
async function timeAnswers(options) {
  const start = performance.now();
  const server = spawn(process.execPath, [program, 'mcp'], {
    ...options,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(server, 'exit');
  const send = (request) => server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...request })}\n`);
  send(HELLO);
  const times = [];
  for await (const _line of createInterface({ input: server.stdout })) {
    times.push(performance.now() - start);
    if (times.length === 1) send(LIST);
    else server.stdin.end();
  }
  await exited;
  const [first, tools] = times;
  return { first, tools };
}
