import type { ReadStream, WriteStream } from 'node:tty';

/** Everything outside the program that a command may touch; handed in, so that none of it is global. */
export interface Surroundings {
  readonly stdin: ReadStream;
  readonly stdout: WriteStream;
  readonly stderr: WriteStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly workingFolder: string;
  /** Where Huddle keeps what must last. */
  readonly dataFolder: string;
  readonly userName: string;
  /** Aborted with a `Stop` when the program has to end early. */
  readonly stop: AbortController;
}

/** Why the program ends before its work is done. */
export interface Stop {
  readonly exitCode: number;
  /** Results cannot be written any more. */
  readonly isOutputGone?: boolean;
}

export function stopOf({ stop: { signal } }: Surroundings): Stop | undefined {
  return signal.aborted ? signal.reason : undefined;
}

/** The exit code that stopping asks for, or the one the work came to. */
export function exitCodeAfter(surroundings: Surroundings, exitCode: number): number {
  return stopOf(surroundings)?.exitCode ?? exitCode;
}

/** A line for people, beside the results. */
export function say({ stderr }: Surroundings, line: string): void {
  stderr.write(`${line}\n`);
}

/** Results. */
export function print({ stdout }: Surroundings, line: string): void {
  stdout.write(`${line}\n`);
}
