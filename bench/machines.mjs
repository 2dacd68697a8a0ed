// M1–M6: conversations in a Postgres that machines share, against the same without one. That nothing of it is loaded without a
// shared store is a test, and what a start takes then is the benchmark of starting.
import { createSharedStore, inviteRole } from '../compiled/postgres.js';
import { measureAppends } from './machines/appends.mjs';
import { BenchPostgres } from './machines/BenchPostgres.mjs';
import { runCapacity } from './machines/capacity.mjs';
import { measureDistance } from './machines/distance.mjs';
import { measureFollowing } from './machines/following.mjs';
import { measureResuming } from './machines/resuming.mjs';
import { measureTurns } from './machines/turns.mjs';
import { goal } from './measure.mjs';

const CONVERSATIONS = Number(process.env.HUDDLE_BENCH_CONVERSATIONS ?? 1000);
const ACCOUNTS = { acme: 5, beta: 7 };

export async function machines() {
  console.log('\nM many machines: wall time with a real Postgres, contenders in turns, medians\n');
  const server = await BenchPostgres.start();
  try {
    await server.create('bench');
    await createSharedStore(server.url());
    for (const role of ['kim', 'bob']) await inviteRole(server.url(), role);
    await inviteRole(server.url(), 'gpu_box', { worker: true });
    await measureAppends(server);
    await measureTurns(server);
    await measureDistance(server);
    await measureFollowing(server);
    await measureResuming(server);
    await server.create('capacity');
    await measureCapacity(server);
  } finally {
    await server.end();
  }
}

async function measureCapacity(server) {
  const options = { folder: server.folder, workers: 4, atOnce: 25, accounts: ACCOUNTS };
  const report = await runCapacity(server, { ...options, conversations: CONVERSATIONS });
  const { seconds, started, ended, odd, interrupted, doubled, mostAtOnce, shares, resumedElsewhere } = report;
  console.log(
    `${CONVERSATIONS} conversations, ${ended} turns in ${seconds.toFixed(0)} s (${(ended / seconds).toFixed(0)} a second) by ` +
      `4 workers, one of them killed: ${resumedElsewhere} conversations resumed elsewhere, ${interrupted} turns interrupted`,
  );
  goal('M6 turns lost', CONVERSATIONS * 2 - ended + Math.abs(started - ended) + odd, 0);
  goal('M6 turns doubled', doubled, 0);
  for (const [account, most] of Object.entries(mostAtOnce))
    goal(`M6 turns at once of ${account}`, most, ACCOUNTS[account]);
  goal('M6 turns of a worker, from the mean', Math.max(...shares.map(Math.abs)) * 100, 25, ' %');
}
