import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { isFull } from '../../soak/isFull.js';
import { hostileCommand } from './hostileAcpAgent.js';

const huddle = fileURLToPath(new URL('../../../dist/cli/huddle.js', import.meta.url));
/** Held, they would not fit into what a turn may take. */
const MEGABYTES = isFull ? 300 : 180;
const MOST_MEGABYTES = 200;
/** Says at the end how much memory the process had at most. */
const SAY_PEAK = `process.on('exit', () => console.error('peak', process.resourceUsage().maxRSS / 1024))`;

test('the memory of a turn does not grow with what its tools are given', { timeout: 60_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'huddle-acp-memory-'));
  try {
    const members = [
      { name: 'kim', type: 'human' },
      {
        name: 'max',
        type: 'ai',
        agentType: 'acp',
        command: hostileCommand('inputs', join(folder, 'pids'), String(MEGABYTES)),
      },
    ];
    writeFileSync(join(folder, 'huddle.jsonc'), JSON.stringify({ version: 1, members }));
    const child = spawn(
      process.execPath,
      ['--import', `data:text/javascript,${SAY_PEAK}`, huddle, 'run', '--trust', 'Go on.'],
      {
        cwd: folder,
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, HUDDLE_HOME: join(folder, 'home') },
      },
    );
    const [[code], errors] = await Promise.all([once(child, 'exit'), text(child.stderr), text(child.stdout)]);
    expect(code).toBe(0);
    expect(Number(/^peak (\d+)/mu.exec(errors)?.[1])).toBeLessThan(MOST_MEGABYTES);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
