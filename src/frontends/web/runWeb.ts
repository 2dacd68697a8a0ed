import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import type { Catalogue } from '../../catalogue/words.js';
import type { Conversations, House } from '../../coordinator/Conversations.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';
import { untilAborted } from '../../utils/untilAborted.js';
import { readAssets } from './assets.js';
import { createHttpServer } from './createHttpServer.js';
import { Door } from './Door.js';
import { listen } from './listen.js';
import { ConversationDesk } from './live/ConversationDesk.js';
import { openReading, type Reading, type ReadingSource } from './reading/ReadingThread.js';
import type { RefusalFacts } from './refusals.js';
import type { BrowserRole, WireError } from './wire.js';

/** Settings of a web server, and what it tells to whoever started it. */
export interface WebOptions {
  /** The port to listen on, or none; 0 is any. Default: 4747, or the next one that is free. */
  readonly port?: number | undefined;
  /** No browser may do more than look. */
  readonly isWatchOnly: boolean;
  /** The folder whose team talks. */
  readonly folder: string;
  /** The folder with the built page. */
  readonly pageFolder: string;
  readonly version: string;
  /** The sentences of the server itself; requests may ask for another language. */
  readonly words: Catalogue;
  /** The thread that reads whole conversations. */
  readonly reading: Pick<ReadingSource, 'module' | 'data'>;
  /** Opens conversations with simulated agents. Absent: there is no demonstration. */
  readonly openDemo?: (() => Promise<House>) | undefined;
  /** The code of an error and its sentence for people. */
  describe(error: unknown, words: Catalogue): WireError;
  /** Called once, when the server can be reached. */
  onListening(server: ListeningServer): void;
  /** Called for each browser that is let in, with the number of all that are. */
  onLetIn(role: BrowserRole, browsers: number): void;
  /** Hears of each request that is refused, without anything secret: for a debug log. */
  log(line: string): void;
}

/** A server that can be reached. */
export interface ListeningServer {
  readonly port: number;
  /** Makes a code that lets one browser in. */
  invite(): string;
}

/** The end of a web server. */
interface WebExit {
  /** Everything was closed in time. Otherwise something may still run. */
  readonly isOver: boolean;
}

/** Milliseconds in which everything is stopped and saved. */
const LAST_MILLISECONDS = 2500;

/** Serves the page and its API on loopback until the signal comes; then stops everything, in at most 2.5 seconds. */
export async function runWeb(
  conversations: Conversations,
  options: WebOptions,
  signal: AbortSignal,
): Promise<WebExit> {
  const onRefused = (refused: RefusalFacts) => options.log(formatRefused(refused));
  const server = createHttpServer(onRefused, options.words);
  const onError = (error: unknown) => {
    const { code, message } = options.describe(error, options.words);
    options.log(`${code}: ${message}`);
  };
  const desk = new ConversationDesk(conversations, { ...options, onError });
  const reading = openReading({ ...options.reading, eventsOf: (id) => desk.eventsInMemory(id) });
  const parts = { server, desk, reading, conversations };
  try {
    const assets = readAssets(options.pageFolder);
    const door = new Door(options);
    const port = await listen(server, options.port);
    options.onListening({ port, invite: () => door.invite().code });
    // Loaded when the address is there to be read; requests that come before that wait.
    const listening = import('./createApp.js').then(({ answerRequests }) =>
      answerRequests({
        ...options,
        ...{ door, assets, port, onRefused },
        handlers: { ...desk.handlers(), ...reading.handlers() },
        openStream: desk.openStream,
        onLetIn: (role) => options.onLetIn(role, door.browsers),
      }),
    );
    const answer: RequestListener = (incoming, outgoing) =>
      void listening.then((listener) => listener(incoming, outgoing));
    // The second is for those who ask whether they may send a body.
    for (const event of ['request', 'checkContinue']) server.on(event, answer);
    await listening;
    await untilAborted(once(server, 'close'), signal);
  } catch (error) {
    await close(parts);
    throw error;
  }
  const closing = close(parts).then(() => true);
  return { isOver: (await untilAborted(closing, AbortSignal.timeout(LAST_MILLISECONDS))) ?? false };
}

interface ClosedParts {
  readonly server: Server;
  readonly desk: ConversationDesk;
  readonly reading: Reading;
  readonly conversations: Conversations;
}

async function close({ server, desk, reading, conversations }: ClosedParts): Promise<void> {
  server.close();
  await desk.close();
  await reading.close();
  await conversations.close();
  server.closeAllConnections();
}

const MOST_LETTERS = 200;
/** Long enough to be a code, a cookie or a key, however it is spelled; ids of sessions are shorter. */
const MAYBE_SECRET = /[\w%-]{20,}/gu;

/** The line of the debug log for a refused request: what it was and why, and nothing that could let anyone in. */
export function formatRefused({ status, code, method, path, host, origin }: RefusalFacts): string {
  const [address = ''] = path.split(/[?#]/u);
  const places = Object.entries({ host, origin }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${hide(value)}`],
  );
  return ['[Web]', status, code, method, hide(address), ...places].filter(Boolean).join(' ');
}

function hide(text: string): string {
  return sanitizeToOneLine(text.replaceAll(MAYBE_SECRET, '…').slice(0, MOST_LETTERS));
}
