import { spawn } from 'node:child_process';
import { findCommand } from '../../utils/findCommand.js';
import type { CliContext } from '../start/CliContext.js';

/** Programs that open an address in the browser of the user. */
const OPENERS = process.platform === 'darwin' ? ['open'] : ['xdg-open', 'wslview', 'x-www-browser'];

/** Opens an address in the browser of the user. Returns whether there is a program for it. Others can read the address. */
export function openInBrowser(address: string, { env, workingFolder }: CliContext): boolean {
  const opener = OPENERS.map((name) => findCommand(name, { path: env.PATH, workingFolder })).find(
    ({ kind }) => kind === 'found',
  );
  if (opener?.kind !== 'found') return false;
  const child = spawn(opener.file, [address], { stdio: 'ignore', detached: true });
  // The address stands in the terminal, too.
  child.on('error', () => undefined);
  child.unref();
  return true;
}
