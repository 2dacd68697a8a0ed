import { readFileSync } from 'node:fs';

const ATTEMPTS = 3;
/** So much of its time a machine may lose to others on the same host without its figures showing it. */
const QUIET = 0.02;

/**
 * Measures until the host has left this machine alone meanwhile, a few times at most, and gives what was measured in the
 * greatest quiet, with the share of the time that the host took then. What it takes is not the program's, whatever is measured.
 */
export async function inQuiet(measure) {
  let quietest;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const before = readTimes();
    const value = await measure();
    const taken = shareTaken(before, readTimes());
    if (quietest === undefined || taken < quietest.taken) quietest = { value, taken };
    if (taken <= QUIET) break;
    const next = attempt < ATTEMPTS ? 'once more' : 'the quietest run counts';
    console.log(`\nThe host took ${(taken * 100).toFixed(1)} % of this machine's time: ${next}.`);
  }
  return quietest;
}

function shareTaken(before, after) {
  return (after.taken - before.taken) / Math.max(1, after.all - before.all);
}

/** In ticks of all cores, see proc(5); the eighth number is what the host took. Other systems do not say. */
function readTimes() {
  if (process.platform !== 'linux') return { all: 0, taken: 0 };
  const [line] = readFileSync('/proc/stat', 'utf8').split('\n');
  const ticks = line.split(/\s+/u).slice(1, 9).map(Number);
  return { all: ticks.reduce((sum, each) => sum + each, 0), taken: ticks[7] };
}
