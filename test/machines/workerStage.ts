import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { AgentManager } from '../../src/agents/AgentManager.js';
import { createAdapter } from '../../src/agents/definitions.js';
import { loadWorkerFile } from '../../src/config/loadWorkerFile.js';
import { loadMachineKey } from '../../src/config/machineKey.js';
import { resolveTeam } from '../../src/config/resolveTeam.js';
import type { WorkerNews } from '../../src/machines/takeTurn.js';
import { Worker } from '../../src/machines/Worker.js';
import { WorkerMemory } from '../../src/machines/WorkerMemory.js';
import type { Team } from '../../src/models/Team.js';
import { openPostgresStore, type PostgresStoreOptions } from '../../src/store/postgres/PostgresStore.js';
import { makeTemporaryFolder } from '../config/temporaryFolder.js';
import type { TestPostgres } from '../postgres/TestPostgres.js';
import { SHORT_LEASE } from './table.js';

/** A program that answers with the length of its prompt, after an optional line that it prints at once. */
export function echo(script = "console.log('heard ' + prompt.length)"): readonly string[] {
  const read = "let prompt = ''; process.stdin.on('data', (data) => { prompt += data; }).on('end', () => {";
  return [process.execPath, '-e', `${read} ${script} })`, '--'];
}

/** A team of kim and members that run elsewhere. */
export function remoteTeam(...members: readonly object[]): Team {
  const result = resolveTeam({
    version: 1,
    members: [
      { name: 'kim', type: 'human' },
      ...members.map((member) => ({ type: 'ai', agentType: 'command', runsOn: 'gpu_box', ...member })),
    ],
  });
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.team;
}

export interface StagedWorker {
  readonly role?: string;
  /** As in a worker file, without their folder. */
  readonly members: readonly object[];
  /** Default: `kim`, by the key file that is given. */
  readonly askers?: Readonly<Record<string, string>>;
  readonly keyFile?: string;
  readonly atOnce?: number;
  readonly accounts?: Readonly<Record<string, number>>;
  readonly dataFolder?: string;
  readonly limits?: object;
  readonly store?: Partial<PostgresStoreOptions>;
  readonly clock?: () => number;
}

/** A worker in this process, as if on a machine of its own. */
export async function startWorker(server: TestPostgres, staged: StagedWorker) {
  const { role = 'gpu_box', keyFile, dataFolder = makeTemporaryFolder(), clock } = staged;
  const folder = makeTemporaryFolder();
  const key = keyFile === undefined ? undefined : (await loadMachineKey(keyFile)).publicKey;
  const path = join(folder, 'worker.jsonc');
  mkdirSync(join(folder, 'work'));
  const { atOnce = 4, accounts = {}, limits = {}, askers = key === undefined ? {} : { kim: key } } = staged;
  const members = staged.members.map((member) => ({ agentType: 'command', folder: 'work', ...member }));
  writeFileSync(path, JSON.stringify({ version: 1, atOnce, accounts, limits, askers, members }));
  chmodSync(path, 0o600);
  const file = await loadWorkerFile({ file: path, homeFolder: folder });
  const store = await openPostgresStore({
    url: server.url(role),
    host: `${role}s-machine`,
    leaseTimes: SHORT_LEASE,
    ...staged.store,
  });
  const news: WorkerNews[] = [];
  const worker = new Worker({
    store,
    file,
    memory: new WorkerMemory(join(dataFolder, 'worker'), store.database.storeId),
    createAgents: ({ folder: workingFolder }) => new AgentManager({ workingFolder, createAdapter }),
    tell: (told) => news.push(told),
    ...(clock && { clock }),
  });
  const [finish, stop] = [new AbortController(), new AbortController()];
  const running = worker.run(finish.signal, stop.signal);
  const end = async (): Promise<void> => {
    finish.abort();
    stop.abort();
    await running;
    await store.close();
  };
  let ending: Promise<void> | undefined;
  const close = (): Promise<void> => {
    ending ??= end();
    return ending;
  };
  onTestFinished(close);
  return { store, news, file, dataFolder, finish, stop, running, close };
}

/** A program that answers like Codex: half of its turn at once, and the other half when a file is there. */
export function gatedCodex(gate: string): readonly string[] {
  const records = (tool: string, text: string): readonly object[] => [
    { type: 'item.started', item: commandItem(tool, 'in_progress') },
    { type: 'item.completed', item: { ...commandItem(tool, 'completed'), exit_code: 0 } },
    { type: 'item.completed', item: { id: `${tool}-text`, type: 'agent_message', text } },
  ];
  const usage = { input_tokens: 10, cached_input_tokens: 0, output_tokens: 5 };
  const [first, second] = [
    [{ type: 'thread.started', thread_id: 'thread-1' }, { type: 'turn.started' }, ...records('one', 'first')],
    [...records('two', 'second'), { type: 'turn.completed', usage }],
  ].map((lines) => JSON.stringify(lines.map((line) => `${JSON.stringify(line)}\n`).join('')));
  // Asked for its MCP servers it has none.
  return echo(
    `if (process.argv.includes('mcp')) return console.log('[]'); const { existsSync } = require('fs'); process.stdout.write(${first}); const timer = setInterval(() => { if (!existsSync(${JSON.stringify(gate)})) return; clearInterval(timer); process.stdout.write(${second}); }, 20)`,
  );
}

function commandItem(id: string, status: string): object {
  return { id, type: 'command_execution', command: `run ${id}`, aggregated_output: '', status };
}
