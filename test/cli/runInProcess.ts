import { EventEmitter } from 'node:events';
import { createReadStream, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { english } from '../../src/catalogue/english.js';
import { speak } from '../../src/catalogue/words.js';
import { runProgram } from '../../src/cli/main.js';
import type { CliContext } from '../../src/cli/start/CliContext.js';
import { readLanguage } from '../../src/cli/start/language.js';
import { Project } from '../../src/cli/team/Project.js';
import { resolveConfigFile, resolveDataFolder } from '../../src/config/resolveDataFolder.js';

/** The machine that a program believes to run on. */
export interface ProgramPlace {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly workingFolder: string;
  readonly homeFolder: string;
  readonly userName: string;
}

export interface ProgramRun {
  readonly code: number;
  readonly signal: null;
  readonly stdout: string;
  readonly stderr: string;
}

let before: Promise<unknown> = Promise.resolve();

/**
 * Runs a command line in the process of the test, as `main` does in its own: with streams that are no terminal, and `input` in a
 * file as standard input. One after the other, since the language is one of the process.
 */
export function runInProcess(
  args: readonly string[],
  place: ProgramPlace,
  input: string,
): Promise<ProgramRun> {
  const run = before.then(() => runAlone(args, place, input));
  before = run.catch(() => undefined);
  return run;
}

async function runAlone(
  args: readonly string[],
  { env, ...place }: ProgramPlace,
  input: string,
): Promise<ProgramRun> {
  const folder = mkdtempSync(join(tmpdir(), 'huddle-stdin-'));
  const file = join(folder, 'stdin');
  writeFileSync(file, input);
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const said = Promise.all([text(stdout), text(stderr)]);
  const context = {
    // Commands ask for its descriptor, to know what kind of input it is.
    stdin: createReadStream('', { fd: openSync(file, 'r') }) as unknown as CliContext['stdin'],
    stdout: stdout as unknown as CliContext['stdout'],
    stderr: stderr as unknown as CliContext['stderr'],
    env,
    ...place,
    project: new Project(place.workingFolder),
    get dataFolder() {
      return resolveDataFolder(env, place.homeFolder);
    },
    configFile: resolveConfigFile(env, place.homeFolder),
    settings: {},
    settingsProblems: [],
    stop: new AbortController(),
    host: Object.assign(new EventEmitter(), { exit: () => undefined }) as unknown as CliContext['host'],
  } satisfies CliContext;
  try {
    const { rest, wish } = readLanguage(args, env);
    const code = await runProgram(rest, wish, context);
    stdout.end();
    stderr.end();
    const [out, errors] = await said;
    return { code, signal: null, stdout: out, stderr: errors };
  } finally {
    context.stdin.destroy();
    speak(english);
    rmSync(folder, { recursive: true, force: true });
  }
}
