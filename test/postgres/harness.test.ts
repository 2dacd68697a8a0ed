import pg from 'pg';
import { expect, test } from 'vitest';
import { describePostgres } from './describePostgres.js';

describePostgres('a database for a file of tests', (server) => {
  test('is empty, of the newest version, and a role of it logs in as itself', async () => {
    const url = await server().createRole('kim');
    expect(await server().createRole('kim')).toBe(url);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query('SELECT session_user AS role, current_database() AS database');
    await client.end();
    const [here] = await server().admin('SELECT current_database() AS database');
    expect(rows).toEqual([{ role: 'kim', ...here }]);
    expect(await server().admin("SELECT * FROM pg_tables WHERE schemaname = 'public'")).toEqual([]);
  });

  test('connections of one role can be cut', async () => {
    const client = new pg.Client({ connectionString: await server().createRole('bob') });
    const broken = new Promise((resolve) => client.on('error', resolve));
    await client.connect();
    expect(await server().cut('bob')).toBe(1);
    expect(await broken).toMatchObject({ code: '57P01' });
  });

  test('a server that others use is not stopped', async () => {
    await expect(server().stop()).rejects.toThrow('not alone');
  });
});

describePostgres(
  'a server of its own',
  (server) => {
    test('keeps what it has when it is started again', async () => {
      await server().admin('CREATE TABLE kept AS SELECT 1 AS one');
      await server().restart();
      expect(await server().admin('SELECT * FROM kept')).toEqual([{ one: 1 }]);
    });
  },
  { alone: true },
);

describePostgres(
  "Debian's server",
  (server) => {
    test('is of the oldest version that Huddle works with', async () => {
      expect(await server().admin('SHOW server_version_num')).toEqual([
        { server_version_num: expect.stringMatching(/^15/u) },
      ]);
    });
  },
  { edition: 'debian' },
);
