// W6: what the program says at once, and its first prompt, over starting bare Node; in wall time.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepareFirstPrompt } from './firstPrompt.mjs';
import { bareEnvironment, figure, goal, median } from './measure.mjs';

const ROUNDS = 41;
const PROMPT_ROUNDS = 21;
const program = fileURLToPath(new URL('../dist/cli/huddle.js', import.meta.url));
const contenders = { bare: ['-e', '0'], '--version': [program, '--version'], '--help': [program, '--help'] };

const wholeCommands = {
  'bare Node': ['-e', '0'],
  'huddle team check': [program, 'team', 'check'],
  'huddle run': [program, 'run', 'Go.', '--trust'],
};
const TEAM = {
  version: 1,
  members: [
    { name: 'kim', type: 'human' },
    { name: 'ada', type: 'ai', agentType: 'command', command: ['sh', '-c', 'cat >/dev/null; echo done'] },
  ],
};

export async function startUp() {
  console.log(`\nW6 start-up over bare Node; wall time, median of ${ROUNDS}\n`);
  const samples = Object.fromEntries(Object.keys(contenders).map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, args] of Object.entries(contenders)) samples[name].push(timeRun(args));
  }
  const bare = median(samples.bare);
  console.log(`       bare Node: ${bare.toFixed(1)} ms`);
  for (const name of ['--version', '--help'])
    goal(`W6 huddle ${name}`, median(samples[name]) / bare, 1.15, 'x');
  commands();
  await firstPrompt();
}

/** Whole commands around an agent that takes three milliseconds. */
function commands() {
  const folder = mkdtempSync(join(tmpdir(), 'huddle-bench-'));
  writeFileSync(join(folder, 'huddle.jsonc'), JSON.stringify(TEAM));
  const options = { cwd: folder, env: { ...bareEnvironment, HUDDLE_HOME: join(folder, 'home') } };
  const samples = Object.fromEntries(Object.keys(wholeCommands).map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, args] of Object.entries(wholeCommands)) samples[name].push(timeRun(args, options));
  }
  rmSync(folder, { recursive: true });
  const bare = median(samples['bare Node']);
  for (const [name, times] of Object.entries(samples)) {
    figure(`W6 ${name}`, median(times), ' ms');
    if (name !== 'bare Node') figure(`W6 ${name} over bare Node`, median(times) / bare, 'x');
  }
}

async function firstPrompt() {
  if (spawnSync('script', ['--version']).status !== 0) {
    console.log('       no `script` program here: the first prompt is not measured');
    return;
  }
  const { timeBare, timePrompt, timeReady, close } = prepareFirstPrompt(program);
  try {
    const samples = { bare: [], prompt: [], ready: [] };
    for (let round = 0; round < PROMPT_ROUNDS; round++) {
      samples.bare.push(await timeBare());
      samples.prompt.push(await timePrompt());
      samples.ready.push(await timeReady());
    }
    const [bare, prompt, ready] = [samples.bare, samples.prompt, samples.ready].map(median);
    console.log(
      `       in a terminal: bare Node ${bare.toFixed(1)} ms, first prompt ${prompt.toFixed(1)} ms,`,
    );
    console.log(`       the conversation behind it ${ready.toFixed(1)} ms (${(ready / bare).toFixed(2)}x)`);
    goal('W6 first prompt painted', prompt / bare, 2, 'x');
  } finally {
    close();
  }
}

function timeRun(args, options = { env: bareEnvironment }) {
  const start = performance.now();
  const { status } = spawnSync(process.execPath, args, { stdio: 'ignore', ...options });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}`);
  return performance.now() - start;
}
