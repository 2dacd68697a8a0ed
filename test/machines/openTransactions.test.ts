import { join } from 'node:path';
import pg from 'pg';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { TurnTable } from '../../src/machines/TurnTable.js';
import { inviteRole } from '../../src/store/postgres/administer.js';
import { openPostgresStore } from '../../src/store/postgres/PostgresStore.js';
import { makeTemporaryFolder } from '../config/temporaryFolder.js';
import { describePostgres } from '../postgres/describePostgres.js';
import { makeFreshStore } from '../store/postgres/freshStore.js';
import { listen, sitDown } from './table.js';
import { echo, remoteTeam, startWorker } from './workerStage.js';

const ACME = [{ member: 'otto', account: 'acme', at_once: 1 }];

describePostgres('a worker that claims a turn in a transaction and stays in it', (server) => {
  beforeAll(async () => {
    await makeFreshStore(server(), 'kim', 'gpu_box', 'mean_box');
    for (const role of ['gpu_box', 'mean_box']) await inviteRole(server().url(), role, { worker: true });
  });

  /** A conversation in which otto is asked, whose worker does so, and then another member. */
  async function setScene() {
    const keyFile = join(makeTemporaryFolder(), 'key.pem');
    const kim = await sitDown(server(), 'kim');
    const team = remoteTeam({ name: 'otto', runsOn: 'mean_box' }, { name: 'sarah' });
    const conversation = await kim.create(team, { keyFile, rehearsal: undefined });
    const heard = listen(conversation);
    const box = await openPostgresStore({ url: server().url('mean_box') });
    onTestFinished(() => box.close());
    await conversation.send('[NEXT: otto] Go.');
    await heard.until(({ type }) => type === 'turn-start');
    const client = new pg.Client({ connectionString: server().url('mean_box') });
    await client.connect();
    onTestFinished(() => client.end());
    const claim = async (): Promise<number> => {
      const process = await box.presence.arrive();
      await client.query('BEGIN');
      for (;;) {
        const values = [process, [], JSON.stringify(ACME)];
        const { rows } = await client.query('SELECT number FROM huddle.claim_turn($1, $2, $3)', values);
        if (rows[0] !== undefined) return rows[0].number;
      }
    };
    await claim();
    return { keyFile, conversation, heard, client };
  }

  test('keeps the person who asked from nothing: the turn is stopped and another member asked', async () => {
    const { keyFile, conversation, heard } = await setScene();
    await conversation.cancel();
    expect(await conversation.settled()).toMatchObject({ kind: 'paused' });
    const command = echo();
    await startWorker(server(), {
      members: [{ name: 'sarah', command, account: 'acme' }],
      accounts: { acme: 6 },
      keyFile,
    });
    await conversation.send('[NEXT: sarah] And you?');
    await conversation.settled();
    expect(heard.said().at(-1)).toMatch(/^heard \d+$/u);
  });

  test('leaves no turn behind that anyone could claim when it goes', async () => {
    const { conversation, client } = await setScene();
    await conversation.cancel();
    await conversation.settled();
    await client.query('ROLLBACK');
    const box = await openPostgresStore({ url: server().url('mean_box') });
    onTestFinished(() => box.close());
    const offered = ACME.map((entry) => ({ ...entry, is_busy: false }));
    expect(await new TurnTable(box).claim([], offered)).toBeNull();
  });
});
