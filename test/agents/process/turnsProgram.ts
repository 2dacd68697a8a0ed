import { spawnSync } from 'node:child_process';
import { Semaphore } from '../../../src/utils/Semaphore.js';
import type { TurnsOrder } from './bundle.js';
import { play, registeredProcesses, until } from './hostileAgent.js';

/**
 * A small Huddle of its own, for what can only be seen from outside: its death, its limits, its memory.
 * Plays `behaviour` `count` times, `atOnce` together, and prints the outcome of each turn as a line.
 */
const { behaviour, count, atOnce, pidFile, command, beside } = JSON.parse(
  process.argv[2] ?? '{}',
) as TurnsOrder;

if (beside !== undefined && pidFile !== undefined)
  void until(() => registeredProcesses(pidFile).length > 0).then(() => spawnSync('/bin/sh', ['-c', beside]));

const slots = new Semaphore(atOnce);
const env: Record<string, string> = pidFile === undefined ? {} : { HOSTILE_PIDFILE: pidFile };
await Promise.all(
  Array.from({ length: count }, async () => {
    const leave = await slots.acquire(new AbortController().signal);
    const { outcome } = await play(behaviour, {
      env,
      request: command === undefined ? {} : { command },
    });
    leave?.();
    const result = outcome.kind === 'failed' ? outcome.failure.code : outcome.kind;
    process.stdout.write(`${result}\n`);
  }),
);
process.stdout.write(`peak ${Math.round(process.resourceUsage().maxRSS / 1024)} MB\n`);
