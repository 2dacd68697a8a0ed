import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { loadMachineKey } from '../../src/config/machineKey.js';
import type { Conversation } from '../../src/coordinator/Conversation.js';
import type { RecordedEvent } from '../../src/models/ConversationEvent.js';
import { inviteRole } from '../../src/store/postgres/administer.js';
import { toArray } from '../../src/utils/AnyIterable.js';
import { makeTemporaryFolder } from '../config/temporaryFolder.js';
import { describePostgres } from '../postgres/describePostgres.js';
import { isFull } from '../soak/isFull.js';
import { bundleProgram } from '../store/bundleProgram.js';
import { makeFreshStore } from '../store/postgres/freshStore.js';
import { SHORT_LEASE, sitDown } from './table.js';
import { echo, remoteTeam } from './workerStage.js';

const ROUNDS = isFull ? 50 : 4;
const TIMES = SHORT_LEASE;
/** A turn whose worker is gone is said to be interrupted within its lease and five seconds. */
const WITHIN = TIMES.lease + 5000;
/** One that no worker had taken yet comes again when its job does, and runs. */
const COMES_AGAIN = 20_000 + 5000;

let program: string;

beforeAll(async () => {
  program = await bundleProgram(new URL('workerProgram.ts', import.meta.url));
});

afterAll(() => rmSync(dirname(program), { recursive: true }));

describePostgres('workers that are killed and stopped at random moments', (server) => {
  beforeAll(async () => {
    await makeFreshStore(server(), 'kim', 'gpu_box');
    await inviteRole(server().url(), 'gpu_box', { worker: true });
  });

  /** Everything that the machine of the worker has, and what its agents have begun. */
  const setUp = async () => {
    const folder = makeTemporaryFolder();
    const keyFile = join(folder, 'key.pem');
    const { publicKey } = await loadMachineKey(keyFile);
    const begun = join(folder, 'begun');
    const path = join(folder, 'worker.jsonc');
    mkdirSync(join(folder, 'work'));
    const work = `require('fs').appendFileSync('${begun}', process.env.HUDDLE_TURN + '\\n'); process.stdout.write('begun '); setTimeout(() => console.log('done'), Math.random() * 400)`;
    const members = [{ name: 'sarah', agentType: 'command', folder: 'work', command: echo(work) }];
    writeFileSync(path, JSON.stringify({ version: 1, askers: { kim: publicKey }, members }), { mode: 0o600 });
    const start = async (): Promise<ChildProcess> => {
      const args = [program, server().url('gpu_box'), path, join(folder, 'memory'), JSON.stringify(TIMES)];
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
      onTestFinished(() => void child.kill('SIGKILL'));
      await once(child.stdout as NodeJS.ReadableStream, 'data');
      return child;
    };
    const kim = await sitDown(server(), 'kim');
    const conversation = await kim.create(remoteTeam({ name: 'sarah' }), { keyFile, rehearsal: undefined });
    return { begun, start, conversation };
  };

  test(`kill -9, ${ROUNDS} times: every turn ends, none is run twice, and none is stuck`, async () => {
    const { begun, start, conversation } = await setUp();
    let child = await start();
    const waits: Waits = [];
    for (let round = 0; round < ROUNDS; round++) {
      const settled = conversation.send('[NEXT: sarah] Go.').then(() => conversation.settled());
      await delay(Math.random() * 600);
      const died = performance.now();
      child.kill('SIGKILL');
      const next = start();
      await settled;
      waits.push([await lastEnd(conversation), performance.now() - died]);
      child = await next;
    }
    expectEnded(await toArray(conversation.history()), begun);
    expectSoon(waits);
    expect(await server().admin('SELECT * FROM huddle.turn')).toEqual([]);
  }, 600_000);

  test(`SIGSTOP past the lease, ${ROUNDS} times: the late report is refused, and the agent is stopped`, async () => {
    const { begun, start, conversation } = await setUp();
    const waits: Waits = [];
    for (let round = 0; round < ROUNDS; round++) {
      const child = await start();
      const settled = conversation.send('[NEXT: sarah] Go.').then(() => conversation.settled());
      await delay(Math.random() * 600);
      const stopped = performance.now();
      child.kill('SIGSTOP');
      const other = await start();
      await settled;
      waits.push([await lastEnd(conversation), performance.now() - stopped]);
      child.kill('SIGCONT');
      await delay(TIMES.lease / 4);
      const ends = (await toArray(conversation.history())).filter(({ type }) => type === 'turn-end');
      expect(ends).toHaveLength(round + 1);
      for (const one of [child, other]) {
        one.kill('SIGKILL');
        if (one.exitCode === null && one.signalCode === null) await once(one, 'exit');
      }
    }
    expectEnded(await toArray(conversation.history()), begun);
    expectSoon(waits);
    expect(await server().admin('SELECT * FROM huddle.turn')).toEqual([]);
  }, 600_000);
});

/** Ends of turns, and how long after its worker was gone each came. */
type Waits = (readonly [end: string, milliseconds: number])[];

function expectSoon(waits: Waits): void {
  for (const [end, milliseconds] of waits)
    expect(milliseconds).toBeLessThan(end === 'interrupted' ? WITHIN : COMES_AGAIN);
}

async function lastEnd(conversation: Conversation): Promise<string> {
  const ends = (await toArray(conversation.history())).filter((event) => event.type === 'turn-end');
  return ends.at(-1)?.result.kind ?? 'none';
}

/** Each turn that was started has one end, completed or interrupted, and its agent was started once at most. */
function expectEnded(events: readonly RecordedEvent[], begun: string): void {
  const started = events.flatMap((event) => (event.type === 'turn-start' ? [event.turnId] : []));
  const ended = events.flatMap((event) => (event.type === 'turn-end' ? [event] : []));
  expect(ended.map(({ turnId }) => turnId)).toEqual(started);
  for (const { result } of ended) expect(['completed', 'interrupted']).toContain(result.kind);
  const runs = existsSync(begun) ? readFileSync(begun, 'utf8').trim().split('\n') : [];
  expect(new Set(runs).size).toBe(runs.length);
  const answers = events.filter((event) => event.type === 'message-added' && event.turnId !== undefined);
  expect(answers).toHaveLength(ended.filter(({ result }) => result.kind === 'completed').length);
}
