import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isAlive } from '../agents/process/hostileAgent.js';
import { describePostgres } from '../postgres/describePostgres.js';
import type { TestPostgres } from '../postgres/TestPostgres.js';
import { createMachine, finished, type Machine, saying } from './runHuddle.js';
import { createMember, createStore, DONE, succeed } from './sharedStore.js';
import { ID } from './storedSessions.js';

const ASK = ['run', '--store', 'work', '--on', 'ci_fleet', '--team', 'pr-review'];

interface Fleet {
  readonly ci: Machine;
  readonly box: Machine;
}

/** A machine that asks, and one of a fleet with a team of two; its folder is prepared by a program of its own. */
async function createFleet(server: TestPostgres): Promise<Fleet> {
  const owner = await createStore(server);
  const ci = await createMember(owner, server, 'ci');
  const key = (await succeed(ci, 'key')).trim();
  await server.createRole('ci_fleet');
  await succeed(owner, 'store', 'invite', 'work', 'ci_fleet', '--worker');
  const box = createMachine();
  box.install('claude', 'codex');
  await succeed(box, 'store', 'add', 'work', server.url('ci_fleet'));
  const team = box.write('teams/review.jsonc', {
    version: 1,
    members: [
      { name: 'ci', type: 'human' },
      { name: 'max', type: 'ai', agentType: 'claude', permission: 'read' },
      { name: 'tom', type: 'ai', agentType: 'codex', permission: 'read' },
    ],
  });
  const checkout = box.write(
    'checkout',
    `#!/bin/sh\n/bin/mkdir -p checkouts/"$HUDDLE_SUBJECT"\necho "$HUDDLE_SUBJECT" >> subjects\necho "$PWD/checkouts/$HUDDLE_SUBJECT"\n`,
  );
  chmodSync(checkout, 0o755);
  const folder = join(box.folder, '.config', 'huddle');
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'worker.jsonc'),
    JSON.stringify({
      version: 1,
      store: 'work',
      askers: { ci: key },
      teams: { 'pr-review': { file: team, folder: box.project, prepare: [checkout] } },
    }),
    { mode: 0o600 },
  );
  return { ci, box };
}

function startWorker(machine: Machine, env: Readonly<Record<string, string>> = DONE) {
  const child = machine.start(['worker'], { env });
  const ended = finished(child);
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return { child, ended, isHere: saying(child.stderr, /Press Ctrl-C to stop/u) };
}

describePostgres('huddle run --on', (server) => {
  test('has a worker hold the conversation, and prints it to its end as a run here does', async () => {
    const { ci, box } = await createFleet(server());
    const { child, ended, isHere } = startWorker(box);
    await isHere;
    const run = await ci.run([...ASK, '--subject', 'acme/app#12', 'Review it. @max']);
    expect(run).toMatchObject({ code: 0, stdout: 'Done.\n' });
    const id = ID.exec(run.stderr)?.[0] ?? '';
    expect(await succeed(ci, 'show', id, '--store', 'work')).toContain('Review it.');
    child.kill('SIGINT');
    const { code, stderr } = await ended;
    expect(code).toBe(0);
    expect(stderr).toContain(`Holding ${id}`);
    expect(stderr).toContain(`${id} has ended`);
    expect(stderr).not.toContain('Done.');
  });

  test('detached prints the id and leaves, also when no worker is there yet', async () => {
    const { ci, box } = await createFleet(server());
    const { code, stdout } = await ci.run([...ASK, '--detach', 'Review it. @max']);
    expect(code).toBe(0);
    const id = stdout.trim();
    const { child } = startWorker(box);
    await saying(child.stderr, /has ended/u);
    expect(await succeed(ci, 'show', id, '--store', 'work')).toContain('Done.');
  });

  test('Ctrl-C takes the request back if no worker has begun; one that comes later runs nothing of it', async () => {
    const { ci, box } = await createFleet(server());
    const child = ci.start([...ASK, '--subject', 'early', 'Too early. @max'], { env: DONE });
    child.stdin.end();
    const ended = finished(child);
    await saying(child.stderr, /Waiting for a worker of ci_fleet …/u);
    child.kill('SIGINT');
    expect(await ended).toEqual({
      ...{ code: 130, signal: null, stdout: '' },
      stderr: 'Waiting for a worker of ci_fleet …\nThe request was taken back. Nothing was run.\n',
    });
    const worker = startWorker(box);
    await worker.isHere;
    expect(await ci.run([...ASK, '--subject', 'later', 'Go. @max'])).toMatchObject({ code: 0 });
    expect(readFileSync(join(box.project, 'subjects'), 'utf8')).toBe('later\n');
    expect(await ci.run(['sessions', '--all', '--store', 'work'])).toMatchObject({
      stdout: expect.not.stringContaining('Too early.'),
    });
  });

  test('Ctrl-C stops the turn that a worker runs there, and names the session to continue with', async () => {
    const { ci, box } = await createFleet(server());
    const pids = join(box.folder, 'pids');
    const worker = startWorker(box, { HOSTILE: 'hang', HOSTILE_PIDFILE: pids });
    await worker.isHere;
    const child = ci.start([...ASK, 'Review it. @max']);
    child.stdin.end();
    const ended = finished(child);
    await saying(child.stderr, /^Team: /mu);
    await expect.poll(() => existsSync(pids), { timeout: 20_000 }).toBe(true);
    child.kill('SIGINT');
    const { code, stdout, stderr } = await ended;
    const id = ID.exec(stderr)?.[0] ?? '';
    expect({ code, stdout }).toEqual({ code: 130, stdout: '' });
    expect(stderr).toContain('Stopping the running turns …\n');
    expect(stderr).toContain('error[TURN_CANCELLED]: max was stopped');
    expect(stderr).toMatch(
      new RegExp(`^Saved as ${id}\\. To continue: huddle --store work resume ${id}$`, 'mu'),
    );
    // Nothing of it is left there, and the worker lets go of it.
    const agents = readFileSync(pids, 'utf8')
      .trim()
      .split('\n')
      .map((line) => Number(line.split(' ')[0]));
    expect(agents.filter(isAlive)).toEqual([]);
    const { stdout: rest } = await ci.run(['resume', id, '--store', 'work']);
    expect(rest).toContain("max's turn-1 did not finish.");
    worker.child.kill('SIGINT');
    expect(await worker.ended).toMatchObject({ code: 0, stderr: expect.stringContaining(`${id} has ended`) });
  });

  test('ends with the codes of a run, and says why a worker refuses', async () => {
    const { ci, box } = await createFleet(server());
    const { isHere } = startWorker(box, { HOSTILE: 'fixed', HOSTILE_TEXT: 'Over to you. [NEXT: ci]' });
    await isHere;
    expect(
      await ci.run(['run', '--store', 'work', '--on', 'ci_fleet', '--team', 'other', 'Go. @max']),
    ).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('ci_fleet refused: it has no team "other".'),
    });
    expect(await ci.run([...ASK, 'Go. @max'])).toMatchObject({ code: 3 });
    expect(await ci.run(['run', '--store', 'work', '--on', 'nobody', '--team', 'x', 'Go.'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('No worker "nobody" in this store.'),
    });
  });

  test.each([
    [['--on', 'ci_fleet', 'Go.'], '--on needs --team NAME'],
    [['--subject', 'a', 'Go.'], '--subject needs --on ROLE.'],
    [['--detach', 'Go.'], '--detach needs --on ROLE.'],
    [['--on', 'ci_fleet', '--team', 'pr-review', 'Go.'], '--on needs a shared store'],
    [['--on', 'ci_fleet', '--team', 'pr-review', '--subject', '$(id)', 'Go.'], '--subject is "$(id)"'],
  ])('%j is a wrong use, which is told before anything is asked', async (args, told) => {
    const machine = createMachine();
    expect(await machine.run(['run', ...args])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(told),
    });
  });
});
