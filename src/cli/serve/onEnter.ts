import { readFileSync } from 'node:fs';
import type { CliContext } from '../start/CliContext.js';

/** Whether lines can be typed here: in the background, reading from the terminal would stop the process (`huddle web &`). */
export function canType({ stdin }: Pick<CliContext, 'stdin'>): boolean {
  return stdin.isTTY === true && !isInBackground();
}

/** Calls back for every line that is typed, until the program has to end. */
export function onEnter({ stdin, stop }: Pick<CliContext, 'stdin' | 'stop'>, call: () => void): void {
  stdin.on('data', (typed: Buffer) => {
    if (typed.includes('\n')) call();
  });
  // A question that was asked before has stopped it; and a shell may move us to the background and back (Ctrl-Z, bg, fg).
  const listen = () => (isInBackground() ? stdin.pause() : stdin.resume());
  listen();
  process.on('SIGCONT', listen);
  stop.signal.addEventListener(
    'abort',
    () => {
      process.off('SIGCONT', listen);
      stdin.destroy();
    },
    { once: true },
  );
}

/** Whether the terminal belongs to another group of processes. */
function isInBackground(): boolean {
  try {
    // Behind the name, which may have blanks in it: state, parent, group, session, terminal, group of the terminal.
    const fields = readFileSync('/proc/self/stat', 'latin1')
      .replace(/^.*\) /su, '')
      .split(' ');
    return fields[2] !== fields[5];
  } catch {
    return false; // Only Linux tells; elsewhere we read, as most programs do.
  }
}
