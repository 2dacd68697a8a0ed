import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { makeTemporaryFolder } from '../config/temporaryFolder.js';
import { GIT_ENVIRONMENT, runTestGit } from './repository.js';

/** How far a process is that works in a folder, as it and its git say. */
export interface Phases {
  /** A pipe that the process says its own phases into. */
  readonly pipe: string;
  /** A PATH with a git in front of the real one that says when contents are kept, and when that is done: the lines come next. */
  readonly path: string;
  /** Resolves when a phase has begun, with the time. */
  begin(phase: string): Promise<number>;
  /** Resolves with the last phase, when everything that was said is read. Nothing is heard afterwards. */
  end(): Promise<string | undefined>;
}

const END = 'end';

export async function watchPhases(): Promise<Phases> {
  const folder = makeTemporaryFolder();
  const pipe = join(folder, 'phases');
  execFileSync('mkfifo', [pipe]);
  const git = join(runTestGit('/', ['--exec-path']).trim(), 'git');
  writeFileSync(
    join(folder, 'git'),
    `#!/bin/sh
case " $* " in
  *' cat-file --batch '*) echo keeping >>'${pipe}' ;;
  *' diff-tree '*) echo kept >>'${pipe}' ;;
esac
exec '${git}' "$@"
`,
    { mode: 0o755 },
  );
  // Opened for both, it never ends.
  const reader = spawn('/bin/sh', ['-c', `exec cat <>'${pipe}'`], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void reader.kill('SIGKILL'));
  await once(reader, 'spawn');
  const said: string[] = [];
  const times: number[] = [];
  const heard = new EventTarget();
  createInterface({ input: reader.stdout }).on('line', (line) => {
    said.push(line);
    times.push(performance.now());
    heard.dispatchEvent(new Event('line'));
  });
  const hear = async (line: string): Promise<void> => {
    while (!said.includes(line)) await once(heard, 'line');
  };
  return {
    pipe,
    path: `${folder}:${GIT_ENVIRONMENT.PATH}`,
    begin: async (phase) => {
      await hear(phase);
      return times[said.indexOf(phase)] ?? 0;
    },
    end: async () => {
      appendFileSync(pipe, `${END}\n`);
      await hear(END);
      reader.kill('SIGKILL');
      return said[said.indexOf(END) - 1];
    },
  };
}
