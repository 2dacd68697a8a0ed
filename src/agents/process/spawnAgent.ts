import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { describeMissingProgram } from '../../models/missingProgram.js';
import type { TurnFailure } from '../../models/TurnOutcome.js';
import type { Logger } from '../../utils/logger.js';
import { type ControlGroup, createControlGroup } from './controlGroup.js';
import { Descendants } from './Descendants.js';
import { findCommand } from './findCommand.js';
import { startMarked } from './markedStart.js';
import { OutputChunks } from './OutputChunks.js';
import type { Marks } from './processTable.js';
import { StderrRing } from './StderrRing.js';
import { watchdog } from './watchdog.js';

/** The system has none left of something (descriptors, processes, memory); it often has some a moment later. */
const SHORTAGES: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM']);
/** Waits before the second and the third try. */
const RETRY_DELAYS = [100, 400];

/** What a process wrote last may arrive this long after it exited. */
export const DRAIN_MILLISECONDS = 250;

export interface SpawnRequest {
  /** Program and its fixed first words. */
  readonly command: readonly string[];
  readonly args: readonly string[];
  /** Ours adds a mark to it, by which all that the program starts is found. */
  readonly environment: Readonly<Record<string, string>>;
  readonly workingFolder: string;
  /** Programs inside the project that PATH may lead to. */
  readonly trustedPrograms?: readonly string[];
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

export type SpawnFailure = Pick<TurnFailure, 'message' | 'hint'> & {
  readonly code: 'AGENT_MISSING' | 'SPAWN';
  /** Where the program was looked for, when it was not found. */
  readonly searched?: readonly string[];
};

export type SpawnResult =
  | { readonly kind: 'started'; readonly agent: AgentProcess }
  | { readonly kind: 'failed'; readonly failure: SpawnFailure };

/** Starts a program, watched over until it is released, and hands it its stdin. The only place where agents' processes are made; never through a shell. */
export async function spawnAgent(request: SpawnRequest): Promise<SpawnResult> {
  const [name = ''] = request.command;
  const { environment, workingFolder, trustedPrograms } = request;
  const lookup = findCommand(name, { path: environment.PATH, workingFolder, trustedPrograms });
  if (lookup.kind !== 'found') return { kind: 'failed', failure: describeLookup(name, lookup) };
  for (let attempt = 0; ; attempt += 1) {
    const result = await trySpawn(lookup.file, request);
    if ('pid' in result) return { kind: 'started', agent: result };
    const wait = RETRY_DELAYS[attempt];
    if (wait === undefined || !SHORTAGES.has(result.code ?? '')) {
      return { kind: 'failed', failure: describeError(name, result, request.workingFolder) };
    }
    await delay(wait);
  }
}

async function trySpawn(file: string, request: SpawnRequest): Promise<AgentProcess | NodeJS.ErrnoException> {
  watchdog.wake();
  const controlGroup = createControlGroup();
  try {
    const [child, marks] = startMarked(({ wrapper, environment }) => {
      const [program = file, ...args] = [...wrapper, file, ...request.command.slice(1), ...request.args];
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
  return {
    pid,
    exited,
    descendants,
    stdout: new OutputChunks(child.stdout),
    stderr: new StderrRing(child.stderr),
    write: (text) => writeAll(child.stdin, text),
    closeStdin: () => child.stdin.destroy(),
    keepUsAlive: (isNeeded) => {
      for (const handle of [child, ...socketsOf(child)]) isNeeded ? handle.ref() : handle.unref();
    },
    release: () => {
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
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

/** Node types the pipes of a child as any streams; they are sockets. */
function socketsOf({ stdin, stdout, stderr }: ChildProcessByStdio<Writable, Readable, Readable>): Socket[] {
  return [stdin, stdout, stderr].filter((stream) => stream instanceof Socket);
}

function describeLookup(
  name: string,
  lookup: Exclude<ReturnType<typeof findCommand>, { kind: 'found' }>,
): SpawnFailure {
  if (lookup.kind === 'not-executable') {
    return {
      code: 'AGENT_MISSING',
      message: `${lookup.file} is not executable`,
      hint: `Run: chmod +x ${lookup.file}`,
    };
  }
  if (lookup.passedOver !== undefined) {
    return {
      code: 'AGENT_MISSING',
      message: `${name} is only inside this project, and was not started: ${lookup.passedOver}`,
      hint: 'Review it, then run: huddle trust',
    };
  }
  return { code: 'AGENT_MISSING', ...describeMissingProgram(name), searched: lookup.searched };
}

/** Folders are many, and only those who look for the reason want to read them. */
export function reportSearch(
  { message, searched }: Pick<SpawnFailure, 'message' | 'searched'>,
  memberName: string,
  logger: Logger | undefined,
): void {
  if (searched !== undefined)
    logger?.debug?.(`${memberName}: ${message}; searched ${searched.join(', ') || 'an empty PATH'}`);
}

interface ErrnoText {
  readonly code: SpawnFailure['code'];
  readonly what: string;
  readonly hint: string;
}

const ERRNO_TEXTS: Readonly<Record<string, ErrnoText>> = {
  ENOENT: {
    code: 'AGENT_MISSING',
    what: 'is there, but the interpreter named in its first line is not',
    hint: 'Install it again, or install its interpreter.',
  },
  EACCES: { code: 'AGENT_MISSING', what: 'is not executable', hint: 'Check the permissions of the program.' },
  ENOEXEC: { code: 'AGENT_MISSING', what: 'is not a program this system can run', hint: 'Install it again.' },
  E2BIG: {
    code: 'SPAWN',
    what: 'could not be started: its arguments and environment are too long',
    hint: 'Shorten the system text or the environment.',
  },
};

const OTHER_ERRNO: ErrnoText = {
  code: 'SPAWN',
  what: 'could not be started',
  hint: 'Close other programs or raise the limits (ulimit -n, ulimit -u), then try again.',
};

function describeError(name: string, error: NodeJS.ErrnoException, workingFolder: string): SpawnFailure {
  const errno = error.code ?? error.message;
  if (errno === 'ENOENT' && !statSync(workingFolder, { throwIfNoEntry: false })?.isDirectory()) {
    return { code: 'SPAWN', message: `the working folder ${workingFolder} is not there`, hint: 'Create it.' };
  }
  const { code, what, hint } = ERRNO_TEXTS[errno] ?? OTHER_ERRNO;
  return { code, message: `${name} ${what} (${errno})`, hint };
}
