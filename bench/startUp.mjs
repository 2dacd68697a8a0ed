// W6: what the program says at once over starting bare Node, in wall time.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { goal, median } from './measure.mjs';

const ROUNDS = 41;
const program = fileURLToPath(new URL('../dist/cli/huddle.cjs', import.meta.url));
const contenders = { bare: ['-e', '0'], '--version': [program, '--version'], '--help': [program, '--help'] };

export function startUp() {
  console.log(`\nW6 start-up over bare Node; wall time, median of ${ROUNDS}\n`);
  const samples = Object.fromEntries(Object.keys(contenders).map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, args] of Object.entries(contenders)) samples[name].push(timeRun(args));
  }
  const bare = median(samples.bare);
  console.log(`       bare Node: ${bare.toFixed(1)} ms`);
  for (const name of ['--version', '--help'])
    goal(`W6 huddle ${name}`, median(samples[name]) / bare, 1.15, 'x');
}

function timeRun(args) {
  const start = performance.now();
  const { status } = spawnSync(process.execPath, args, { stdio: 'ignore' });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}`);
  return performance.now() - start;
}
