// `npm run bench [name …]`: prints every figure and ends with 1 when a goal is missed.
import { contextTurn } from './contextTurn.mjs';
import { jsonLines } from './jsonLines.mjs';
import { markers } from './markers.mjs';
import { goals } from './measure.mjs';
import { startUp } from './startUp.mjs';
import { store } from './store.mjs';
import { turn } from './turn.mjs';

const benchmarks = {
  context: contextTurn,
  markers,
  'json-lines': jsonLines,
  store,
  turn,
  'start-up': startUp,
};
const wanted = process.argv.slice(2);
for (const [name, run] of Object.entries(benchmarks)) {
  if (wanted.length === 0 || wanted.includes(name)) await run();
}
if (wanted.includes('peers')) await (await import('./peers.mjs')).peers();
const missed = goals.filter(({ met }) => !met);
console.log(`\n${goals.length - missed.length} of ${goals.length} goals met`);
process.exitCode = missed.length > 0 ? 1 : 0;
