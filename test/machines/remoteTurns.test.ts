import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { english } from '../../src/catalogue/english.js';
import type { Conversation } from '../../src/coordinator/Conversation.js';
import { explainTrouble } from '../../src/frontends/print/sentences.js';
import type { RecordedEvent } from '../../src/models/ConversationEvent.js';
import type { UnfinishedOutcome } from '../../src/models/TurnOutcome.js';
import { TurnTotals } from '../../src/presentation/cost.js';
import { inviteRole } from '../../src/store/postgres/administer.js';
import { toArray } from '../../src/utils/AnyIterable.js';
import { makeTemporaryFolder } from '../config/temporaryFolder.js';
import { describePostgres } from '../postgres/describePostgres.js';
import { makeFreshStore } from '../store/postgres/freshStore.js';
import { listen, sitDown } from './table.js';
import { echo, remoteTeam, startWorker } from './workerStage.js';

/** Writes a piece at once, and ends when it is stopped or when the file is there. */
function hanging(file = '/nowhere'): readonly string[] {
  return echo(
    `process.stdout.write('begun'); const { existsSync } = require('fs'); setInterval(() => { if (existsSync('${file}')) process.exit(0); }, 20)`,
  );
}

describePostgres('a turn on another machine', (server) => {
  beforeAll(async () => {
    await makeFreshStore(server(), 'kim', 'gpu_box', 'cpu_box');
    for (const role of ['gpu_box', 'cpu_box']) await inviteRole(server().url(), role, { worker: true });
  });

  const sit = async () => {
    const keyFile = join(makeTemporaryFolder(), 'key.pem');
    const table = await sitDown(server(), 'kim');
    return { ...table, keyFile, own: { keyFile, rehearsal: undefined } };
  };
  const leftTurns = async () =>
    (await server().admin<{ left: number }>('SELECT count(*)::int AS left FROM huddle.turn'))[0]?.left;

  test('answers for itself: whoever holds the conversation can write no other answer in its place', async () => {
    const kim = await sit();
    await startWorker(server(), { members: [{ name: 'sarah', command: echo() }], keyFile: kim.keyFile });
    const conversation = await kim.create(remoteTeam({ name: 'sarah' }), kim.own);
    await conversation.send('[NEXT: sarah] Go.');
    await conversation.settled();
    const answer = async () => {
      const log = await toArray((await kim.store.read(conversation.id)).read());
      return log.find(({ type, seq }) => type !== 'turn-end' && seq > endSeqOf(log));
    };
    expect(await answer()).toMatchObject({
      type: 'message-added',
      message: { speaker: { roleId: 'sarah' }, content: expect.stringMatching(/^heard \d+$/u) },
    });
    await server().admin(`UPDATE huddle.event SET body = replace(body, '"heard ', '"Obey me, all ')`);
    expect(await answer()).toMatchObject({ code: 'left-out', recordedBy: 'kim', what: 'message-added' });
  });

  test('that is stopped here is stopped there, and what it had said is its draft', async () => {
    const kim = await sit();
    const { news } = await startWorker(server(), {
      members: [{ name: 'sarah', command: hanging() }],
      keyFile: kim.keyFile,
    });
    const conversation = await kim.create(remoteTeam({ name: 'sarah' }), kim.own);
    const heard = listen(conversation);
    await conversation.send('[NEXT: sarah] Go.');
    await heard.until((event) => event.type === 'turn-progress' && event.event.type === 'text-delta');
    await conversation.cancel();
    await conversation.settled();
    expect(await endOf(conversation)).toMatchObject({ result: { kind: 'cancelled', draft: 'begun' } });
    await vi.waitFor(() => expect(news.map(({ kind }) => kind)).toEqual(['asked', 'withdrawn']), 5000);
    expect(await leftTurns()).toBe(0);
  });

  test('whose worker is gone is interrupted with its draft, within a lease and five seconds, and not rerun', async () => {
    const kim = await sit();
    const box = await startWorker(server(), {
      members: [{ name: 'sarah', command: hanging() }],
      keyFile: kim.keyFile,
      // It is as if its network were gone: it does not renew its row.
      store: { leaseTimes: { lease: 15_000, renewEvery: 60_000, stopAfter: 60_000 } },
    });
    const conversation = await kim.create(remoteTeam({ name: 'sarah' }), kim.own);
    const heard = listen(conversation);
    await conversation.send('[NEXT: sarah] Go.');
    await heard.until((event) => event.type === 'turn-progress' && event.event.type === 'text-delta');
    await server().admin("UPDATE huddle.process SET expires = now() - interval '1 s' WHERE role = 'gpu_box'");
    const from = performance.now();
    await conversation.settled();
    expect(performance.now() - from).toBeLessThan(5000);
    const events = await toArray(conversation.history());
    const interrupted: UnfinishedOutcome = { kind: 'interrupted', draft: 'begun', worker: 'gpu_box' };
    expect(await endOf(conversation)).toMatchObject({ result: interrupted });
    expect(explainTrouble('sarah', interrupted, english)).toBe(
      'error[TURN_INTERRUPTED]: sarah was interrupted: the worker on gpu_box is gone; draft kept (5 characters), not delivered.',
    );
    const totals = new TurnTotals();
    for (const event of events) totals.take(event);
    expect(totals.sum.turns).toBe(1);
    expect(events.filter(({ type }) => type === 'notice')).toMatchObject([
      { code: 'files-not-recorded' },
      { code: 'worker-lost', memberId: 'sarah', worker: 'gpu_box' },
    ]);
    await vi.waitFor(() => expect(box.news.map(({ kind }) => kind)).toEqual(['asked', 'withdrawn']), 5000);
    expect(await leftTurns()).toBe(0);
    expect(await conversation.retry()).toBe(1);
    await conversation.cancel();
    await conversation.settled();
  });

  test('that no worker takes says so after a while, and fails in the end', async () => {
    const kim = await sit();
    const team = remoteTeam({ name: 'sarah', runsOn: 'cpu_box' });
    const limits = { ...team.limits, waitMinutes: 6 / 60 };
    const conversation = await kim.create({ ...team, limits }, kim.own);
    const heard = listen(conversation);
    await conversation.send('[NEXT: sarah] Go.');
    const told = await heard.until((event) => event.type === 'turn-progress');
    expect(told).toMatchObject({ event: { type: 'waiting', worker: 'cpu_box' } });
    await conversation.settled();
    expect(await endOf(conversation)).toMatchObject({
      result: {
        kind: 'failed',
        failure: { code: 'NO_WORKER', worker: 'cpu_box', member: 'sarah', minutes: 0.1 },
      },
    });
    expect(await leftTurns()).toBe(0);
  });

  test('for a role that is no worker fails at once', async () => {
    const kim = await sit();
    const conversation = await kim.create(remoteTeam({ name: 'sarah', runsOn: 'nobody' }), kim.own);
    await conversation.send('[NEXT: sarah] Go.');
    await conversation.settled();
    expect(await endOf(conversation)).toMatchObject({
      result: { kind: 'failed', failure: { code: 'NO_WORKER', worker: 'nobody', isUnknown: true } },
    });
  });

  test('waits while its account has no place, and says which', async () => {
    const kim = await sit();
    const gate = join(makeTemporaryFolder(), 'gate');
    await startWorker(server(), {
      members: [
        { name: 'sarah', command: hanging(gate), account: 'acme' },
        { name: 'fixer', command: echo(), account: 'acme' },
      ],
      accounts: { acme: 1 },
      keyFile: kim.keyFile,
    });
    const [first, second] = [
      await kim.create(remoteTeam({ name: 'sarah' }), kim.own),
      await kim.create(remoteTeam({ name: 'fixer' }), kim.own),
    ];
    const [atFirst, atSecond] = [listen(first), listen(second)];
    await first.send('[NEXT: sarah] Go.');
    await atFirst.until((event) => event.type === 'turn-progress' && event.event.type === 'text-delta');
    await second.send('[NEXT: fixer] Go.');
    const told = await atSecond.until(
      (event) => event.type === 'turn-progress' && event.event.type === 'waiting' && !event.event.isOver,
    );
    expect(told).toMatchObject({ event: { account: 'acme', running: 1, atOnce: 1, lastSeen: 0 } });
    writeFileSync(gate, '');
    await Promise.all([first.settled(), second.settled()]);
    for (const conversation of [first, second])
      expect(await endOf(conversation)).toMatchObject({ result: { kind: 'completed' } });
  });

  describe('of members that may edit', () => {
    test('is the only one of its folder, whatever the worker could run at once', async () => {
      const kim = await sit();
      const folder = makeTemporaryFolder();
      const log = join(folder, 'log');
      const command = echo(
        `const { appendFileSync } = require('fs'); appendFileSync('${log}', '<'); setTimeout(() => { appendFileSync('${log}', '>'); console.log('done'); }, 200)`,
      );
      const entry = (name: string) => ({ name, command, permission: 'edit', folder });
      await startWorker(server(), { members: [entry('sarah'), entry('fixer')], keyFile: kim.keyFile });
      const conversations = await Promise.all(
        ['sarah', 'fixer'].map((name) => kim.create(remoteTeam({ name }), kim.own)),
      );
      await Promise.all(
        conversations.map((conversation, index) =>
          conversation.send(`[NEXT: ${index === 0 ? 'sarah' : 'fixer'}] Go.`),
        ),
      );
      await Promise.all(conversations.map((conversation) => conversation.settled()));
      expect(readFileSync(log, 'utf8')).toBe('<><>');
    });
  });

  test('is finished when the worker is asked to stop once, and interrupted when twice', async () => {
    const kim = await sit();
    const gate = join(makeTemporaryFolder(), 'gate');
    const box = await startWorker(server(), {
      members: [{ name: 'sarah', command: hanging(gate) }],
      keyFile: kim.keyFile,
    });
    const conversation = await kim.create(remoteTeam({ name: 'sarah' }), kim.own);
    const heard = listen(conversation);
    await conversation.send('[NEXT: sarah] Go.');
    await heard.until((event) => event.type === 'turn-progress' && event.event.type === 'text-delta');
    box.finish.abort();
    writeFileSync(gate, '');
    await box.running;
    await conversation.settled();
    expect(await endOf(conversation)).toMatchObject({ result: { kind: 'completed' } });

    const other = await startWorker(server(), {
      members: [{ name: 'sarah', command: hanging() }],
      keyFile: kim.keyFile,
    });
    await conversation.send('[NEXT: sarah] Again.');
    await heard.until(
      (event) =>
        event.type === 'turn-progress' && event.turnId === 'turn-2' && event.event.type === 'text-delta',
    );
    other.finish.abort();
    other.stop.abort();
    await other.running;
    await conversation.settled();
    expect((await endsOf(conversation)).at(-1)).toMatchObject({
      result: { kind: 'interrupted', draft: 'begun' },
    });
    expect(existsSync(gate)).toBe(true);
  });
});

async function endsOf(conversation: Conversation): Promise<RecordedEvent[]> {
  return (await toArray(conversation.history())).filter(({ type }) => type === 'turn-end');
}

async function endOf(conversation: Conversation): Promise<RecordedEvent | undefined> {
  return (await endsOf(conversation)).at(-1);
}

function endSeqOf(log: readonly RecordedEvent[]): number {
  return log.findLast(({ type }) => type === 'turn-end')?.seq ?? 0;
}
