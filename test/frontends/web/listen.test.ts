import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from '../../../src/frontends/web/listen.js';

function makeServer(): Server {
  const server = createServer();
  onTestFinished(() => void server.close());
  return server;
}

test('a port is on the loopback alone', async () => {
  const server = makeServer();
  const port = await listen(server, 0);
  expect(server.address()).toEqual({ address: '127.0.0.1', family: 'IPv4', port } satisfies AddressInfo);
});

test('a port that was asked for and is taken is refused by its number', async () => {
  const port = await listen(makeServer(), 0);
  await expect(listen(makeServer(), port)).rejects.toMatchObject({
    code: 'PORT_IN_USE',
    message: expect.stringContaining(`Port ${port} is in use.`),
  });
});

test('without one, the next free one after the usual is taken', async () => {
  const usual = await listen(makeServer(), 0);
  const next = await listen(makeServer(), undefined, usual);
  expect(next).toBeGreaterThan(usual);
  expect(await listen(makeServer(), undefined, usual)).toBeGreaterThan(next);
});
