import { homedir, userInfo } from 'node:os';
import { isAbsolute } from 'node:path';
import type { Command, CommanderError } from 'commander';
import { words } from '../catalogue/words.js';
import { resolveDataFolder } from '../config/resolveDataFolder.js';
import { HuddleError } from '../models/errors.js';
import { sanitizeForTerminal } from '../utils/sanitize.js';
import { describeSystemError } from '../utils/systemErrors.js';
import { type CliContext, exitCodeAfter, type Stop, say } from './CliContext.js';
import { enterFolder, readCommandLine, requireKnownCommand } from './commandLine.js';
import { EXIT_CODES, exitCodeOfSignal } from './exitCodes.js';
import type { FirstPrompt } from './FirstPrompt.js';
import { reportError, UsageError } from './reportError.js';

/**
 * Runs one command line, maybe behind a prompt that is painted already. Everything that can go wrong ends here as a line on
 * stderr and an exit code.
 */
export async function main(args: readonly string[], firstPrompt?: FirstPrompt): Promise<void> {
  const context = createCliContext(firstPrompt);
  watchOutput(context);
  // Whatever slipped through: the watchdog stops the agents when we are gone.
  process.once('uncaughtException', (error) => process.exit(reportError(error, context)));
  const exitCode = await perform(args, context)
    .finally(() => firstPrompt?.close())
    .catch((error) => reportError(error, context));
  giveBackTyped(context);
  process.exitCode = exitCodeAfter(context, exitCode);
}

/** Shows what was typed while the program was opening, if it did not open. */
function giveBackTyped(context: CliContext): void {
  const { unheard = '' } = context.firstPrompt ?? {};
  if (unheard !== '') say(context, words.cli.notSent(sanitizeForTerminal(unheard)));
}

function createCliContext(firstPrompt: FirstPrompt | undefined): CliContext {
  const { stdin, stdout, stderr, env } = process;
  return {
    stdin,
    stdout,
    stderr,
    env,
    // It may be changed by the command line.
    get workingFolder() {
      return findWorkingFolder();
    },
    // Asked for when it is needed: much can be done without one.
    get dataFolder() {
      return resolveDataFolder(env, findHomeFolder());
    },
    userName: findUser().username,
    settings: {},
    stop: new AbortController(),
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
function watchOutput(context: CliContext): void {
  const { stdout, stderr, stop } = context;
  stderr.on('error', () => undefined);
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (stop.signal.aborted) return;
    const reason: Stop = {
      isOutputGone: true,
      exitCode: error.code === 'EPIPE' ? exitCodeOfSignal('SIGPIPE') : sayCannotWrite(error, context),
    };
    stop.abort(reason);
    process.exitCode = reason.exitCode;
  });
}

function sayCannotWrite(error: Error, context: CliContext): number {
  const message = words.cli.cannotWrite(describeSystemError(error));
  return reportError(new HuddleError('CANNOT_WRITE', message), context);
}

async function perform(typed: readonly string[], context: CliContext): Promise<number> {
  const args = enterFolder(typed);
  if (args.length === 0) {
    const { start } = await import('./commands/start.js');
    return start({}, context);
  }
  const { CommanderError, createProgram } = await import('./program.js');
  let exitCode: number = EXIT_CODES.done;
  const program = createProgram(context, (code) => {
    exitCode = code;
  });
  const line = readCommandLine(args, program);
  try {
    requireKnownCommand(line, program);
    await program.parseAsync(line.args, { from: 'user' });
    return exitCode;
  } catch (error) {
    const isCommander = error instanceof CommanderError;
    if (isCommander && error.exitCode === 0) return EXIT_CODES.done;
    if (isCommander && error.code === 'commander.help') return EXIT_CODES.usage;
    if (!isCommander && !(error instanceof UsageError)) throw error;
    const message = isCommander ? describeCommanderError(error) : error.message;
    const command = ['huddle', ...commandsIn(line.operands, program)].join(' ');
    throw new UsageError(`${message} ${words.cli.seeHelp(command)}`);
  }
}

/** `error: unknown option '--x'\n(Did you mean --y?)` → one line without the prefix. */
function describeCommanderError({ code, message }: CommanderError): string {
  const line = message
    .replace(/^error: /u, '')
    .replaceAll(/\s*\n\s*/gu, ' ')
    .replace(/[^.]$/u, '$&.');
  return code === 'commander.excessArguments' ? `${line} ${words.cli.textWithSpaces}` : line;
}

/** The words that name a command: `team check`. */
function commandsIn([word = '', ...rest]: readonly string[], { commands }: Command): readonly string[] {
  const command = commands.find((candidate) => candidate.name() === word);
  return command === undefined ? [] : [word, ...commandsIn(rest, command)];
}
