// Has V8 compile the bundled program, so that its commands start without that work; see docs/decisions/command-line.md.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const recorder = fileURLToPath(new URL('recordCode.mjs', import.meta.url));

const TEAM = {
  version: 1,
  members: [
    { name: 'kim', type: 'human' },
    { name: 'ada', type: 'ai', agentType: 'command', command: ['sh', '-c', 'cat >/dev/null; echo done'] },
  ],
};

/** Runs the commands whose functions are to be compiled, in a home of their own. */
export function compileProgram() {
  const home = mkdtempSync(join(tmpdir(), 'huddle-build-'));
  try {
    const project = join(home, 'project');
    mkdirSync(project);
    writeFileSync(join(project, 'huddle.jsonc'), JSON.stringify(TEAM));
    const { status, stderr } = spawnSync(process.execPath, [recorder], {
      cwd: project,
      env: { PATH: process.env.PATH, HOME: home, HUDDLE_HOME: join(home, 'data') },
      encoding: 'utf8',
    });
    // It is only slower without.
    if (status !== 0) process.stderr.write(`The program is left uncompiled:\n${stderr}`);
  } finally {
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  }
}
