// W6: how long until somebody who types `huddle` can type on, and until they are heard, over starting bare Node; all in a
// terminal, in wall time.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** In the last line of the first screen, under the editor. */
const PAINTED = 'opening';
const READY = 'ready';
const CTRL_D = '\x04';

/** A team of two that somebody trusts, and the contenders, each to be timed once by calling it. */
export function prepareFirstPrompt(program) {
  const folder = mkdtempSync(join(tmpdir(), 'huddle-bench-'));
  const project = join(folder, 'project');
  mkdirSync(project);
  const members = [
    { name: 'kim', type: 'human' },
    { name: 'max', type: 'ai', agentType: 'claude' },
    { name: 'sarah', type: 'ai', agentType: 'codex' },
  ];
  writeFileSync(join(project, 'huddle.jsonc'), JSON.stringify({ version: 1, members }));
  const { PATH } = process.env;
  const env = { PATH, HOME: folder, HUDDLE_HOME: join(folder, 'data'), TERM: 'xterm-256color' };
  spawnSync(process.execPath, [program, 'trust', '--yes'], { cwd: project, env, stdio: 'ignore' });
  return {
    timeBare: () => timeInTerminal(['-e', '0'], { cwd: project, env }),
    timePrompt: () => timeInTerminal([program], { cwd: project, env }, PAINTED),
    timeReady: () => timeInTerminal([program], { cwd: project, env }, READY),
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Until it has ended, or until it has painted something. */
function timeInTerminal(args, options, painted) {
  const command = `exec ${[process.execPath, ...args].join(' ')}`;
  const start = performance.now();
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    ...options,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    let shown = '';
    let milliseconds = 0;
    child.stdout.on('data', (chunk) => {
      shown += chunk;
      if (painted === undefined || milliseconds > 0 || !shown.includes(painted)) return;
      milliseconds = performance.now() - start;
      child.stdin.write(CTRL_D);
    });
    child.on('error', reject);
    child.on('exit', () => {
      if (painted !== undefined && milliseconds === 0) reject(new Error(`It never painted: ${shown}`));
      else resolve(milliseconds || performance.now() - start);
    });
  });
}
