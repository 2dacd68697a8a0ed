import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { root } from '../cli/runHuddle.js';

interface WritePage {
  readonly PAGE: string;
  putInto(page: string, runs: readonly object[], names: readonly string[]): string;
}

const { PAGE, putInto }: WritePage = await import(`${root}bench/writePage.mjs`);

const machine = 'Node v20.20.0, 2 cores (Some CPU), linux';
const run = (name: string, day: string, seen: string, met = true) => ({
  name,
  goals: [
    { name: 'W9 a play', seen, limit: '<= 3x', met },
    { name: 'W9 a | b', seen: '4.00 ms', limit: '', met: true },
  ],
  taken: 0.004,
  at: new Date(`${day}T10:00:00Z`),
  machine,
});

test('the page has what a run gave, with its day and machine, and the tables of those that did not run', () => {
  const page = readFileSync(PAGE, 'utf8');
  const first = putInto(page, [run('web', '2026-11-17', '2.00x')], ['store', 'web']);
  const second = putInto(first, [run('store', '2026-11-18', '3.20x', false)], ['store', 'web']);
  const again = putInto(second, [run('web', '2026-11-18', '1.00x')], ['store', 'web']);
  expect(second.slice(second.indexOf('### store'))).toBe(
    [
      '### store, 2026-11-18',
      '',
      `${machine}; the host took 0.4 % of its time.`,
      '',
      '| figure | seen | goal | |',
      '|---|---|---|---|',
      '| W9 a play | 3.20x | <= 3x | missed |',
      '| W9 a \\| b | 4.00 ms |  |  |',
      '',
      first.slice(first.indexOf('### web')),
    ].join('\n'),
  );
  expect(again).toBe(second.replace('### web, 2026-11-17', '### web, 2026-11-18').replace('2.00x', '1.00x'));
});
