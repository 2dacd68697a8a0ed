import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { words } from '../../catalogue/words.js';
import { USUAL_PORT } from '../../frontends/web/listen.js';
import type { ListeningServer, WebOptions } from '../../frontends/web/runWeb.js';
import { findCommand } from '../../utils/findCommand.js';
import { type CliContext, print, say } from '../start/CliContext.js';

interface Announcement {
  /** Path of the page that is opened first. */
  readonly path: string;
  readonly port?: number | undefined;
  readonly open?: boolean | undefined;
  readonly watchOnly?: boolean | undefined;
}

/** Tells the terminal where the server is, whom it lets in, and a new code whenever one was used or Enter is pressed. */
export function tellOfServer(
  { path, port: wanted, open, watchOnly = false }: Announcement,
  context: CliContext,
): Pick<WebOptions, 'onListening' | 'onLetIn'> {
  const { webDoor } = words;
  let listening: ListeningServer | undefined;
  const addressOf = ({ port }: ListeningServer) => `http://127.0.0.1:${port}${path}`;
  /** Prints the address with a new code. */
  const printAddress = (
    server: ListeningServer,
    sentence = watchOnly ? webDoor.watchAddress : webDoor.address,
  ) => {
    const code = server.invite();
    print(context, sentence(`${addressOf(server)}#code=${code}`));
    return code;
  };
  return {
    onListening(server) {
      listening = server;
      if (wanted === undefined && server.port !== USUAL_PORT)
        say(context, webDoor.otherPort(USUAL_PORT, server.port));
      const code = printAddress(server);
      say(context, canType(context) ? webDoor.onceOrEnter : webDoor.once);
      if (open)
        say(context, openInBrowser(addressOf(server), context) ? webDoor.opened(code) : webDoor.cannotOpen);
      if (canType(context)) onEnter(context, () => printAddress(server));
    },
    onLetIn(role, browsers) {
      say(context, webDoor.letIn[role](browsers));
      if (listening !== undefined) printAddress(listening, webDoor.anotherAddress);
    },
  };
}

/** Whether lines can be typed here: in the background, reading from the terminal would stop the process (`huddle web &`). */
function canType({ stdin }: Pick<CliContext, 'stdin'>): boolean {
  return stdin.isTTY === true && !isInBackground();
}

/** Calls back for every line that is typed, until the program has to end. */
function onEnter({ stdin, stop }: Pick<CliContext, 'stdin' | 'stop'>, call: () => void): void {
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

/** Programs that open an address in the browser of the user. */
const OPENERS = process.platform === 'darwin' ? ['open'] : ['xdg-open', 'wslview', 'x-www-browser'];

/** Opens an address in the browser of the user. Returns whether there is a program for it. Others can read the address. */
function openInBrowser(address: string, { env, workingFolder }: CliContext): boolean {
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
