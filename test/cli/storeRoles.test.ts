import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describePostgres } from '../postgres/describePostgres.js';
import { createMachine, type Machine } from './runHuddle.js';

const CODES = /error\[(\w+)\]/u;

/** The exit code, and the code of the error. */
async function failureOf(machine: Machine, ...args: readonly string[]) {
  const { code, stdout, stderr } = await machine.run(args);
  return { code, stdout, error: CODES.exec(stderr)?.[1], stderr };
}

describePostgres('a database', (server) => {
  test('is no store until its owner makes it one, once; roles are invited and removed', async () => {
    const [owner, bob] = [createMachine(), createMachine()];
    const url = server().url();

    // Nothing is there yet: every command says so, and nothing is written.
    await owner.run(['store', 'add', 'work', url]);
    for (const args of [
      ['sessions', '--store', 'work'],
      ['store', 'check', 'work'],
      ['store', 'invite', 'work', 'bob'],
      ['store', 'upgrade', 'work'],
    ])
      expect(await failureOf(owner, ...args)).toMatchObject({
        ...{ code: 78, stdout: '', error: 'STORE_NOT_SET_UP' },
        stderr: expect.stringContaining('huddle store init'),
      });
    expect(await server().admin("SELECT 1 FROM pg_namespace WHERE nspname = 'huddle'")).toEqual([]);

    const made = await owner.run(['store', 'init', 'work', '--url', url]);
    expect(made).toMatchObject({ code: 0, stdout: 'Created the shared store work.\n' });
    expect(made.stderr).toContain('huddle store invite work ROLE');
    expect(await owner.run(['store', 'init', 'work', '--url', url])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('nothing in it was changed'),
    });

    // A role that nobody invited.
    const stranger = await server().createRole('mallory');
    await bob.run(['store', 'add', 'work', stranger]);
    for (const args of [
      ['sessions', '--store', 'work'],
      ['store', 'check', 'work'],
      ['store', 'invite', 'work', 'eve'],
      ['store', 'remove', 'work', 'eve'],
    ])
      expect(await failureOf(bob, ...args)).toMatchObject({ code: 77, stdout: '', error: 'STORE_REFUSED' });
    expect(await failureOf(bob, 'store', 'init', 'mine', '--url', stranger)).toMatchObject({ code: 77 });

    const invited = await owner.run(['store', 'invite', 'work', 'bob_l']);
    expect(invited).toMatchObject({ code: 0, stdout: 'bob_l can use work now.\n' });
    expect(invited.stderr).toContain('The role has no password.');
    const [, address = ''] = /There: huddle store add work "(.+)"/u.exec(invited.stderr) ?? [];
    expect(await bob.run(['store', 'add', 'work', address, '--force'])).toMatchObject({ code: 0 });
    expect(await bob.run(['sessions', '--store', 'work'])).toMatchObject({ code: 0 });

    // Who may use it may not let others in.
    for (const args of [
      ['store', 'invite', 'work', 'eve'],
      ['store', 'remove', 'work', 'bob_l'],
    ])
      expect(await failureOf(bob, ...args)).toMatchObject({ code: 77, stdout: '', error: 'STORE_REFUSED' });

    const { stdout } = await bob.run(['store', 'check', 'work', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ name: 'work', way: 'socket', role: 'bob_l', isOwner: false, version: 2, members: ['bob_l'] },
      processes: [],
    });
    const checked = await owner.run(['store', 'check', 'work']);
    expect(checked).toMatchObject({ code: 0, stderr: '' });
    expect(checked.stdout).toMatch(/^invited +bob_l$/mu);
    expect(checked.stdout).toMatch(/^work works\.$/mu);

    expect(await failureOf(owner, 'store', 'remove', 'work', 'bob')).toMatchObject({
      ...{ code: 2, error: 'UNKNOWN_ROLE' },
      stderr: expect.stringContaining('Invited: bob_l.'),
    });
    expect(await failureOf(owner, 'store', 'invite', 'work', 'pg_monitor')).toMatchObject({
      code: 2,
      error: 'UNKNOWN_ROLE',
    });
    expect(await owner.run(['store', 'remove', 'work', 'bob_l'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('bob_l can no longer use work.'),
    });
    expect(await failureOf(bob, 'sessions', '--store', 'work')).toMatchObject({
      code: 77,
      error: 'STORE_REFUSED',
    });
    expect(await owner.run(['store', 'upgrade', 'work'])).toMatchObject({
      code: 0,
      stdout: 'work has version 2, the latest this Huddle knows.\n',
    });

    // A newer Huddle has been here.
    await server().admin('UPDATE huddle.store SET version = 7');
    for (const args of [
      ['sessions', '--store', 'work'],
      ['store', 'check', 'work'],
      ['store', 'upgrade', 'work'],
      ['store', 'init', 'work', '--url', url],
    ]) {
      const failure = await failureOf(owner, ...args);
      expect(failure).toMatchObject({ code: 65, stdout: '', error: 'STORE_NEWER' });
      expect(failure.stderr).toMatch(/version 7.+up to 2\. Update Huddle/u);
    }
    await server().admin('UPDATE huddle.store SET version = 2');
    expect(existsSync(join(owner.folder, 'data'))).toBe(false);
    expect(readFileSync(join(owner.folder, '.config/huddle/stores.json'), 'utf8')).not.toContain('mine');
  });

  test('that is not there, or refuses the login, is told from one that is out of reach', async () => {
    const machine = createMachine();
    const url = new URL(server().url());
    url.pathname = '/nowhere';
    await machine.run(['store', 'add', 'nowhere', url.href]);
    expect(await failureOf(machine, 'store', 'check', 'nowhere')).toMatchObject({ code: 78 });
    await machine.run(['store', 'add', 'nobody', server().url('nobody_at_all')]);
    expect(await failureOf(machine, 'store', 'check', 'nobody')).toMatchObject({
      code: 77,
      error: 'STORE_REFUSED',
    });
  });
});
