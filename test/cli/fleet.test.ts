import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
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
