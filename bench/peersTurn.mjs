// W5 beside others: running a program and taking its answer, in wall time. What is judged is in `turn.mjs`.
import { execa } from 'execa';
import { median, table } from './measure.mjs';
import { programs, runDirectly, runOurs, timed } from './turn.mjs';

const ROUNDS = 41;

const contenders = { directly: runDirectly, ours: runOurs, execa: runWithExeca };

export async function peersTurn() {
  console.log(`\nW5 beside peers: one turn; wall time, median of ${ROUNDS}\n`);
  const rows = [['', ...Object.keys(contenders)]];
  for (const [name, { command }] of Object.entries(programs)) {
    const samples = Object.fromEntries(Object.keys(contenders).map((contender) => [contender, []]));
    for (let round = 0; round < ROUNDS; round++) {
      for (const [contender, run] of Object.entries(contenders))
        samples[contender].push(await timed(() => run(command)));
    }
    const direct = median(samples.directly);
    const figures = Object.values(samples).map(median);
    rows.push([name, ...figures.map((time) => `${time.toFixed(1)} ms ${(time / direct).toFixed(2)}x`)]);
  }
  table(rows);
}

async function runWithExeca([program, ...args]) {
  await execa(program, args, { input: 'Hello', detached: true });
}
