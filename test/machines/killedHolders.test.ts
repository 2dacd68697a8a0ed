import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { ConversationId } from '../../src/models/ids.js';
import { openPostgresStore } from '../../src/store/postgres/PostgresStore.js';
import { toArray } from '../../src/utils/AnyIterable.js';
import { describePostgres } from '../postgres/describePostgres.js';
import type { TestPostgres } from '../postgres/TestPostgres.js';
import { isFull } from '../soak/isFull.js';
import { bundleProgram } from '../store/bundleProgram.js';
import { makeFreshStore } from '../store/postgres/freshStore.js';
import { sitDown, teamOfPeople } from './table.js';

const KILLS = isFull ? 50 : 2;
const ROLES = ['bob', 'kim', 'lea'];
/** Short ones, so that a dead holder is replaced within a second. */
const TIMES = { lease: 900, renewEvery: 200, stopAfter: 600 };

let program: string;

beforeAll(async () => {
  program = await bundleProgram(new URL('speakerProgram.ts', import.meta.url));
});

afterAll(() => rmSync(dirname(program), { recursive: true }));

/** A role that speaks all the time, started again whenever it was killed. */
class Speaker {
  readonly lines: string[] = [];
  readonly #start: (run: number) => ChildProcess;
  #child: ChildProcess;
  #run = 1;

  constructor(start: (run: number) => ChildProcess) {
    this.#start = start;
    this.#child = this.#listen(start(1));
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  said(): readonly string[] {
    return this.lines.filter((line) => line.startsWith('said ')).map((line) => line.slice('said '.length));
  }

  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.kill('SIGKILL');
    await once(this.#child, 'exit');
  }

  startAgain(): void {
    this.#child = this.#listen(this.#start(++this.#run));
  }

  #listen(child: ChildProcess): ChildProcess {
    createInterface({ input: child.stdout as NonNullable<ChildProcess['stdout']> }).on('line', (line) =>
      this.lines.push(line),
    );
    return child;
  }
}

describePostgres('people who speak while holders are killed', (server) => {
  test(
    `${KILLS} times: nothing that was acknowledged is lost, nothing is doubled, each is in order`,
    async () => {
      await makeFreshStore(server(), ...ROLES);
      const bob = await sitDown(server(), 'bob');
      const id = 'talk' as ConversationId;
      await (await bob.create(teamOfPeople(...ROLES), { id })).close();
      const speakers = new Map(ROLES.map((role) => [role, startSpeaker(server(), role, id)]));
      onTestFinished(async () => {
        for (const speaker of speakers.values()) await speaker.kill();
      });

      for (let killed = 0; killed < KILLS; killed++) {
        const { role, pid } = await findHolder(server(), id);
        const before = new Map([...speakers].map(([name, speaker]) => [name, speaker.said().length]));
        await wait(Math.random() * 200);
        const speaker = speakers.get(role) as Speaker;
        expect(speaker.pid).toBe(pid);
        await speaker.kill();
        // Those who live go on: one of them holds the conversation soon, and all are heard.
        const others = [...speakers].filter(([name]) => name !== role);
        await until(() =>
          others.every(([name, other]) => other.said().length >= (before.get(name) ?? 0) + 5),
        );
        speaker.startAgain();
        await until(() => speaker.said().length > (before.get(role) ?? 0));
      }
      for (const speaker of speakers.values()) await speaker.kill();

      const recorded = await readSaid(server(), id);
      const acknowledged = [...speakers.values()].flatMap((speaker) => speaker.said());
      const refused = [...speakers.values()].flatMap(({ lines }) =>
        lines.filter((line) => line.startsWith('refused')),
      );
      expect(refused).toEqual([]);
      expect(acknowledged.filter((text) => !recorded.includes(text))).toEqual([]);
      expect(recorded.length).toBe(new Set(recorded).size);
      for (const role of ROLES) {
        const own = recorded.filter((text) => text.startsWith(`${role} `));
        expect(own).toEqual(own.toSorted(byNumber));
      }
      if (isFull)
        console.info(`${acknowledged.length} messages, ${recorded.length} recorded, ${KILLS} holders killed`);
    },
    KILLS * 60_000,
  );
});

function startSpeaker(server: TestPostgres, role: string, id: ConversationId): Speaker {
  return new Speaker((run) =>
    spawn(process.execPath, [program, role, String(run), id, server.url(role), JSON.stringify(TIMES)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  );
}

/** The living process that holds the conversation, once one does. */
async function findHolder(server: TestPostgres, id: ConversationId): Promise<{ role: string; pid: number }> {
  for (;;) {
    const [row] = await server.admin<{ role: string; pid: number }>(
      `SELECT p.role, p.pid FROM huddle.conversation c JOIN huddle.process p ON p.id = c.holder
       WHERE c.id = $1 AND p.expires > now()`,
      [id],
    );
    if (row !== undefined) return row;
    await wait(20);
  }
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await wait(20);
}

/** What was said, without the marker before it. */
async function readSaid(server: TestPostgres, id: ConversationId): Promise<string[]> {
  const store = await openPostgresStore({ url: server.url('kim') });
  try {
    const events = await toArray((await store.read(id)).read());
    expect(events.filter((event) => event.type === 'notice' && event.code === 'unproven-speaker')).toEqual(
      [],
    );
    return events.flatMap((event) =>
      event.type === 'message-added' ? [event.message.content.replace('[NEXT: bob] ', '')] : [],
    );
  } finally {
    await store.close();
  }
}

/** By run and number of a role: `kim 2.17`. */
function byNumber(one: string, other: string): number {
  const [[run = 0, number = 0], [otherRun = 0, otherNumber = 0]] = [one, other].map((text) =>
    (text.split(' ')[1] ?? '').split('.').map(Number),
  ) as [number[], number[]];
  return run - otherRun || number - otherNumber;
}
