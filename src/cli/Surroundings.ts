import { once } from 'node:events';
import type { ReadStream, WriteStream } from 'node:tty';
import type { EarlyTerminal } from '../frontends/tui/EarlyTerminal.js';
import type { AnyIterable } from '../utils/AnyIterable.js';
import { formatJson } from '../utils/formatJson.js';
import { sanitizeForTerminal } from '../utils/sanitize.js';

/** Everything outside the program that a command may touch; handed in, so that none of it is global. */
export interface Surroundings {
  readonly stdin: ReadStream & { readonly fd: number };
  readonly stdout: WriteStream;
  readonly stderr: WriteStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly workingFolder: string;
  /** Where Huddle keeps what must last. */
  readonly dataFolder: string;
  readonly userName: string;
  /** Aborted with a `Stop` when the program has to end early. */
  readonly stop: AbortController;
  /** Where somebody can type already, before there is a conversation. */
  readonly terminal?: EarlyTerminal | undefined;
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
export function say({ stderr, terminal }: Surroundings, line: string): void {
  if (terminal?.isOpen && stderr.isTTY) terminal.say(line);
  else stderr.write(`${line}\n`);
}

/** Results. */
export function print({ stdout }: Surroundings, line: string): void {
  stdout.write(`${line}\n`);
}

/** Results for programs. */
export function printJson(surroundings: Surroundings, value: unknown): void {
  print(surroundings, formatJson(value, 2));
}

/** Long results, as fast as they are read: byte for byte, except on a screen, where they are made harmless. */
export async function printPieces(surroundings: Surroundings, pieces: AnyIterable<string>): Promise<void> {
  const { stdout, stop } = surroundings;
  for await (const piece of pieces) {
    if (stop.signal.aborted) return;
    const hasRoom = stdout.write(stdout.isTTY ? sanitizeForTerminal(piece) : piece);
    // Whoever watches the output hears of its errors and aborts; here there is only nothing left to do.
    if (!hasRoom) await once(stdout, 'drain', { signal: stop.signal }).catch(() => undefined);
  }
}
