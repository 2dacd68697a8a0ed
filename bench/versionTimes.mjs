// Run by `peersStartUp.mjs`, which keeps it from the network: prints how long each program takes to say its version.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { median, table } from './measure.mjs';

const ROUNDS = 11;
const packages = process.argv[2];
const huddle = fileURLToPath(new URL('../dist/cli/huddle.js', import.meta.url));
const claude = `${packages}/@anthropic-ai/claude-code-${process.platform}-${process.arch}/claude`;
const contenders = {
  'bare Node': [process.execPath, '-e', '0'],
  huddle: [process.execPath, huddle, '--version'],
  'Claude Code (native)': [claude, '--version'],
  Codex: [process.execPath, `${packages}/@openai/codex/bin/codex.js`, '--version'],
  'Gemini CLI': [process.execPath, `${packages}/@google/gemini-cli/bundle/gemini.js`, '--version'],
};

const samples = Object.fromEntries(Object.keys(contenders).map((name) => [name, []]));
for (let round = 0; round < ROUNDS; round++) {
  for (const [name, command] of Object.entries(contenders)) samples[name].push(timeRun(command));
}
table(Object.entries(samples).map(([name, times]) => [name, `${median(times).toFixed(0)} ms`]));

function timeRun([program, ...args]) {
  const start = performance.now();
  const { status } = spawnSync(program, args, { stdio: 'ignore' });
  if (status !== 0) throw new Error(`${program} ended with ${status}`);
  return performance.now() - start;
}
