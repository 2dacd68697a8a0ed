import { once } from 'node:events';
import type { ReadStream, WriteStream } from 'node:tty';
import type { TeamProblem } from '../../models/TeamProblem.js';
import type { UserSettings } from '../../models/UserSettings.js';
import type { AnyIterable } from '../../utils/AnyIterable.js';
import { formatJson } from '../../utils/formatJson.js';
import { sanitizeForTerminal } from '../../utils/sanitize.js';
import type { Project, StoreWish } from '../team/Project.js';
import type { FirstPrompt } from './FirstPrompt.js';

/** Everything outside the program that a command may touch; handed in, so that none of it is global. */
export interface CliContext {
  readonly stdin: ReadStream & { readonly fd: number };
  readonly stdout: WriteStream;
  readonly stderr: WriteStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly workingFolder: string;
  /** That of the working folder. */
  readonly project: Project;
  /** Huddle's own folder, for what must last. */
  readonly dataFolder: string;
  readonly userName: string;
  /** The user's own, where there is one. */
  readonly homeFolder: string;
  /** Path of the file with the settings of the user, whether it exists or not; absent without a home folder. */
  readonly configFile?: string;
  /** Settings of the user for all folders; none if their file is not valid. */
  readonly settings: UserSettings;
  /** The option or variable that names the language, if one does. */
  readonly languageNamedBy?: string | undefined;
  /** Everything that is wrong with that file. */
  readonly settingsProblems: readonly TeamProblem[];
  /** The wish of the command line about where sessions are; `chooseStore` decides. */
  readonly storeWish?: StoreWish;
  /** So many milliseconds the server of a shared store may take to let us in, and for an answer. Default: seconds. */
  readonly storePatience?: number;
  /** Aborted with a `Stop` when the program has to end early. */
  readonly stop: AbortController;
  /** The process that the program runs in. */
  readonly host: HostProcess;
  /** On the screen before there is a conversation. */
  readonly firstPrompt?: FirstPrompt | undefined;
  /** Hears the lines for people where no one reads standard error, and no one can be asked. */
  readonly hear?: (line: string) => void;
}

/** The context with more. What is made when it is asked for stays so. */
export function withMore<More extends Partial<CliContext>>(
  context: CliContext,
  more: More,
): CliContext & More {
  const descriptors = {
    ...Object.getOwnPropertyDescriptors(context),
    ...Object.getOwnPropertyDescriptors(more),
  };
  return Object.defineProperties({}, descriptors) as CliContext & More;
}

/** Signals and the end of a process; that of the program is `process`. */
export type HostProcess = Pick<NodeJS.Process, 'on' | 'off' | 'removeAllListeners' | 'exit'>;

/** Reason to end the program before its work is done. */
export interface Stop {
  readonly exitCode: number;
  /** Results cannot be written any more. */
  readonly isOutputGone?: boolean;
}

export function stopOf({ stop: { signal } }: CliContext): Stop | undefined {
  return signal.aborted ? signal.reason : undefined;
}

/** The exit code that stopping asks for, or the one the work came to. */
export function exitCodeAfter(context: CliContext, exitCode: number): number {
  return stopOf(context)?.exitCode ?? exitCode;
}

/** Prints a line for people, apart from the results. */
export function say({ stderr, firstPrompt, hear }: CliContext, line: string): void {
  if (hear !== undefined) hear(line);
  else if (!stderr.isTTY || !firstPrompt?.say(line)) stderr.write(`${line}\n`);
}

/** Prints results. */
export function print({ stdout }: CliContext, line: string): void {
  stdout.write(`${line}\n`);
}

/** Prints results for programs. */
export function printJson(context: CliContext, value: unknown): void {
  print(context, formatJson(value, 2));
}

/** Prints long results, as fast as they are read: byte for byte, except on a screen, where they are made harmless unless they are. */
export async function printPieces(
  context: CliContext,
  pieces: AnyIterable<string>,
  { isHarmless = false }: { readonly isHarmless?: boolean } = {},
): Promise<void> {
  const { stdout, stop } = context;
  for await (const piece of pieces) {
    if (stop.signal.aborted) return;
    const hasRoom = stdout.write(stdout.isTTY && !isHarmless ? sanitizeForTerminal(piece) : piece);
    // `watchOutput` hears of errors and aborts; nothing is left to do here.
    if (!hasRoom) await once(stdout, 'drain', { signal: stop.signal }).catch(() => undefined);
  }
}
