import { homedir, userInfo } from 'node:os';
import { isAbsolute } from 'node:path';
import { describeSystemError } from '../catalogue/errors.js';
import { words } from '../catalogue/words.js';
import { resolveConfigFile, resolveDataFolder } from '../config/resolveDataFolder.js';
import { HuddleError } from '../models/errors.js';
import { readVersion } from '../utils/readVersion.js';
import { sanitizeForTerminal } from '../utils/sanitize.js';
import { type CliContext, exitCodeAfter, type Stop, say, withMore } from './start/CliContext.js';
import type { CliCommand } from './start/command.js';
import { findFolder, type MeantLine, orSeeHelp, readLine } from './start/commandLine.js';
import { EXIT_CODES, exitCodeOfSignal } from './start/exitCodes.js';
import type { FirstPrompt } from './start/FirstPrompt.js';
import { formatHelp } from './start/help.js';
import type { LanguageWish } from './start/language.js';
import { reportError } from './start/reportError.js';
import { chooseLanguage, loadSettings, requireSettings } from './start/settings.js';
import { Project } from './team/Project.js';

/** Runs the command line of this process, maybe behind a prompt that is painted already. */
export async function main(
  args: readonly string[],
  language: LanguageWish,
  firstPrompt?: FirstPrompt,
): Promise<void> {
  const started = createCliContext(firstPrompt);
  let context = started;
  watchOutput(() => context);
  // Whatever slipped through: the watchdog stops the agents when we are gone.
  process.once('uncaughtException', (error) => process.exit(reportError(error, context)));
  process.exitCode = await runProgram(args, language, started, (settled) => {
    context = settled;
  });
}

/**
 * Runs one command line to its exit code. Everything that can go wrong ends here, as a line on stderr. `onSettled` gets the context
 * whenever more is known of it.
 */
export async function runProgram(
  typed: readonly string[],
  language: LanguageWish,
  started: CliContext,
  onSettled: (context: CliContext) => void = () => undefined,
): Promise<number> {
  let context = started;
  const settle = (more: Partial<CliContext>): CliContext => {
    context = withMore(context, more);
    onSettled(context);
    return context;
  };
  const exitCode = await applySettings(language, settle)
    .then(({ settings }) => {
      const { args, workingFolder } = findFolder(typed, context.workingFolder, words);
      return perform(args, settle({ workingFolder, project: new Project(workingFolder, settings.team) }));
    })
    .finally(() => context.firstPrompt?.close())
    .catch((error) => reportError(error, context));
  giveBackTyped(context);
  return exitCodeAfter(context, exitCode);
}

/** Shows what was typed while the program was opening, if it did not open. */
function giveBackTyped(context: CliContext): void {
  const { unheard = '' } = context.firstPrompt ?? {};
  if (unheard !== '') say(context, words.cli.notSent(sanitizeForTerminal(unheard)));
}

/** Reads the settings of the user and chooses what holds for the whole program. */
async function applySettings(
  language: LanguageWish,
  settle: (more: Partial<CliContext>) => CliContext,
): Promise<CliContext> {
  const context = settle(await loadSettings(settle({ languageNamedBy: language.named?.source })));
  await chooseLanguage(language, context.settings);
  return context;
}

function createCliContext(firstPrompt: FirstPrompt | undefined): CliContext {
  const { stdout, stderr, env } = process;
  const homeFolder = findHomeFolder();
  const workingFolder = findWorkingFolder();
  return {
    // Opened when it is read: most commands have no use for it, and opening takes milliseconds.
    get stdin() {
      return process.stdin;
    },
    stdout,
    stderr,
    env,
    workingFolder,
    project: new Project(workingFolder),
    // Asked for when it is needed: much can be done without one.
    get dataFolder() {
      return resolveDataFolder(env, homeFolder);
    },
    userName: findUser().username,
    homeFolder,
    configFile: resolveConfigFile(env, homeFolder),
    settings: {},
    settingsProblems: [],
    stop: new AbortController(),
    host: process,
    firstPrompt,
  };
}

/** The folder may be gone; then the first to look into it says so. */
function findWorkingFolder(): string {
  try {
    return process.cwd();
  } catch {
    return process.env.PWD ?? '/';
  }
}

/** HOME may be set to nothing; the system knows better. */
function findHomeFolder(): string {
  const home = homedir();
  return isAbsolute(home) ? home : findUser().homedir;
}

/** A container may run us under a number that has no name. */
function findUser(): Readonly<Record<'username' | 'homedir', string>> {
  try {
    return userInfo();
  } catch {
    return { username: '', homedir: '' };
  }
}

/** Ends the program quietly if the reader has gone away, and with an error if the disk is full. A broken stderr has no reader. */
function watchOutput(now: () => CliContext): void {
  const { stdout, stderr, stop } = now();
  stderr.on('error', () => undefined);
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (stop.signal.aborted) return;
    const reason: Stop = {
      isOutputGone: true,
      exitCode: error.code === 'EPIPE' ? exitCodeOfSignal('SIGPIPE') : sayCannotWrite(error, now()),
    };
    stop.abort(reason);
    process.exitCode = reason.exitCode;
  });
}

function sayCannotWrite(error: Error, context: CliContext): number {
  const message = words.cli.cannotWrite(describeSystemError(error));
  return reportError(new HuddleError('CANNOT_WRITE', message), context);
}

async function perform(args: readonly string[], context: CliContext): Promise<number> {
  if (args.length === 0) {
    requireSettings(context);
    const { start } = await import('./commands/start.js');
    return start({}, context);
  }
  if (args.length === 1 && args[0] === 'mcp') {
    // As clients start it, and wait for it: all that reading a command line takes would be waited for as well.
    const [{ mcp }, { MCP_DEFAULTS }] = await Promise.all([
      import('./commands/mcp.js'),
      import('./serve/mcpClients.js'),
    ]);
    return mcp(MCP_DEFAULTS, context);
  }
  const { PROGRAM } = await import('./commands.js');
  return performLine(args, PROGRAM, context);
}

/** Does what a command line says. Returns the exit code. */
export function performLine(
  args: readonly string[],
  program: CliCommand,
  context: CliContext,
): Promise<number> {
  const line = readLine(args, program, words);
  return orSeeHelp(line.path, words, () => performMeant(line, program, context));
}

async function performMeant(line: MeantLine, program: CliCommand, context: CliContext): Promise<number> {
  switch (line.kind) {
    case 'version':
      context.stdout.write(`${readVersion()}\n`);
      return EXIT_CODES.done;
    case 'help':
      context.stdout.write(formatHelp(line.command, line.path, words));
      return EXIT_CODES.done;
    case 'incomplete':
      context.stderr.write(formatHelp(line.command, line.path, words));
      return EXIT_CODES.usage;
    case 'command':
      return performCommand(line, program, context);
  }
}

async function performCommand(
  { command, values, before }: Extract<MeantLine, { kind: 'command' }>,
  program: CliCommand,
  context: CliContext,
): Promise<number> {
  if (command.power === 'writes') (await import('./trust/outerTurn.js')).requirePerson(context);
  if (!command.isTolerant) requireSettings(context);
  const perform = await command.load?.();
  if (perform === undefined) return EXIT_CODES.usage;
  // --store may stand before the command as well; the team of a worker elsewhere has a name, not a file.
  const teamFile = values.on === undefined ? values.team : undefined;
  const storeWish = { name: textOf(values.store ?? before.store), teamFile: textOf(teamFile) };
  return perform(values, withMore(context, { storeWish }), program);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
