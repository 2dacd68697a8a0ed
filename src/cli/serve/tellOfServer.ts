import { words } from '../../catalogue/words.js';
import { USUAL_PORT } from '../../frontends/web/listen.js';
import type { ListeningServer, WebOptions } from '../../frontends/web/runWeb.js';
import { type CliContext, print, say } from '../start/CliContext.js';
import { canType, onEnter } from './onEnter.js';
import { openInBrowser } from './openInBrowser.js';

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
