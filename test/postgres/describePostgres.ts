import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, describe, inject } from 'vitest';
import { isFast } from '../tier.js';
import type { Answered, Asked } from './door.js';
import { type Edition, findEdition, keepPostgres } from './scripts.js';
import { TestPostgres } from './TestPostgres.js';

const STARTING_MILLISECONDS = 180_000;
const isRequired = process.env.HUDDLE_REQUIRE_POSTGRES === '1';
const given = process.env.HUDDLE_TEST_POSTGRES;

/** Whether each edition can be had; the package of the newest is installed for the answer. */
const missing: Readonly<Record<Edition, string | undefined>> = {
  newest: given || isFast ? undefined : await look('newest'),
  debian: isFast ? undefined : await look('debian'),
};

interface PostgresOptions {
  /** Default `newest`, or the server that HUDDLE_TEST_POSTGRES names. */
  readonly edition?: Edition;
  /** A server that no other file of tests uses: it can be stopped and started. Never that of HUDDLE_TEST_POSTGRES. */
  readonly alone?: boolean;
  /** Also listens at a port of 127.0.0.1; always alone. */
  readonly tcp?: boolean;
}

/**
 * Tests with a real Postgres, in a database of their own. Without one they are skipped and say why, unless
 * HUDDLE_REQUIRE_POSTGRES is 1; Debian's may always be missing.
 *
 * @param tests Called with what gives the server, once the tests run.
 */
export function describePostgres(
  title: string,
  tests: (server: () => TestPostgres) => void,
  { edition = 'newest', alone = false, tcp = false }: PostgresOptions = {},
): void {
  const reason = missing[edition];
  const isSkipped = isFast || (reason !== undefined && !(isRequired && edition === 'newest'));
  if (isSkipped && !isFast)
    console.warn(`Skipped: ${title}: ${reason}. To run these tests, set HUDDLE_TEST_POSTGRES or install it.`);
  describe.skipIf(isSkipped)(title, () => {
    let server: TestPostgres | undefined;
    beforeAll(async () => {
      server = await (tcp || alone ? openAlone(edition, tcp) : openShared(edition));
    }, STARTING_MILLISECONDS);
    afterAll(() => server?.close());
    tests(() => {
      if (server === undefined) throw new Error('The server is asked for before the tests run');
      return server;
    });
  });
}

async function openShared(edition: Edition): Promise<TestPostgres> {
  if (given && edition === 'newest') return TestPostgres.open(given);
  return TestPostgres.open(urlOf(await startShared(edition)));
}

async function openAlone(edition: Edition, tcp: boolean): Promise<TestPostgres> {
  const found = findEdition(edition);
  if ('missing' in found) throw new Error(found.missing);
  if (!tcp) {
    const kept = await keepPostgres(found.bin);
    return TestPostgres.open(urlOf(kept.folder), kept);
  }
  const port = await findFreePort();
  const kept = await keepPostgres(found.bin, { port });
  return TestPostgres.open(urlOf(kept.folder, port), kept);
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

function urlOf(folder: string, port?: number): string {
  const place = encodeURIComponent(folder) + (port === undefined ? '' : `:${port}`);
  return `postgres://postgres@${place}/postgres`;
}

async function look(edition: Edition): Promise<string | undefined> {
  const answered = await ask({ edition, start: false });
  return 'missing' in answered ? answered.missing : undefined;
}

async function startShared(edition: Edition): Promise<string> {
  const answered = await ask({ edition, start: true });
  if ('missing' in answered) throw new Error(answered.missing);
  return answered.folder ?? '';
}

async function ask(asked: Asked): Promise<Answered> {
  const door = `http://127.0.0.1:${inject('postgresDoor')}`;
  const answer = await fetch(door, { method: 'POST', body: JSON.stringify(asked) });
  return (await answer.json()) as Answered;
}
