import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import type { Conversations } from '../../coordinator/Conversations.js';
import { untilAborted } from '../../utils/untilAborted.js';
import type { RefusalFacts } from './AppParts.js';
import { readAssets } from './assets.js';
import { createHttpServer } from './createHttpServer.js';
import { Door } from './Door.js';
import { formatRefused } from './formatRefused.js';
import { listen } from './listen.js';
import { ConversationDesk } from './live/ConversationDesk.js';
import { openReading, type Reading } from './reading/openReading.js';
import type { WebExit, WebOptions } from './WebOptions.js';

/** Milliseconds in which everything is stopped and saved. */
const LAST_MILLISECONDS = 2500;

/** Serves the page and its API on loopback until the signal comes; then stops everything, in at most 2.5 seconds. */
export async function runWeb(
  conversations: Conversations,
  options: WebOptions,
  signal: AbortSignal,
): Promise<WebExit> {
  const onRefused = (refused: RefusalFacts) => options.log(formatRefused(refused));
  const server = createHttpServer({ onRefused });
  const onError = (error: unknown) => {
    const { code, message } = options.describe(error);
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
    const listening = import('./answerRequests.js').then(({ answerRequests }) =>
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
