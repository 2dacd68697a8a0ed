import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { TestProject } from 'vitest/node';
import { type Edition, findEdition, type KeptPostgres, keepPostgres } from './scripts.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The port on this machine at which the servers of this run are asked for. */
    postgresDoor: number;
  }
}

/** A question to the door, and what is answered. */
export interface Asked {
  readonly edition: Edition;
  /** Otherwise only whether there is such a server is asked. */
  readonly start: boolean;
}

export type Answered =
  /** The folder of its socket, if it was to be started. */
  { readonly folder?: string } | { readonly missing: string };

/** Servers of this run, each started by the first test that asks, and ended with the run. */
export default async function open(project: TestProject): Promise<() => Promise<void>> {
  const servers = new Map<Edition, Promise<KeptPostgres>>();
  const answer = async ({ edition, start }: Asked): Promise<Answered> => {
    const found = findEdition(edition);
    if ('missing' in found || !start) return 'missing' in found ? found : {};
    const server = servers.get(edition) ?? keepPostgres(found.bin);
    servers.set(edition, server);
    return { folder: (await server).folder };
  };
  const door = listen(answer);
  await once(door, 'listening');
  project.provide('postgresDoor', (door.address() as AddressInfo).port);
  return async () => {
    door.close();
    door.closeAllConnections();
    await Promise.all([...servers.values()].map(async (server) => (await server).end()));
  };
}

function listen(answer: (asked: Asked) => Promise<Answered>): Server {
  const door = createServer(async (request, response) => {
    // A connection that is kept would be closed just when the next file of tests asks on it.
    response.setHeader('connection', 'close');
    try {
      response.end(JSON.stringify(await answer(JSON.parse(await text(request)))));
    } catch (error) {
      response.end(JSON.stringify({ missing: String(error) } satisfies Answered));
    }
  });
  return door.listen(0, '127.0.0.1');
}
