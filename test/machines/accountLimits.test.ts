import { beforeEach, expect, onTestFinished, test } from 'vitest';
import type { ConversationId } from '../../src/models/ids.js';
import { inviteRole, removeRole } from '../../src/store/postgres/administer.js';
import { openPostgresStore, type PostgresStore } from '../../src/store/postgres/PostgresStore.js';
import { describePostgres } from '../postgres/describePostgres.js';
import { makeFreshStore } from '../store/postgres/freshStore.js';

const ROLES = ['gpu_box', 'mean_box'];

describePostgres('the limit of an account', (server) => {
  beforeEach(async () => {
    await makeFreshStore(server(), 'kim', ...ROLES);
    for (const role of ROLES) await inviteRole(server().url(), role, { worker: true });
    const kim = await open('kim');
    await (await kim.create('talk' as ConversationId)).close();
  });

  async function open(role: string): Promise<PostgresStore> {
    const store = await openPostgresStore({ url: server().url(role), host: role });
    onTestFinished(() => store.close());
    return store;
  }

  /** A worker of a role, and what comes of its claims of new turns: its file says how many may run at once. */
  async function comeIn(role: string) {
    const { database, presence } = await open(role);
    const claim = async (atOnce: number) => {
      const [turn] = await server().admin<{ number: string }>(
        `INSERT INTO huddle.turn (conversation, id, member, worker_role, asked_by, request, is_watched)
         SELECT number, $1, 'sarah', $2, 'kim', '{}', false FROM huddle.conversation RETURNING number`,
        [crypto.randomUUID(), role],
      );
      const [claimed] = await database.query<{ state: string; places: number }>(
        "SELECT state, places FROM huddle.claim_turn($1, $2, 'acme', $3)",
        [turn?.number, await presence.arrive(), atOnce],
      );
      return claimed;
    };
    return { claim };
  }

  const goings: [string, () => Promise<unknown>][] = [
    [
      'its machine is gone',
      () => server().admin("UPDATE huddle.process SET expires = now() WHERE role = 'mean_box'"),
    ],
    ['its role is removed', () => removeRole(server().url(), 'mean_box')],
  ];
  test.each(goings)(
    'is the smallest that a worker says who is here, and no longer when %s',
    async (_, go) => {
      const [box, mean] = [await comeIn('gpu_box'), await comeIn('mean_box')];
      expect(await box.claim(6)).toEqual({ state: 'running', places: 6 });
      expect(await mean.claim(1)).toEqual({ state: 'full', places: 1 });
      expect(await box.claim(6)).toEqual({ state: 'full', places: 1 });
      await go();
      expect(await box.claim(6)).toEqual({ state: 'running', places: 6 });
    },
  );

  test.each([0, -1])('cannot be %i, by no worker', async (atOnce) => {
    const [box, mean] = [await comeIn('gpu_box'), await comeIn('mean_box')];
    await expect(mean.claim(atOnce)).rejects.toThrow();
    expect(await box.claim(1)).toEqual({ state: 'running', places: 1 });
  });
});
