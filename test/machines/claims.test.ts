import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { type OfferedMember, TurnTable } from '../../src/machines/TurnTable.js';
import type { ConversationId } from '../../src/models/ids.js';
import { inviteRole, removeRole } from '../../src/store/postgres/administer.js';
import { openPostgresStore, type PostgresStore } from '../../src/store/postgres/PostgresStore.js';
import { describePostgres } from '../postgres/describePostgres.js';
import { makeFreshStore } from '../store/postgres/freshStore.js';

const WORKERS = ['gpu_box', 'mean_box'];

describePostgres('turns are claimed', (server) => {
  let kim: PostgresStore;

  beforeEach(async () => {
    await makeFreshStore(server(), 'kim', ...WORKERS);
    for (const role of WORKERS) await inviteRole(server().url(), role, { worker: true });
    kim = await open('kim');
    await kim.create('talk' as ConversationId);
  });

  async function open(role: string): Promise<PostgresStore> {
    const store = await openPostgresStore({ url: server().url(role), host: role });
    onTestFinished(() => store.close());
    return store;
  }

  async function ask(id: string, { runsOn = 'gpu_box', member = 'sarah', isUrgent = true } = {}) {
    const address = { conversationId: 'talk', turnId: id, memberId: member, runsOn };
    return (await new TurnTable(kim).ask(address as never, '{}', { isWatched: false, isUrgent })).number;
  }

  const offer = (member: string, offered: Partial<OfferedMember> = {}): OfferedMember => ({
    member,
    account: undefined,
    at_once: undefined,
    is_busy: false,
    ...offered,
  });

  /** A process of a worker, and its claims, of which it remembers what it was given. */
  async function comeIn(role = 'gpu_box') {
    const store = await open(role);
    const inHand: number[] = [];
    const claim = async (...offered: readonly OfferedMember[]) => {
      const turn = await new TurnTable(store).claim(inHand, offered.length > 0 ? offered : [offer('sarah')]);
      if (turn !== null) inHand.push(turn.number);
      return turn?.turn ?? null;
    };
    const end = async (number: number) => {
      await new TurnTable(store).report(number, { first: 1, bodies: ['{}'], isEnd: true });
      inHand.splice(inHand.indexOf(number), 1);
    };
    return { store, claim, inHand, end };
  }

  const waiting = () =>
    server().admin("SELECT id, waits_running, waits_at_once FROM huddle.turn WHERE waits_for = 'acme'");

  test('those of people before those of fleets, and each in the order in which they were asked', async () => {
    for (const id of ['fleet-1', 'fleet-2']) await ask(id, { isUrgent: false });
    for (const id of ['kim-1', 'kim-2']) await ask(id);
    const { claim } = await comeIn();
    const claimed = [await claim(), await claim(), await claim(), await claim(), await claim()];
    expect(claimed).toEqual(['kim-1', 'kim-2', 'fleet-1', 'fleet-2', null]);
  });

  test('once over all workers, also when they claim at the same time', async () => {
    const ids = Array.from({ length: 30 }, (_, index) => `turn-${index}`);
    for (const id of ids) await ask(id);
    const workers = await Promise.all([comeIn(), comeIn(), comeIn()]);
    const claimed = await Promise.all(
      workers.map(async ({ claim }) => {
        const mine: string[] = [];
        for (let id = await claim(); id !== null; id = await claim()) mine.push(id);
        return mine;
      }),
    );
    expect(claimed.flat().sort()).toEqual(ids.sort());
  });

  test('by workers of the role that was asked only', async () => {
    await ask('turn-1');
    expect(await (await comeIn('mean_box')).claim()).toBeNull();
    expect(await (await comeIn()).claim()).toBe('turn-1');
  });

  test('again by the process whose answer got lost, and by no other', async () => {
    await ask('turn-1');
    const [one, other] = [await comeIn(), await comeIn()];
    expect(await one.claim()).toBe('turn-1');
    expect(await one.claim()).toBeNull();
    one.inHand.length = 0;
    expect(await other.claim()).toBeNull();
    expect(await one.claim()).toBe('turn-1');
  });

  test('not by a process that is taken for gone', async () => {
    await ask('turn-1');
    const { store, claim } = await comeIn();
    await store.presence.arrive();
    await server().admin("UPDATE huddle.process SET expires = now() WHERE role = 'gpu_box'");
    expect(await claim()).toBeNull();
    expect(await server().admin('SELECT state FROM huddle.turn')).toEqual([{ state: 'asked' }]);
  });

  test('not of a member that is busy; others go on', async () => {
    await ask('turn-1');
    await ask('turn-2', { member: 'otto' });
    const { claim } = await comeIn();
    const [busy, free] = [offer('sarah', { is_busy: true }), offer('otto')];
    expect([await claim(busy, free), await claim(busy, free)]).toEqual(['turn-2', null]);
  });

  test('of a member that is not offered here only when nobody else offers it: it is refused then', async () => {
    await ask('turn-1');
    const [one, other] = [await comeIn(), await comeIn()];
    await other.store.presence.offer({ members: ['sarah'], teams: [] });
    expect(await one.claim(offer('otto'))).toBeNull();
    await other.store.presence.offer({ members: ['max'], teams: [] });
    expect(await one.claim(offer('otto'))).toBe('turn-1');
  });

  test.each(['nonsense', '{"members":'])('by everybody still when somebody offers %s', async (offers) => {
    await ask('turn-1');
    const [one, other] = [await comeIn(), await comeIn()];
    const said = other.store.database.query('SELECT huddle.offer($1, $2)', [
      await other.store.presence.arrive(),
      offers,
    ]);
    await expect(said).rejects.toThrow('invalid input syntax for type json');
    expect(await one.claim(offer('otto'))).toBe('turn-1');
  });

  test('of a role that was removed by nobody, and no more are asked', async () => {
    await ask('turn-1');
    await removeRole(server().url(), 'gpu_box');
    await expect(ask('turn-2')).rejects.toMatchObject({ code: 'HU012' });
    expect(await server().admin('SELECT id FROM huddle.turn')).toEqual([{ id: 'turn-1' }]);
  });

  test('on an account with two places by two, and by the next when one has ended', async () => {
    const acme = offer('sarah', { account: 'acme', at_once: 2 });
    for (const id of ['turn-1', 'turn-2', 'turn-3']) await ask(id);
    const { claim, inHand, end } = await comeIn();
    expect([await claim(acme), await claim(acme), await claim(acme)]).toEqual(['turn-1', 'turn-2', null]);
    expect(await waiting()).toEqual([{ id: 'turn-3', waits_running: 2, waits_at_once: 2 }]);
    await ask('turn-4', { member: 'otto' });
    expect(await claim(acme, offer('otto'))).toBe('turn-4');
    await end(Number(inHand[0]));
    expect(await claim(acme)).toBe('turn-3');
    expect(await waiting()).toEqual([]);
  });

  test('on an account never by more than it has places, by many at the same time', async () => {
    const ids = Array.from({ length: 30 }, (_, index) => `turn-${index}`);
    for (const [index, id] of ids.entries()) await ask(id, { runsOn: WORKERS[index % 2] });
    const workers = await Promise.all([...WORKERS, ...WORKERS, ...WORKERS].map((role) => comeIn(role)));
    const acme = offer('sarah', { account: 'acme', at_once: 5 });
    const running = 'SELECT count(*)::int AS running FROM huddle.turn WHERE state = $1';
    for (let round = 0; round < 4; round++) {
      await Promise.all(workers.map(async ({ claim }) => void ((await claim(acme)) && (await claim(acme)))));
      expect(await server().admin(running, ['running'])).toEqual([{ running: 5 }]);
      for (const { inHand, end } of workers) for (const number of [...inHand]) await end(number);
    }
  });

  test('not when it was taken back, and one that was taken back has no place any more', async () => {
    const numbers = await Promise.all(['turn-1', 'turn-2', 'turn-3'].map((id) => ask(id)));
    const acme = offer('sarah', { account: 'acme', at_once: 1 });
    const { store, claim } = await comeIn();
    const [first, second, third] = numbers as [number, number, number];
    const table = new TurnTable(kim);
    expect(await table.withdraw('talk', second)).toBe('withdrawn');
    const claimed = await claim(acme);
    expect(['turn-1', 'turn-3']).toContain(claimed);
    expect(await claim(acme)).toBeNull();
    const [running, waits] = claimed === 'turn-1' ? [first, 'turn-3'] : [third, 'turn-1'];
    expect(await table.withdraw('talk', running)).toBe('withdrawn');
    expect(await claim(acme)).toBe(waits);
    const late = { first: 1, bodies: ['{}'], isEnd: true };
    expect(await new TurnTable(store).report(running, late)).toBe('withdrawn');
    expect(await server().admin('SELECT FROM huddle.turn_event')).toEqual([]);
    expect(await new TurnTable(store).findStopped(numbers)).toEqual(new Set([second, running]));
  });

  const goings: [string, () => Promise<unknown>][] = [
    [
      'its machine is gone',
      () => server().admin("UPDATE huddle.process SET expires = now() WHERE role = 'mean_box'"),
    ],
    ['its role is removed', () => removeRole(server().url(), 'mean_box')],
  ];
  test.each(goings)(
    'by the smallest number that a worker says who is here, and no longer when %s',
    async (_, go) => {
      const many = offer('sarah', { account: 'acme', at_once: 6 });
      const one = offer('sarah', { account: 'acme', at_once: 1 });
      for (const id of ['turn-1', 'turn-2']) await ask(id);
      await ask('mean-1', { runsOn: 'mean_box' });
      const [box, mean] = [await comeIn(), await comeIn('mean_box')];
      expect(await box.claim(many)).toBe('turn-1');
      expect(await mean.claim(one)).toBeNull();
      expect(await box.claim(many)).toBeNull();
      expect(await waiting()).toContainEqual({ id: 'turn-2', waits_running: 1, waits_at_once: 1 });
      await go();
      expect(await box.claim(many)).toBe('turn-2');
    },
  );

  test('by fewer when the number is lowered, as long as those run that were there before', async () => {
    for (const id of ['turn-1', 'turn-2', 'turn-3', 'turn-4']) await ask(id);
    const { claim, inHand, end } = await comeIn();
    const places = (count: number) => offer('sarah', { account: 'acme', at_once: count });
    for (const id of ['turn-1', 'turn-2', 'turn-3']) expect(await claim(places(3))).toBe(id);
    await end(Number(inHand[0]));
    expect(await claim(places(2))).toBeNull();
    await end(Number(inHand[0]));
    expect(await claim(places(2))).toBe('turn-4');
  });

  test('on an account whose worker is gone again: its turn has no place any more', async () => {
    const acme = offer('sarah', { account: 'acme', at_once: 1 });
    for (const id of ['turn-1', 'turn-2']) await ask(id);
    const [gone, next] = [await comeIn(), await comeIn()];
    expect(await gone.claim(acme)).toBe('turn-1');
    expect(await next.claim(acme)).toBeNull();
    await server().admin('UPDATE huddle.process SET expires = now() WHERE id = $1', [
      await gone.store.presence.arrive(),
    ]);
    expect(await next.claim(acme)).toBe('turn-2');
  });

  test.each([0, -1])('on an account with %i places by nobody, and others keep theirs', async (atOnce) => {
    await ask('mean-1', { runsOn: 'mean_box' });
    await ask('turn-1');
    const [box, mean] = [await comeIn(), await comeIn('mean_box')];
    await expect(mean.claim(offer('sarah', { account: 'acme', at_once: atOnce }))).rejects.toThrow();
    expect(await box.claim(offer('sarah', { account: 'acme', at_once: 1 }))).toBe('turn-1');
  });
});

describePostgres('conversations of a fleet are claimed', (server) => {
  beforeEach(async () => {
    await makeFreshStore(server(), 'ci', ...WORKERS);
    for (const role of WORKERS) await inviteRole(server().url(), role, { worker: true });
    for (const id of ['one', 'two'])
      await server().admin(
        "INSERT INTO huddle.fleet (conversation, worker_role, asked_by, request, said) VALUES ($1, 'gpu_box', 'ci', '', '')",
        [id],
      );
  });

  async function comeIn(role = 'gpu_box') {
    const store = await openPostgresStore({ url: server().url(role) });
    onTestFinished(() => store.close());
    const process = await store.presence.arrive();
    const claim = async (...inHand: readonly string[]) => {
      const [row] = await store.database.query<{ conversation: string }>(
        'SELECT conversation FROM huddle.claim_fleet($1, $2)',
        [process, inHand],
      );
      return row?.conversation ?? null;
    };
    const release = (id: string) =>
      store.database.query('SELECT huddle.release_fleet($1, $2)', [id, process]);
    return { process, claim, release };
  }

  test('in the order in which they were asked, by one process of the role, and again where the answer got lost', async () => {
    const [box, other, mean] = [await comeIn(), await comeIn(), await comeIn('mean_box')];
    expect(await mean.claim()).toBeNull();
    expect(await box.claim()).toBe('one');
    expect(await other.claim()).toBe('two');
    expect(await box.claim('one')).toBeNull();
    expect(await box.claim()).toBe('one');
  });

  test('by another when their process is gone', async () => {
    const [gone, next] = [await comeIn(), await comeIn()];
    expect([await gone.claim(), await gone.claim('one')]).toEqual(['one', 'two']);
    expect(await next.claim()).toBeNull();
    await server().admin('UPDATE huddle.process SET expires = now() WHERE id = $1', [gone.process]);
    expect(await gone.claim('one', 'two')).toBeNull();
    expect(await next.claim()).toBe('one');
  });

  test('again a second after they were given back, which only their process can do', async () => {
    const [box, next] = [await comeIn(), await comeIn()];
    const passSecond = () =>
      server().admin("UPDATE huddle.fleet SET not_before = not_before - interval '1 s'");
    await box.claim();
    await next.release('one');
    await passSecond();
    expect([await next.claim(), await next.claim('two')]).toEqual(['two', null]);
    await box.release('one');
    expect(await next.claim('two')).toBeNull();
    await passSecond();
    expect(await next.claim('two')).toBe('one');
  });
});
