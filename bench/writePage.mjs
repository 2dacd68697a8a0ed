// What a run gave, in docs/performance.md: a table for each benchmark, with the day, the machine and the Node of its run.
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { fileURLToPath } from 'node:url';

export const PAGE = fileURLToPath(new URL('../docs/performance.md', import.meta.url));
const BEGIN = '<!-- npm run bench -- --write: begin -->\n';
const END = '<!-- npm run bench -- --write: end -->\n';

/** Puts the runs into the page. Tables of benchmarks that did not run stay as they are, in the order of `names`. */
export function writePage(runs, names, file = PAGE) {
  writeFileSync(file, putInto(readFileSync(file, 'utf8'), runs, names));
}

export function putInto(page, runs, names) {
  const [start, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (start === -1 || end < start) throw new Error('docs/performance.md has no place for what a run gave');
  const tables = new Map(
    page
      .slice(start + BEGIN.length, end)
      .split(/^(?=### )/mu)
      .map((table) => [/^### ([\w-]+)/u.exec(table)?.[1], table]),
  );
  for (const run of runs) tables.set(run.name, formatRun(run));
  const inOrder = names.flatMap((name) => tables.get(name) ?? []);
  return `${page.slice(0, start)}${BEGIN}\n${inOrder.join('')}${page.slice(end)}`;
}

function formatRun({ name, goals, taken, at, machine = describeMachine() }) {
  const rows = goals.map(({ name: what, seen, limit, met }) =>
    [what, seen, limit, met ? '' : 'missed'].map((cell) => ` ${cell.replaceAll('|', '\\|')} `).join('|'),
  );
  return [
    `### ${name}, ${at.toISOString().slice(0, 10)}`,
    '',
    `${machine}; the host took ${(taken * 100).toFixed(1)} % of its time.`,
    '',
    '| figure | seen | goal | |',
    '|---|---|---|---|',
    ...rows.map((row) => `|${row}|`),
    '',
    '',
  ].join('\n');
}

function describeMachine() {
  const model = cpus()[0]?.model.trim() || 'unknown';
  return `Node ${process.version}, ${availableParallelism()} cores (${model}), ${process.platform}`;
}
