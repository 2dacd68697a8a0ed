// `npm run bench [name …]`: prints every figure and ends with 1 when a goal is missed.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { goals } from './measure.mjs';
import { inQuiet } from './quiet.mjs';

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

const [first, ...others] = process.argv.slice(2);
if (process.send !== undefined && first !== undefined) {
  await benchmarks[first]();
  process.send(goals);
  process.disconnect();
} else {
  const wanted =
    first === undefined
      ? Object.keys(benchmarks).filter((name) => !LARGE.includes(name))
      : [first, ...others];
  const judged = [];
  for (const name of wanted) judged.push(...(await inQuiet(() => runAlone(name))));
  const missed = judged.filter(({ met }) => !met);
  console.log(`\n${judged.length - missed.length} of ${judged.length} goals met`);
  process.exitCode = missed.length > 0 ? 1 : 0;
}

/** In a process of its own, so that none leaves its memory to the next. */
async function runAlone(name) {
  if (!Object.hasOwn(benchmarks, name))
    throw new Error(`There is no benchmark "${name}". There are: ${Object.keys(benchmarks).join(', ')}`);
  const child = fork(fileURLToPath(import.meta.url), [name]);
  let results;
  child.on('message', (message) => {
    results = message;
  });
  const [code] = await once(child, 'exit');
  if (results === undefined) throw new Error(`The benchmark "${name}" ended with ${code}`);
  return results;
}
