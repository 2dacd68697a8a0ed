// `npm run bench [name …]`: prints every figure and ends with 1 when a goal is missed. `-- --write` also puts them, with the day and the
// machine, into docs/performance.md.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { bareEnvironment, goals } from './measure.mjs';
import { inQuiet } from './quiet.mjs';
import { writePage } from './writePage.mjs';

const benchmarks = {
  context: async () => (await import('./contextTurn.mjs')).contextTurn(),
  markers: async () => (await import('./markers.mjs')).markers(),
  'json-lines': async () => (await import('./jsonLines.mjs')).jsonLines(),
  store: async () => (await import('./store.mjs')).store(),
  growth: async () => (await import('./growth.mjs')).growth(),
  turn: async () => (await import('./turn.mjs')).turn(),
  'whole-turn': async () => (await import('./wholeTurn.mjs')).wholeTurn(),
  files: async () => (await import('./files.mjs')).files(),
  cassette: async () => (await import('./cassette.mjs')).cassette(),
  'acp-start': async () => (await import('./acpStart.mjs')).acpStart(),
  'acp-view': async () => (await import('./acpView.mjs')).acpView(),
  mcp: async () => (await import('./mcp.mjs')).mcp(),
  web: async () => (await import('./web.mjs')).web(),
  machines: async () => (await import('./machines.mjs')).machines(),
  'start-up': async () => (await import('./startUp.mjs')).startUp(),
  peers: async () => (await import('./peers.mjs')).peers(),
};
/** Need packages of their own, a browser or a database, so they are only run when they are asked for. */
const LARGE = ['peers', 'web', 'machines'];

const words = process.argv.slice(2);
const isWriting = words.includes('--write');
const [first, ...others] = words.filter((word) => word !== '--write');
if (process.send !== undefined && first !== undefined) {
  await benchmarks[first]();
  process.send(goals);
  process.disconnect();
} else {
  const wanted =
    first === undefined
      ? Object.keys(benchmarks).filter((name) => !LARGE.includes(name))
      : [first, ...others];
  const runs = [];
  for (const name of wanted) {
    const at = new Date();
    const { value, taken } = await inQuiet(() => runAlone(name));
    runs.push({ name, goals: value, taken, at });
  }
  if (isWriting) writePage(runs, Object.keys(benchmarks));
  const judged = runs.flatMap((run) => run.goals).filter(({ limit }) => limit !== '');
  const missed = judged.filter(({ met }) => !met);
  console.log(`\n${judged.length - missed.length} of ${judged.length} goals met`);
  process.exitCode = missed.length > 0 ? 1 : 0;
}

/** As bare as that of the programs we measure beside ours, so that both sides are started alike; npm needs more. */
function environmentFor(name) {
  const own = Object.entries(process.env).filter(([variable]) =>
    /^(?:HUDDLE_|CHROM|PUPPETEER_)/u.test(variable),
  );
  return name === 'peers' ? process.env : { ...bareEnvironment, ...Object.fromEntries(own) };
}

/** In a process of its own, so that none leaves its memory to the next. */
async function runAlone(name) {
  if (!Object.hasOwn(benchmarks, name))
    throw new Error(`There is no benchmark "${name}". There are: ${Object.keys(benchmarks).join(', ')}`);
  const child = fork(fileURLToPath(import.meta.url), [name], { env: environmentFor(name) });
  let results;
  child.on('message', (message) => {
    results = message;
  });
  const [code] = await once(child, 'exit');
  if (results === undefined) throw new Error(`The benchmark "${name}" ended with ${code}`);
  return results;
}
