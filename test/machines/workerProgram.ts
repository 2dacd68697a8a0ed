// A process of its own that is a worker of a shared store, to be killed or stopped: `URL WORKERFILE DATAFOLDER TIMES`. Prints
// `here`, and a line for each thing that it tells.
import { AgentManager } from '../../src/agents/AgentManager.js';
import { createAdapter } from '../../src/agents/definitions.js';
import { loadWorkerFile } from '../../src/config/loadWorkerFile.js';
import { Worker } from '../../src/machines/Worker.js';
import { WorkerMemory } from '../../src/machines/WorkerMemory.js';
import { openPostgresStore } from '../../src/store/postgres/PostgresStore.js';

const [url = '', path = '', dataFolder = '', times = ''] = process.argv.slice(2);
const file = await loadWorkerFile({ file: path, homeFolder: '/' });
const store = await openPostgresStore({ url, leaseTimes: JSON.parse(times) });
const worker = new Worker({
  store,
  file,
  memory: new WorkerMemory(dataFolder, store.database.storeId),
  createAgents: ({ folder: workingFolder }) => new AgentManager({ workingFolder, createAdapter }),
  tell: ({ kind, turn }) => process.stdout.write(`${kind} ${turn.conversation} ${turn.turn}\n`),
});
process.stdout.write('here\n');
await worker.run(new AbortController().signal);
