import { spawn } from 'node:child_process';
import { explainLookup } from '../../models/knownPrograms.js';
import type { FailureFacts } from '../../models/TurnOutcome.js';
import { findCommand } from '../../utils/findCommand.js';

export interface SetupRun {
  /** Program and arguments. */
  readonly command: readonly string[];
  readonly folder: string;
  /** The folder that it is a copy of. */
  readonly projectFolder: string;
  /** Programs inside the project that PATH may lead to. */
  readonly trustedPrograms: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal | undefined;
}

const MOST_MINUTES = 10;
/** Bytes of its output that are kept, from the end. */
const MOST_SAID = 4096;

export interface SetupFailure {
  /** The end of what it said, or the words of the system. */
  readonly detail: string;
  /** The program was not started. */
  readonly failure?: FailureFacts;
}

/** Runs a program in a new copy, found as those of agents are. Resolves with what went wrong. */
export async function runSetup(setup: SetupRun): Promise<SetupFailure | undefined> {
  const { command, folder: workingFolder, projectFolder, trustedPrograms, env } = setup;
  const [program = ''] = command;
  const lookup = findCommand(program, { path: env.PATH, workingFolder, projectFolder, trustedPrograms });
  if (lookup.kind !== 'found') {
    const errno = lookup.kind === 'missing' ? 'ENOENT' : 'EACCES';
    return { detail: `${program}: ${errno}`, failure: explainLookup(program, lookup) };
  }
  const detail = await runProgram(lookup.file, setup);
  return detail === undefined ? undefined : { detail };
}

function runProgram(file: string, { command, folder, env, signal }: SetupRun): Promise<string | undefined> {
  const [program = '', ...args] = command;
  return new Promise((resolve) => {
    // A group of its own, so that everything it starts ends with it.
    const child = spawn(file, args, {
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
