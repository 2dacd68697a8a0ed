import { closeSync, openSync } from 'node:fs';

/**
 * For a terminal that is gone. When Node ends it puts the modes of its terminal back, and aborts where that fails; with
 * nothing in the place of the terminal it ends like any other program.
 */
export function releaseTerminal(): void {
  [process.stdin, process.stdout, process.stderr].forEach((stream, descriptor) => {
    if (!stream.isTTY) return;
    closeSync(descriptor);
    // Takes the lowest number that is free, which is the one just closed.
    openSync('/dev/null', 'r+');
  });
}
