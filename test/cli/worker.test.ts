import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { describePostgres } from '../postgres/describePostgres.js';
import type { TestPostgres } from '../postgres/TestPostgres.js';
import { createMachine, finished, type Machine, saying } from './runHuddle.js';
import { createMember, createStore, DONE, succeed } from './sharedStore.js';
import { ID } from './storedSessions.js';

/** The machine of a worker whose file lets kim ask. */
async function createWorker(owner: Machine, server: TestPostgres, file: object): Promise<Machine> {
  await server.createRole('gpu_box');
  await succeed(owner, 'store', 'invite', 'work', 'gpu_box', '--worker');
  const machine = createMachine();
  machine.install('claude', 'codex');
  await succeed(machine, 'store', 'add', 'work', server.url('gpu_box'));
  writeWorkerFile(machine, file);
  return machine;
}

function writeWorkerFile({ folder }: Machine, file: object, mode = 0o600): string {
  const path = join(folder, '.config', 'huddle', 'worker.jsonc');
  mkdirSync(join(folder, '.config', 'huddle'), { recursive: true });
  writeFileSync(path, JSON.stringify({ version: 1, store: 'work', ...file }));
  chmodSync(path, mode);
  return path;
}

function startWorker(machine: Machine) {
  const child = machine.start(['worker'], { env: DONE });
  const ended = finished(child);
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return { child, ended, isHere: saying(child.stderr, /Press Ctrl-C to stop/u) };
}

const REMOTE = {
  members: [
    { name: 'kim', type: 'human' },
    { name: 'sarah', type: 'ai', agentType: 'codex', runsOn: 'gpu_box' },
  ],
};

describePostgres('huddle worker', (server) => {
  test('runs the turns of its members for those whose key it knows, and says who asked', async () => {
    const owner = await createStore(server());
    const kim = await createMember(owner, server(), 'kim', REMOTE);
    const key = (await succeed(kim, 'key')).trim();
    const box = await createWorker(owner, server(), {
      askers: { kim: key },
      members: [{ name: 'sarah', agentType: 'codex', folder: createMachine().project }],
    });
    const { child, ended, isHere } = startWorker(box);
    await isHere;
    const run = await kim.run(['run', '--store', 'work', 'Go. [NEXT: sarah]']);
    expect(run).toMatchObject({ code: 0, stdout: 'Done.\n' });
    expect(run.stderr).toContain('File changes of turns that run on gpu_box are not recorded');
    const id = ID.exec(run.stderr)?.[0] ?? '';
    expect(await succeed(kim, 'why', '1', '--session', id, '--store', 'work')).toContain('verified');
    child.kill('SIGINT');
    const { code, stderr } = await ended;
    expect(code).toBe(0);
    expect(stderr).toContain(`kim asked sarah (turn-1 of ${id})`);
    expect(stderr).toContain('sarah finished after');
    expect(stderr).not.toContain('Done.');
  });

  test('refuses a key that it does not know, and both sides read which line is missing', async () => {
    const owner = await createStore(server());
    const kim = await createMember(owner, server(), 'kim', REMOTE);
    const key = (await succeed(kim, 'key')).trim();
    const box = await createWorker(owner, server(), {
      members: [{ name: 'sarah', agentType: 'codex', folder: createMachine().project }],
    });
    const { child, ended, isHere } = startWorker(box);
    await isHere;
    const { code, stderr } = await kim.run(['run', '--store', 'work', 'Go. [NEXT: sarah]']);
    expect(code).toBe(1);
    const line = `Add to "askers" in its worker file: "kim": "${key}"`;
    expect(stderr).toContain('gpu_box does not know the key of this machine');
    expect(stderr).toContain(line);
    child.kill('SIGTERM');
    expect((await ended).stderr).toContain(line);
  });

  test('is not started by a file that others may change, nor by one that is wrong', async () => {
    const owner = await createStore(server());
    const box = await createWorker(owner, server(), {});
    writeWorkerFile(box, {}, 0o666);
    expect(await box.run(['worker'])).toMatchObject({
      code: 77,
      stderr: expect.stringContaining('chmod go-w'),
    });
    writeWorkerFile(box, { members: [{ name: 'sarah' }] });
    expect(await box.run(['worker'])).toMatchObject({
      code: 78,
      stderr: expect.stringContaining('`folder` is missing'),
    });
  });

  test('is needed: without a shared store a team with such a member does not start', async () => {
    const owner = await createStore(server());
    const kim = await createMember(owner, server(), 'kim', REMOTE);
    expect(await kim.run(['run', 'Go. [NEXT: sarah]'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        'sarah runs on another machine ("runsOn"), which needs a shared store.',
      ),
    });
  });
});
