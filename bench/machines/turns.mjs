// M2: a turn of a program on a shared store, here and on a worker, over the same in SQLite.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createConversation } from '../../compiled/createConversation.js';
import { openPostgresStore } from '../../compiled/postgres.js';
import { SqliteStore } from '../../compiled/store/sqlite/SqliteStore.js';
import { goal, median } from '../measure.mjs';
import { agentNamed, teamOf } from '../team.mjs';
import { took } from './appends.mjs';
import { huddle, startWorker } from './capacity.mjs';

const ROUNDS = 15;
/** A program of Node takes about as long to start as the agents that people use. */
const AGENT = [process.execPath, '-e', "process.stdin.resume().on('end', () => console.log('Done.'))"];

export async function measureTurns(server) {
  const home = join(server.folder, 'gpu_box');
  const config = join(home, '.config', 'huddle');
  mkdirSync(config, { recursive: true });
  const keyFile = join(config, 'key.pem');
  const key = huddle(home, 'key').trim();
  huddle(home, 'store', 'add', 'work', server.url('gpu_box'));
  const members = [{ name: 'max', agentType: 'command', command: AGENT, folder: home }];
  writeFileSync(
    join(config, 'worker.jsonc'),
    JSON.stringify({ version: 1, store: 'work', askers: { kim: key }, members }),
    { mode: 0o600 },
  );
  const worker = await startWorker(home);
  const sqlite = new SqliteStore({ file: join(server.folder, 'bench.sqlite') });
  const shared = await openPostgresStore({ url: server.url('kim') });
  // Its environment is ours, which is as bare as the worker's: see `run.mjs`.
  const here = teamWith({ agentType: 'command', command: AGENT });
  const there = teamWith({ agentType: 'command', runsOn: 'gpu_box' });
  const contenders = {
    sqlite: await createConversation({ team: here, store: sqlite, workingFolder: home }),
    shared: await createConversation({ team: here, store: shared, workingFolder: home }),
    worker: await createConversation({ team: there, store: shared, workingFolder: home, keyFile }),
  };
  const costs = Object.fromEntries(Object.keys(contenders).map((name) => [name, []]));
  for (let round = 0; round <= ROUNDS; round++)
    for (const [name, conversation] of Object.entries(contenders)) {
      const cost = await took(async () => {
        await conversation.send('Go. @max');
        await conversation.settled();
      });
      // The first one loads what all need.
      if (round > 0) costs[name].push(cost);
    }
  for (const conversation of Object.values(contenders)) await conversation.close();
  worker.child.kill('SIGKILL');
  await worker.ended;
  await shared.close();
  await sqlite.close();
  const [local, onShared, onWorker] = ['sqlite', 'shared', 'worker'].map((name) => median(costs[name]));
  console.log(
    `a turn: SQLite ${local.toFixed(0)} ms, shared store ${onShared.toFixed(0)} ms, on a worker ${onWorker.toFixed(0)} ms`,
  );
  goal('M2 turn on a shared store over SQLite', onShared / local, 1.1, 'x');
  goal('M2 turn on a worker over SQLite', onWorker / local, 1.25, 'x');
}

function teamWith(parts) {
  const team = teamOf([agentNamed('max', parts)]);
  const members = team.members.map((member) =>
    member.type === 'human' ? { ...member, id: 'kim', name: 'kim' } : member,
  );
  return { ...team, members, limits: { ...team.limits, agentTurns: 1000, sameAnswer: 1000 } };
}
