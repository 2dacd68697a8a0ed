import { tmpdir } from 'node:os';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { AgentManager } from '../../src/agents/AgentManager.js';
import { ConversationStarter } from '../../src/coordinator/ConversationStarter.js';
import { askFleet, readFleetState, withdrawFleet } from '../../src/machines/fleets.js';
import { FleetHolder, type FleetNews, type FleetOpening } from '../../src/machines/holdFleet.js';
import { openShared } from '../../src/machines/JoinedConversation.js';
import { WorkerMemory } from '../../src/machines/WorkerMemory.js';
import type { AgentEvent } from '../../src/models/AgentEvent.js';
import type { ConversationId } from '../../src/models/ids.js';
import type { Team } from '../../src/models/Team.js';
import type { WorkerFile } from '../../src/models/WorkerFile.js';
import { inviteRole } from '../../src/store/postgres/administer.js';
import type { LeaseTimes } from '../../src/store/postgres/PostgresPresence.js';
import { openPostgresStore, type PostgresStore } from '../../src/store/postgres/PostgresStore.js';
import { toArray } from '../../src/utils/AnyIterable.js';
import { createKeyText, readKeyText, type SigningKey } from '../../src/utils/ed25519.js';
import { makeTemporaryFolder } from '../config/temporaryFolder.js';
import { answers, type Play } from '../coordinator/stage.js';
import { agent, person, team } from '../coordinator/teams.js';
import { describePostgres } from '../postgres/describePostgres.js';
import { openDatabase } from '../postgres/openDatabase.js';
import { makeFreshStore } from '../store/postgres/freshStore.js';

const REVIEW = team([person('ci'), agent('max'), agent('tom', { permission: 'edit' })]);

function makeKey(): SigningKey {
  const key = readKeyText(createKeyText());
  if (key === undefined) throw new Error('No key');
  return key;
}

const key = makeKey();

function openWith(play: Play, held: Team, store: PostgresStore, { id, isBegun }: FleetOpening) {
  const agents = new AgentManager({
    workingFolder: tmpdir(),
    createAdapter: () => ({ runTurn: ({ memberName, prompt }, signal) => play(memberName, prompt, signal) }),
  });
  const options = { id, team: held, store, agents };
  return isBegun ? new ConversationStarter().resume(options) : new ConversationStarter().start(options);
}

/** A turn that ends with its signal only. */
async function* hang(signal: AbortSignal): AsyncGenerator<AgentEvent> {
  await new Promise((resolve) => signal.addEventListener('abort', resolve));
  yield { type: 'end', outcome: { kind: 'cancelled', draft: '' } };
}

describePostgres('a fleet', (server) => {
  beforeEach(async () => {
    await makeFreshStore(server(), 'ci');
    await server().createRole('ci_fleet');
    await inviteRole(server().url(), 'ci_fleet', { worker: true });
  });

  async function open(
    role: string,
    options: Pick<WorkerOptions, 'host' | 'leaseTimes'> = {},
  ): Promise<{ store: PostgresStore }> {
    const store = await openPostgresStore({ url: server().url(role), ...options });
    onTestFinished(() => store.close());
    return { store };
  }

  interface WorkerOptions {
    readonly host?: string;
    readonly leaseTimes?: LeaseTimes;
    readonly file?: Partial<WorkerFile>;
    readonly team?: Team;
    /** The disk of the machine. Default: one of its own. */
    readonly disk?: string;
  }

  /** A worker whose agents play in its own process; it is stopped with the test. */
  async function startWorker(
    play: Play,
    { file = {}, team: held = REVIEW, disk = makeTemporaryFolder(), ...options }: WorkerOptions = {},
  ) {
    const { store } = await open('ci_fleet', options);
    const news: FleetNews[] = [];
    const holder = new FleetHolder({
      store,
      memory: new WorkerMemory(disk, store.database.storeId),
      file: {
        atOnce: 4,
        askers: new Map([['ci', key.publicKey]]),
        teams: new Map([['pr-review', { file: '/srv/review.jsonc', folder: '/srv' }]]),
        ...file,
      },
      loadTeam: async () => ({ team: held, open: (opening) => openWith(play, held, store, opening) }),
      onNews: (each) => news.push(each),
    });
    const [leaving, stopping] = [new AbortController(), new AbortController()];
    const done = holder.run(leaving.signal, stopping.signal);
    const leave = () => leaving.abort();
    const stop = () => {
      leave();
      stopping.abort();
      return done;
    };
    onTestFinished(stop);
    return { news, leave, stop };
  }

  async function ask(message: string, parts: { subject?: string; team?: string; key?: SigningKey } = {}) {
    const asker = await open('ci');
    const id = await askFleet({ ...asker, key, on: 'ci_fleet', team: 'pr-review', message, ...parts });
    return { ...asker, id };
  }

  const ended = (store: PostgresStore, id: ConversationId) =>
    expect.poll(() => readFleetState(store, id), { timeout: 20_000 }).toBe('ended');

  async function said(store: PostgresStore, id: ConversationId): Promise<string[]> {
    const reader = await store.read(id);
    const events = await toArray(reader.read());
    await reader.close();
    return events.flatMap((event) =>
      event.type === 'message-added' ? [`${event.message.speaker.roleId}: ${event.message.content}`] : [],
    );
  }

  test('holds a conversation of one of its teams to its end; the message is proven to be of the role that asked', async () => {
    const { store, id } = await ask('Review it. @max');
    expect(await readFleetState(store, id)).toBe('asked');
    const { news } = await startWorker(() => answers('Fine.'));
    await ended(store, id);
    expect(await said(store, id)).toEqual(['ci: Review it. @max', 'max: Fine.']);
    expect(news.map(({ kind }) => kind)).toEqual(['begun', 'ended']);
    expect(await server().admin('SELECT role, kind, seq IS NOT NULL AS became FROM huddle.wish')).toEqual([
      { role: 'ci', kind: 'say', became: true },
    ]);
  });

  test('goes on elsewhere when its machine is gone; no turn is run twice', async () => {
    const { store, id } = await ask('@max @tom Review it.');
    const started: string[] = [];
    const hanging: Play = (name, _, signal) => {
      started.push(name);
      return hang(signal);
    };
    const gone = await startWorker(hanging, { host: 'one' });
    await expect.poll(() => started, { timeout: 20_000 }).toEqual(['max']);
    gone.leave();
    await loseMachine('one');
    const next = await startWorker((name) => answers(`${name} is done.`), { host: 'two' });
    await ended(store, id);
    expect(next.news.map(({ kind }) => kind)).toEqual(['resumed', 'ended']);
    expect(await said(store, id)).toEqual(['ci: @max @tom Review it.', 'tom: tom is done.']);
  });

  test('begins nothing again that a machine has run, whatever the owner of the database does', async () => {
    const disk = makeTemporaryFolder();
    const { store, id } = await ask('Review it. @max');
    const [asked] = await server().admin<{ request: string; said: string }>(
      'SELECT request, said FROM huddle.fleet',
    );
    const started: string[] = [];
    const playing: Play = (name) => {
      started.push(name);
      return answers('Fine.');
    };
    const { news } = await startWorker(playing, { disk });
    await ended(store, id);
    for (const deletesConversation of [false, true]) {
      if (deletesConversation) await server().admin('DELETE FROM huddle.conversation');
      await server().admin("UPDATE huddle.fleet SET state = 'asked', request = $1, said = $2", [
        asked?.request,
        asked?.said,
      ]);
      await expect.poll(fleetState, { timeout: 20_000 }).toBe('refused');
    }
    expect(news.at(-1)).toMatchObject({ kind: 'refused', refusal: { because: 'asked-before' } });
    expect(started).toEqual(['max']);
  });

  async function fleetState(): Promise<string | undefined> {
    return (await server().admin<{ state: string }>('SELECT state FROM huddle.fleet'))[0]?.state;
  }

  /** What the database sees of a machine without power. */
  async function loseMachine(host: string): Promise<void> {
    await server().admin("UPDATE huddle.process SET expires = now() - interval '1 s' WHERE host = $1", [
      host,
    ]);
  }

  test('runs an interrupted turn of a reader again, once, if the team says so', async () => {
    const { store, id } = await ask('@max @tom Review it.');
    const again: Team = { ...REVIEW, retryInterrupted: 'read' };
    const hanging: Play = (_, __, signal) => hang(signal);
    for (const host of ['one', 'two']) {
      const gone = await startWorker(hanging, { host, team: again });
      await expect.poll(() => runningIn(id), { timeout: 20_000 }).toBe(host === 'one' ? 'turn-1' : 'turn-3');
      gone.leave();
      await loseMachine(host);
    }
    await startWorker((name) => answers(`${name} is done.`), { host: 'three', team: again });
    await ended(store, id);
    expect(await said(store, id)).toEqual(['ci: @max @tom Review it.', 'tom: tom is done.']);
  });

  async function runningIn(id: ConversationId): Promise<string | undefined> {
    const { store } = await open('ci');
    const reader = await store.read(id).catch(() => undefined);
    const events = reader === undefined ? [] : await toArray(reader.read());
    await reader?.close();
    const last = events.findLast((event) => event.type === 'turn-start' || event.type === 'turn-end');
    return last?.type === 'turn-start' ? last.turnId : undefined;
  }

  test('gives back what it holds when it is told to stop, and another one goes on', async () => {
    const { store, id } = await ask('@max @tom Review it.');
    const first = await startWorker((_, __, signal) => hang(signal));
    await expect.poll(() => runningIn(id), { timeout: 20_000 }).toBe('turn-1');
    await first.stop();
    expect(first.news.at(-1)).toEqual({ kind: 'given-back', id });
    await startWorker((name) => answers(`${name} is done.`));
    await ended(store, id);
  });

  describe('whose team lets turns of readers run again', () => {
    const again: Team = { ...REVIEW, retryInterrupted: 'read' };

    /** Plays a team whose reader hangs in its first turn; gives whose turns began. */
    function hangOnce() {
      const started: string[] = [];
      const play: Play = (name, _, signal) => {
        started.push(name);
        return started.length === 1 ? hang(signal) : answers(`${name} is done.`);
      };
      return { started, play };
    }

    test('runs one again that was stopped with its worker', async () => {
      const { store, id } = await ask('@max @tom Review it.');
      const { started, play } = hangOnce();
      const first = await startWorker(play, { team: again });
      await expect.poll(() => started, { timeout: 20_000 }).toEqual(['max']);
      await first.stop();
      await startWorker(play, { team: again });
      await ended(store, id);
      expect(await said(store, id)).toEqual([
        'ci: @max @tom Review it.',
        'max: max is done.',
        'tom: tom is done.',
      ]);
    });

    test('runs one again that was stopped because the worker could not say that it lives', async () => {
      const { store, id } = await ask('@max Review it.');
      const { started, play } = hangOnce();
      const leaseTimes = { lease: 4000, renewEvery: 200, stopAfter: 800 };
      await startWorker(play, { team: again, host: 'slow', leaseTimes });
      await expect.poll(() => runningIn(id), { timeout: 20_000 }).toBe('turn-1');
      const blocking = await openDatabase(server().url());
      await blocking.transaction(async (query) => {
        await query("SELECT FROM huddle.process WHERE host = 'slow' FOR UPDATE");
        await expect.poll(() => runningIn(id), { timeout: 20_000 }).toBeUndefined();
      });
      await ended(store, id);
      expect(started).toEqual(['max', 'max']);
      expect(await said(store, id)).toEqual(['ci: @max Review it.', 'max: max is done.']);
    });

    test('does not run one again that a person stopped, also when its worker is stopped then', async () => {
      const { store, id } = await ask('@max Review it.');
      const { started, play } = hangOnce();
      const first = await startWorker(play, { team: again });
      await expect.poll(() => runningIn(id), { timeout: 20_000 }).toBe('turn-1');
      const hold = () => openWith(play, again, store, { id, subject: undefined, isBegun: true });
      const followed = await openShared({ store, id, team: again, hold });
      onTestFinished(() => followed.close());
      await Promise.all([followed.cancel(), expect.poll(() => runningIn(id)).toBeUndefined()]);
      await first.stop();
      await startWorker(play, { team: again });
      await ended(store, id);
      expect(started).toEqual(['max']);
      expect(await said(store, id)).toEqual(['ci: @max Review it.']);
    });
  });

  test('goes on by itself after it could not say for a while that it lives', async () => {
    const { store, id } = await ask('@max @tom Review it.');
    const leaseTimes = { lease: 4000, renewEvery: 200, stopAfter: 800 };
    const worker = await startWorker(
      (name, _, signal) => (name === 'max' ? hang(signal) : answers('Done.')),
      {
        host: 'slow',
        leaseTimes,
      },
    );
    await expect.poll(() => runningIn(id), { timeout: 20_000 }).toBe('turn-1');
    const blocking = await openDatabase(server().url());
    await blocking.transaction(async (query) => {
      await query("SELECT FROM huddle.process WHERE host = 'slow' FOR UPDATE");
      await expect.poll(() => runningIn(id), { timeout: 20_000 }).toBeUndefined();
    });
    await ended(store, id);
    expect(worker.news.map(({ kind }) => kind)).toEqual(['begun', 'given-back', 'resumed', 'ended']);
    expect(await said(store, id)).toEqual(['ci: @max @tom Review it.', 'tom: Done.']);
  });

  const refusals: [string, object, object][] = [
    ['a key that it does not know', { key: makeKey() }, { because: 'unknown-key', asker: 'ci' }],
    ['a team that it does not have', { team: 'other' }, { because: 'no-team', team: 'other' }],
    ['a subject that is a command', { subject: '$(id)' }, { because: 'bad-subject' }],
  ];
  test.each(refusals)('refuses %s, and starts nothing', async (_, parts, refusal) => {
    const { store, id } = await ask('Review it. @max', parts);
    const started: string[] = [];
    await startWorker((name) => {
      started.push(name);
      return answers('No.');
    });
    await expect
      .poll(() => readFleetState(store, id).catch((error) => error.facts), { timeout: 20_000 })
      .toMatchObject({ worker: 'ci_fleet', refusal });
    expect(started).toEqual([]);
    expect(await store.find(id)).toEqual([]);
  });

  test.each([
    [
      'another message',
      `UPDATE huddle.fleet SET request = replace(request, 'Review', 'Delete'), said = replace(said, 'Review', 'Delete')`,
    ],
    ['another message to say', `UPDATE huddle.fleet SET said = replace(said, 'Review', 'Delete')`],
    ['another team', `UPDATE huddle.fleet SET request = replace(request, 'pr-review', 'pr-other')`],
    [
      'a later end',
      `UPDATE huddle.fleet SET request = regexp_replace(request, '"expires":\\d+', '"expires":9999999999999')`,
    ],
  ])('refuses a request into which the owner of the database wrote %s', async (_, statement) => {
    const { store, id } = await ask('Review it. @max');
    await server().admin(statement);
    const started: string[] = [];
    await startWorker(
      (name) => {
        started.push(name);
        return answers('No.');
      },
      {
        file: { teams: new Map(['pr-review', 'pr-other'].map((name) => [name, { file: '/', folder: '/' }])) },
      },
    );
    await expect
      .poll(() => readFleetState(store, id).catch((error) => error.facts?.refusal.because), {
        timeout: 20_000,
      })
      .toMatch(/bad-signature|other-turn/u);
    expect(started).toEqual([]);
  });

  test('refuses a role that is nobody in the team', async () => {
    const { store, id } = await ask('Review it. @max');
    await startWorker(() => answers('No.'), { team: team([person('kim'), agent('max')]) });
    await expect
      .poll(() => readFleetState(store, id).catch((error) => error.facts?.refusal), { timeout: 20_000 })
      .toEqual({ because: 'no-person', asker: 'ci', team: 'pr-review' });
    expect(await store.find(id)).toEqual([]);
  });

  test('does nothing about a request that was taken back', async () => {
    const { store, id } = await ask('Review it. @max');
    expect(await withdrawFleet(store, id)).toBe(true);
    const later = await ask('And this. @max');
    const { news } = await startWorker(() => answers('Yes.'));
    await ended(store, later.id);
    expect(new Set(news.map((each) => each.id))).toEqual(new Set([later.id]));
  });

  test('a role of which no worker was invited is told so', async () => {
    await expect(
      askFleet({ ...(await open('ci')), key, on: 'nobody', team: 'pr-review', message: 'Hello' }),
    ).rejects.toMatchObject({ code: 'UNKNOWN_WORKER' });
    expect(await server().admin('SELECT * FROM huddle.fleet')).toEqual([]);
  });
});
