import { spawn } from 'node:child_process';

export interface SetupRun {
  /** Program and arguments. */
  readonly command: readonly string[];
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal | undefined;
}

const MOST_MINUTES = 10;
/** Bytes of its output that are kept, from the end. */
const MOST_SAID = 4096;

/** Runs a program in a new copy. Resolves with the end of what it said if it failed. */
export function runSetup({ command, folder, env, signal }: SetupRun): Promise<string | undefined> {
  const [program = '', ...args] = command;
  return new Promise((resolve) => {
    // A group of its own, so that everything it starts ends with it.
    const child = spawn(program, args, {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    let said = '';
    const hear = (chunk: Buffer): void => {
      said = (said + chunk.toString('utf8')).slice(-MOST_SAID);
    };
    let ended: string | undefined;
    const stop = (why: string): void => {
      ended ??= why;
      endGroup(child.pid);
    };
    const stopAborted = (): void => stop('stopped');
    const timer = setTimeout(() => stop(`took longer than ${MOST_MINUTES} minutes`), MOST_MINUTES * 60_000);
    const finish = (failure: string | undefined): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stopAborted);
      resolve(failure === undefined ? undefined : `${program}: ${[failure, said.trim()].join('\n').trim()}`);
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.on('error', ({ message }) => finish(message));
    child.on('close', (code, kill) => {
      endGroup(child.pid);
      if (ended !== undefined) finish(ended);
      else finish(code === 0 ? undefined : `ended with ${code === null ? kill : `code ${code}`}`);
    });
    signal?.addEventListener('abort', stopAborted, { once: true });
    if (signal?.aborted) stopAborted();
  });
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Nothing of it is left.
  }
}
