import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HuddleError } from '../../models/errors.js';

/** Loopback and nothing else; there is no option for another. */
const ADDRESS = '127.0.0.1';
export const USUAL_PORT = 4747;
const MOST_TRIED = 50;

/** Listens on the port that was asked for, or on the first free one from the usual one on. Resolves with the port. */
export async function listen(
  server: Server,
  port: number | undefined,
  usualPort = USUAL_PORT,
): Promise<number> {
  for (let tried = port ?? usualPort; ; tried++) {
    try {
      server.listen(tried, ADDRESS);
      await once(server, 'listening');
      // An address of the system, not a pipe.
      return (server.address() as AddressInfo).port;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
      if (port !== undefined || tried === usualPort + MOST_TRIED)
        throw new HuddleError('PORT_IN_USE', { port: tried }, { cause: error });
    }
  }
}
