// Timing that survives a busy machine: CPU time of this process, contenders interleaved, medians.

/** Median CPU microseconds of one call of each contender, taken in turns in the same run. */
export function compare(contenders, { rounds = 9, roundMilliseconds = 30 } = {}) {
  const names = Object.keys(contenders);
  const calls = {};
  for (const name of names) calls[name] = callsPerRound(contenders[name], roundMilliseconds);
  const samples = Object.fromEntries(names.map((name) => [name, []]));
  // Once, not before every sample: a full collection also throws away what the compiler has learnt.
  globalThis.gc?.();
  for (let round = 0; round < rounds; round++) {
    for (const name of names) {
      samples[name].push(cpuMicroseconds(contenders[name], calls[name]) / calls[name]);
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(samples[name])]));
}

/** Median CPU microseconds of one call. */
export function time(work, options) {
  return compare({ work }, options).work;
}

/** The same for work that is waited for; what takes a second or more is done only once. */
export async function timeAsync(work) {
  const samples = [await cpuMicrosecondsAsync(work)];
  if (samples[0] >= 1e6) return samples[0];
  for (let round = 0; round < 5; round++) samples.push(await cpuMicrosecondsAsync(work));
  return median(samples.slice(1));
}

async function cpuMicrosecondsAsync(work) {
  const before = process.cpuUsage();
  keep = await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

function callsPerRound(work, milliseconds) {
  let calls = 1;
  for (;;) {
    const spent = cpuMicroseconds(work, calls);
    if (spent >= milliseconds * 1000) return calls;
    calls = spent < 1000 ? calls * 10 : Math.ceil((calls * milliseconds * 1000) / spent);
  }
}

function cpuMicroseconds(work, calls) {
  const before = process.cpuUsage();
  for (let call = 0; call < calls; call++) keep = work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/** Results go here, so that no call can be optimised away. */
export let keep;

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

export function geometricMean(values) {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}

/** Slope of log(time) over log(size): 1 is linear. */
export function growthExponent(points) {
  const logs = points.map(([size, cost]) => [Math.log(size), Math.log(cost)]);
  const meanX = logs.reduce((sum, [x]) => sum + x, 0) / logs.length;
  const meanY = logs.reduce((sum, [, y]) => sum + y, 0) / logs.length;
  const numerator = logs.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  const denominator = logs.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  return numerator / denominator;
}

/** What each size costs, taken in turns, so that a machine that is slow for a while is so for all of them. */
export function costsBySize(sizes, workOf, options) {
  const costs = compare(Object.fromEntries(sizes.map((size) => [size, workOf(size)])), options);
  return sizes.map((size) => [size, costs[size]]);
}

export function table(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => String(row[column]).length)));
  for (const row of rows) {
    console.log(
      row
        .map((cell, column) =>
          column === 0 ? String(cell).padEnd(widths[column]) : String(cell).padStart(widths[column]),
        )
        .join('  '),
    );
  }
}

/** One goal: printed with what was measured, and remembered for the exit code and the page. */
export const goals = [];
export function goal(name, measured, limit, unit = '') {
  judge(name, measured <= limit, `${measured.toFixed(2)}${unit}`, `<= ${limit}${unit}`);
}

/** Something that has no goal. */
export function figure(name, measured, unit = '') {
  const seen = `${measured.toFixed(2)}${unit}`;
  goals.push({ name, met: true, seen, limit: '' });
  console.log(`       ${name}: ${seen}`);
}

/** How many times faster we are than somebody else. */
export function goalFaster(name, theirs, ours, times) {
  const ratio = theirs / ours;
  judge(name, ratio >= times, `${ratio.toFixed(ratio < 100 ? 1 : 0)}x faster`, `>= ${times}x`);
}

function judge(name, met, seen, limit) {
  goals.push({ name, met, seen, limit });
  console.log(`${met ? 'met   ' : 'MISSED'} ${name}: ${seen} (goal ${limit})`);
}

const { PATH, HOME } = process.env;

/** What programs are started with: nothing that would make Node itself slow to start and so make all ratios look good. */
export const bareEnvironment = { PATH, HOME };
