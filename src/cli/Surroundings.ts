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
}

/** The exit code that stopping asks for, or the one the work came to. */
export function exitCodeAfter({ stop: { signal } }: Surroundings, exitCode: number): number {
  const reason: Stop | undefined = signal.aborted ? signal.reason : undefined;
  return reason?.exitCode ?? exitCode;
}

/** A line for people, beside the results. */
export function say({ stderr }: Surroundings, line: string): void {
  stderr.write(`${line}\n`);
}

/** Results. */
export function print({ stdout }: Surroundings, line: string): void {
  stdout.write(`${line}\n`);
}
