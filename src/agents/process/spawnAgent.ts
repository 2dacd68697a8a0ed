import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { explainLookup } from '../../models/knownPrograms.js';
import type { FailureFacts } from '../../models/TurnOutcome.js';
import { findCommand } from '../../utils/findCommand.js';
import type { Logger } from '../../utils/logger.js';
import { type ControlGroup, createControlGroup } from './controlGroup.js';
import { Descendants } from './Descendants.js';
import { startMarked } from './markedStart.js';
import { OutputChunks, StderrRing } from './OutputChunks.js';
import type { Marks } from './processTable.js';
import { watchdog } from './watchdog.js';

/** The system has none left of something (descriptors, processes, memory); it often has some a moment later. */
const SHORTAGES: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM']);
/** Waits before the second and the third try. */
const RETRY_DELAYS = [100, 400];

/** Becomes the program whose words follow, with its stderr in its stdout. */
const JOINER = ['/bin/sh', '-c', 'exec "$@" 2>&1', 'sh'];

/** The last output of a process may arrive this long after it exited. */
export const DRAIN_MILLISECONDS = 250;

export interface SpawnRequest {
  /** Program and its fixed first words. */
  readonly command: readonly string[];
  readonly args: readonly string[];
  /** Ours adds a mark to it, by which all that the program starts is found. */
  readonly environment: Readonly<Record<string, string>>;
  readonly workingFolder: string;
  /** The folder that the working folder is a copy of. */
  readonly projectFolder?: string | undefined;
  /** Programs inside the project that PATH may lead to. */
  readonly trustedPrograms?: readonly string[];
  /** Its stderr goes into its stdout, in the order in which it writes. */
  readonly joinsOutput?: boolean;
  /** All it will ever read. Absent: stdin stays open, for `write`. */
  readonly stdin?: string;
}

export interface ExitInfo {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A running agent. It leads its own session and process group, so it has no terminal and can be stopped as a whole. */
export interface AgentProcess {
  /** Also the id of its process group. */
  readonly pid: number;
  readonly stdout: OutputChunks;
  readonly stderr: StderrRing;
  readonly descendants: Descendants;
  /** Settles when the process itself is gone; its descendants may live on and hold its pipes. */
  readonly exited: Promise<ExitInfo>;
  /** Settles when the text has been handed over, or never can be: the program does not read any more. */
  write(text: string): Promise<void>;
  closeStdin(): void;
  /** Whether our own process stays for its sake. It does until it is told otherwise. */
  keepUsAlive(isNeeded: boolean): void;
  /** Lets go of all pipes, in which what is still written is lost. */
  release(): void;
  /** Ends the watch over it: nothing of it is left. */
  forget(): void;
}

/** The reason why there is no process. */
export interface SpawnFailed {
  readonly kind: 'failed';
  readonly failure: Extract<FailureFacts, { code: 'AGENT_MISSING' | 'SPAWN' }>;
  /** The folders that were searched, if the program was not found. */
  readonly searched?: readonly string[];
}

export type SpawnResult = { readonly kind: 'started'; readonly agent: AgentProcess } | SpawnFailed;

/** Starts a program, watched over until it is released, and hands it its stdin. The only place where agents' processes are made; no shell reads its words. */
export async function spawnAgent(request: SpawnRequest): Promise<SpawnResult> {
  const [name = ''] = request.command;
  const lookup = findCommand(name, { ...request, path: request.environment.PATH });
  if (lookup.kind !== 'found') {
    const isNowhere = lookup.kind === 'missing' && lookup.passedOver === undefined;
    const searched = isNowhere ? { searched: lookup.searched } : {};
    return { kind: 'failed', failure: explainLookup(name, lookup), ...searched };
  }
  for (let attempt = 0; ; attempt += 1) {
    const result = await trySpawn(lookup.file, request);
    if ('pid' in result) return { kind: 'started', agent: result };
    const wait = RETRY_DELAYS[attempt];
    if (wait === undefined || !SHORTAGES.has(result.code ?? '')) {
      return { kind: 'failed', failure: explainError(name, result, request.workingFolder) };
    }
    await delay(wait);
  }
}

async function trySpawn(file: string, request: SpawnRequest): Promise<AgentProcess | NodeJS.ErrnoException> {
  watchdog.wake();
  const controlGroup = createControlGroup();
  try {
    const [child, marks] = startMarked(({ wrapper, environment }) => {
      const joiner = request.joinsOutput ? JOINER : [];
      const words = [file, ...request.command.slice(1), ...request.args];
      const [program = file, ...args] = [...wrapper, ...joiner, ...words];
      return spawn(program, args, {
        cwd: request.workingFolder,
        env: { ...request.environment, ...environment },
        detached: true,
        stdio: ['pipe', 'pipe', 'pipe'],
      });
    });
    if (child.pid === undefined) {
      const [error]: NodeJS.ErrnoException[] = await once(child, 'error');
      controlGroup?.remove();
      return error ?? new Error('no reason given');
    }
    controlGroup?.admit(child.pid);
    watchdog.watch(child.pid);
    return superviseChild(child, child.pid, { stdin: request.stdin, marks, controlGroup });
  } catch (error) {
    controlGroup?.remove();
    return error as NodeJS.ErrnoException; // `spawn` reports some errno by throwing and others by an event.
  }
}

interface Supervision extends Pick<SpawnRequest, 'stdin'> {
  readonly marks: Marks;
  readonly controlGroup: ControlGroup | undefined;
}

function superviseChild(
  child: ChildProcessByStdio<Writable, Readable, Readable>,
  pid: number,
  { stdin, marks, controlGroup }: Supervision,
): AgentProcess {
  const descendants = new Descendants({
    leader: pid,
    marks,
    controlGroup,
    onFound: (found) => watchdog.note(pid, found),
  });
  const exited = new Promise<ExitInfo>((resolve) => {
    child.on('exit', (code, signal) => {
      descendants.noteExit();
      resolve({ code, signal });
    });
  });
  // EPIPE: the program did not read its prompt. It is judged by what it says, not by what it read.
  child.stdin.on('error', () => child.stdin.destroy());
  child.on('error', () => child.stdin.destroy());
  if (stdin !== undefined) child.stdin.end(stdin);
  const pipes = [child.stdin, child.stdout, child.stderr];
  // Node types the pipes of a child as any streams; they are sockets.
  const sockets = pipes.filter((pipe) => pipe instanceof Socket);
  return {
    pid,
    exited,
    descendants,
    stdout: new OutputChunks(child.stdout),
    stderr: new StderrRing(child.stderr),
    write: (text) => writeAll(child.stdin, text),
    closeStdin: () => child.stdin.destroy(),
    keepUsAlive: (isNeeded) => {
      for (const handle of [child, ...sockets]) isNeeded ? handle.ref() : handle.unref();
    },
    release: () => {
      for (const pipe of pipes) pipe.destroy();
      child.unref();
    },
    forget: () => {
      watchdog.forget(pid);
      controlGroup?.remove();
    },
  };
}

function writeAll(stdin: Writable, text: string): Promise<void> {
  return new Promise((resolve) => {
    stdin.once('close', resolve);
    stdin.write(text, () => {
      stdin.off('close', resolve);
      resolve();
    });
  });
}

/** Folders are many, and only those who look for the reason want to read them. */
export function reportSearch(
  { searched }: SpawnFailed,
  memberName: string,
  logger: Logger | undefined,
): void {
  if (searched !== undefined)
    logger?.debug?.(`${memberName}: not found; searched ${searched.join(', ') || 'an empty PATH'}`);
}

function explainError(
  program: string,
  error: NodeJS.ErrnoException,
  workingFolder: string,
): SpawnFailed['failure'] {
  const errno = error.code ?? error.message;
  if (errno === 'ENOENT' && !statSync(workingFolder, { throwIfNoEntry: false })?.isDirectory())
    return { code: 'SPAWN', reason: 'no-working-folder', folder: workingFolder };
  if (errno === 'ENOENT' || errno === 'EACCES' || errno === 'ENOEXEC')
    return { code: 'AGENT_MISSING', reason: 'not-runnable', program, errno };
  return { code: 'SPAWN', reason: 'not-started', program, errno };
}
