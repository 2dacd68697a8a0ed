import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { loadTeamFile } from '../../src/config/loadTeamFile.js';
import { digestTeam, fingerprintTeam, trustFolder } from '../../src/config/trust.js';
import { startsProgram } from '../tier.js';

export const root = fileURLToPath(new URL('../..', import.meta.url));
export const program = join(root, 'dist', 'cli', 'huddle.js');
const GIT = execFileSync('/bin/sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
const hostileAgent = join(root, 'test', 'fixtures', 'hostile-agent.mjs');
const quickAgent = join(root, 'test', 'fixtures', 'quick-agent.sh');

/** Loaded when it is first needed, and not known to the types: the tests of the page are checked with those of a browser. */
const IN_PROCESS = './runInProcess.js';

interface InProcess {
  readonly runInProcess: (
    args: readonly string[],
    place: {
      readonly env: Readonly<Record<string, string>>;
      readonly workingFolder: string;
      readonly homeFolder: string;
      readonly userName: string;
    },
    input: string,
  ) => Promise<Finished>;
}

/** A machine for one test: a home, a project to stand in, and a PATH with nothing but Node, git and what is installed on it. */
export interface Machine {
  readonly folder: string;
  readonly project: string;
  readonly env: Readonly<Record<string, string>>;
  /** Puts a file into the project; objects become JSON. */
  write(file: string, content: string | object): string;
  /** Puts the misbehaving agent on PATH under these names. */
  install(...names: readonly string[]): void;
  /** Somebody has trusted the project, and the team file if there is one in it: what `huddle trust --yes` does, without its process. */
  trust(): Promise<void>;
  run(args: readonly string[], options?: RunOptions): Promise<Finished>;
  start(args: readonly string[], options?: RunOptions): ChildProcessWithoutNullStreams;
}

interface RunOptions {
  /** What is on standard input; nothing by default. */
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Another copy of Huddle. */
  readonly program?: string;
  /** As a process of its own, because the process is the subject: its signals, its exit, its bundle. `smoke`: also in the fast tier. */
  readonly spawned?: boolean | 'smoke';
}

export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Removes a folder in which a session that is being ended may still write: what came after the list was made needs a new list. */
function removeFolder(folder: string): void {
  for (let attempt = 1; ; attempt++) {
    try {
      rmSync(folder, { recursive: true, force: true, maxRetries: 1 });
      return;
    } catch (error) {
      if (attempt === 30) throw error;
    }
  }
}

export function createMachine({ hasGit = true } = {}): Machine {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'huddle-cli-')));
  onTestFinished(() => removeFolder(folder));
  const [bin, project] = [join(folder, 'bin'), join(folder, 'project')];
  for (const made of [bin, project]) mkdirSync(made);
  symlinkSync(process.execPath, join(bin, 'node'));
  // No link: a test that puts another one in its place must not write through it.
  if (hasGit) writeFileSync(join(bin, 'git'), `#!/bin/sh\nexec '${GIT}' "$@"\n`, { mode: 0o755 });
  const env = { PATH: bin, HOME: folder, HUDDLE_HOME: join(folder, 'data'), TMPDIR: folder };
  const start: Machine['start'] = (args, options = {}) => {
    if (options.spawned !== 'smoke') startsProgram();
    const child = spawn(process.execPath, [options.program ?? program, ...args], {
      cwd: options.cwd ?? project,
      env: { ...env, ...options.env },
    });
    child.stdin.on('error', () => undefined); // It may end without reading.
    return child;
  };
  return {
    folder,
    project,
    env,
    start,
    write(file, content) {
      const path = join(project, file);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
      return path;
    },
    install(...names) {
      mkdirSync(join(bin, '.hostile'), { recursive: true });
      for (const name of names) {
        symlinkSync(quickAgent, join(bin, name));
        symlinkSync(hostileAgent, join(bin, '.hostile', name));
      }
    },
    trust: async () => {
      const file = join(project, 'huddle.jsonc');
      const team = existsSync(file) ? (await loadTeamFile(file, { interactive: true })).team : undefined;
      const ofTeam = team && { fingerprint: fingerprintTeam(team), fields: digestTeam(team) };
      await trustFolder({ folder: project, ...ofTeam, date: new Date() }, { dataFolder: env.HUDDLE_HOME });
    },
    async run(args, options = {}) {
      const { input = '', cwd = project, spawned = isOfProcess(options) } = options;
      if (!spawned) {
        const place = { workingFolder: cwd, homeFolder: folder, userName: userInfo().username };
        const { runInProcess }: InProcess = await import(IN_PROCESS);
        return runInProcess(args, { ...place, env: { ...env, ...options.env } }, input);
      }
      const child = start(args, options);
      child.stdin.end(input);
      return finished(child);
    },
  };
}

/** Another program, or variables that are read when a process starts. */
function isOfProcess({ program: other, env = {} }: RunOptions): boolean {
  return other !== undefined || Object.keys(env).some((name) => name.startsWith('NODE_') || name === 'TZ');
}

export async function finished(child: ChildProcessWithoutNullStreams): Promise<Finished> {
  const ended = new Promise<Pick<Finished, 'code' | 'signal'>>((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal }));
  });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { ...(await ended), stdout, stderr };
}

/** Resolves when what the stream has said so far matches. */
export function saying(stream: NodeJS.ReadableStream, pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    stream.on('data', (chunk) => {
      said += String(chunk);
      if (pattern.test(said)) resolve(said);
    });
    stream.on('end', () => reject(new Error(`It ended without saying ${pattern}: ${said}`)));
  });
}

/** The team most tests use: one person, and an agent of each kind they need. */
export function teamFile(
  agents: Readonly<Record<string, object>>,
  more: Readonly<Record<string, unknown>> = {},
): object {
  return {
    version: 1,
    members: [
      { name: 'kim', type: 'human' },
      ...Object.entries(agents).map(([name, agent]) => ({ name, type: 'ai', ...agent })),
    ],
    ...more,
  };
}

/** Without what differs from machine to machine and from run to run. */
export function scrub(output: string, { folder }: Machine): string {
  return (
    output
      .replaceAll(folder, '<machine>')
      .replaceAll(/\bgit \d+(?:\.\d+)+/gu, 'git <version>')
      .replaceAll(root.replace(/\/$/u, ''), '<huddle>')
      .replaceAll(process.execPath, '<node>')
      .replaceAll(`process ${process.pid} on ${hostname()}`, 'process <process> on <host>')
      .replaceAll(`${hostname()} 的进程 ${process.pid}`, '<host> 的进程 <process>')
      .replace(/^Huddle [\d.]+, .*$/mu, 'Huddle <version>, Node <version>, <platform>')
      .replace(/^Huddle [\d.]+，.*$/mu, 'Huddle <version>，Node <version>，<platform>')
      .replaceAll(/^( {2}"(?:huddle|node|platform|git)"): ".*"/gmu, '$1: "<version>"')
      // All but the one in the examples of help.
      .replaceAll(/\b(?!20261115-0212-9f3c)\d{8}-\d{4}-[0-9a-f]{4}\b/gu, '<session>')
      .replaceAll(/\b\d{4}-\d\d-\d\d \d\d:\d\d(?::\d\d)?/gu, '<time>')
      .replaceAll(/\bsince \d{4}-\d\d-\d\d\b/gu, 'since <date>')
      .replaceAll(/\d{4}-\d\d-\d\d(?= 起)/gu, '<date>')
      .replaceAll(/("(?:timestamp|startedAt|changedAt|milliseconds)"): \d+/gu, '$1: <time>')
      .replaceAll(/\b[0-9a-f]{64}\b/gu, '<sha256>')
      .replaceAll(/[^\s@"(]*huddle-postgres-\w+/gu, '<server>')
      .replaceAll(/PostgreSQL [\d.]+|(?<="server": ")[\d.]+/gu, 'PostgreSQL <version>')
      .replaceAll(/ed25519:[\w-]{43}/gu, '<key>')
      .replaceAll(
        /\b\d+\.\d s\b|(?<=\b(?:turns? in|turns?,|turn-\d+,|last time:(?: \S+,)?) )\d+ s\b/gu,
        'N s',
      )
      .replaceAll(/(?<=轮，|turn-\d+，)\d+(?:\.\d)?s\b/gu, 'Ns')
      .replaceAll(new RegExp(`\\b${userInfo().username}\\b`, 'gu'), '<user>')
  );
}
