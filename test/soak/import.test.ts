import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { numberFacts } from '../../src/store/numberFacts.js';
import { createMachine } from '../cli/runHuddle.js';
import { message, start } from '../store/facts.js';
import { isFull } from './isFull.js';

const MEGABYTES = isFull ? 100 : 2;
const LONG_TEXT = 'x'.repeat(256 * 1024);
/** Loaded before the program: says at its end how much memory it took at most. What `getrusage` tells counts the parent too. */
const REPORT = `process.on('exit', () => {
  const { readFileSync, writeSync } = require('node:fs');
  writeSync(2, /VmHWM:.*/.exec(readFileSync('/proc/self/status', 'utf8'))[0]);
});`;

test(`a log of ${MEGABYTES} MB is imported in bounded memory`, { timeout: 120_000 }, async () => {
  const machine = createMachine();
  const log = join(machine.project, 'log.jsonl');
  const facts = [
    start(),
    ...Array.from({ length: MEGABYTES * 4 }, (_, index) => message(index + 1, LONG_TEXT)),
  ];
  for (const event of numberFacts(facts, 0, 1)) appendFileSync(log, `${JSON.stringify(event)}\n`);
  const preloaded = join(machine.folder, 'report.cjs');
  writeFileSync(preloaded, REPORT);
  const { code, stderr } = await machine.run(['import', log], {
    env: { NODE_OPTIONS: `--require=${preloaded}` },
  });
  expect(code).toBe(0);
  const peak = Math.round(Number(/VmHWM:\s*(\d+)/u.exec(stderr)?.[1]) / 1024);
  console.info(`import of ${MEGABYTES} MB: ${peak} MB at most`);
  if (isFull) expect(peak).toBeLessThan(3 * MEGABYTES);
  else expect(peak).toBeGreaterThan(0);
});
