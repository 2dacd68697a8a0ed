import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { inviteRole } from '../../src/store/postgres/administer.js';
import { toArray } from '../../src/utils/AnyIterable.js';
import { makeTemporaryFolder } from '../config/temporaryFolder.js';
import { describePostgres } from '../postgres/describePostgres.js';
import { makeFreshStore } from '../store/postgres/freshStore.js';
import { listen, sitDown } from './table.js';
import { echo, remoteTeam, startWorker } from './workerStage.js';

describePostgres('a member that runs on another machine', (server) => {
  beforeAll(async () => {
    await makeFreshStore(server(), 'kim', 'bob', 'gpu_box');
    await inviteRole(server().url(), 'gpu_box', { worker: true });
  });

  const sit = async (role = 'kim') => {
    const keyFile = join(makeTemporaryFolder(), 'key.pem');
    const table = await sitDown(server(), role);
    return { ...table, keyFile, own: { keyFile, rehearsal: undefined } };
  };

  test('is asked, runs there by the entry of the worker, and its answer is a message here', async () => {
    const kim = await sit();
    const { news } = await startWorker(server(), {
      members: [{ name: 'sarah', command: echo() }],
      keyFile: kim.keyFile,
    });
    const conversation = await kim.create(remoteTeam({ name: 'sarah' }), kim.own);
    await conversation.send('[NEXT: sarah] Are you there?');
    expect(await conversation.settled()).toMatchObject({ kind: 'waiting' });
    const events = await toArray(conversation.history());
    expect(events.find(({ type }) => type === 'turn-start')).toMatchObject({ runsOn: 'gpu_box' });
    expect(events.find(({ type }) => type === 'turn-end')).toMatchObject({ result: { kind: 'completed' } });
    expect(listen(conversation) && conversation.snapshot().messages.at(-1)).toMatchObject({
      content: expect.stringMatching(/^heard \d+$/u),
      speaker: { roleId: 'sarah' },
    });
    expect(news.map(({ kind }) => kind)).toEqual(['asked', 'ended']);
    expect(await server().admin('SELECT count(*)::int AS left FROM huddle.turn')).toEqual([{ left: 0 }]);
    expect(await server().admin('SELECT count(*)::int AS left FROM huddle.turn_event')).toEqual([
      { left: 0 },
    ]);
  });
});
