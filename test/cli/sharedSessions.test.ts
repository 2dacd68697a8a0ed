import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describePostgres } from '../postgres/describePostgres.js';
import { createMachine } from './runHuddle.js';
import { createMember, createStore, DONE, localSessions, succeed } from './sharedStore.js';
import { ID } from './storedSessions.js';

describePostgres('sessions of a shared store', (server) => {
  test('warn of a person who has got another role since they began, and of no one else', async () => {
    const owner = await createStore(server());
    const kim = await createMember(owner, server(), 'kim');
    const members = (role?: string) => ({
      members: [
        { name: 'kim', type: 'human', ...(role !== undefined && { role }) },
        { name: 'max', type: 'ai', agentType: 'claude' },
      ],
    });
    const elsewhere = await createMember(owner, server(), 'kim_l', members('kim_l'));
    const id = ID.exec(
      (await kim.run(['run', '--store', 'work', 'Go. [NEXT: max]'], { env: DONE })).stderr,
    )?.[0];
    const resume = ['resume', `${id}`, '--store', 'work', 'More. [NEXT: max]'];
    expect((await kim.run(resume, { env: DONE })).stderr).not.toContain('role');
    const { stderr } = await elsewhere.run(resume, { env: DONE });
    expect(stderr).toContain(
      `warning: kim had the role "kim" when this session began, and has "kim_l" in the team file now. Messages sent as kim_l will not be shown as kim's here. Start a new session, or set "role" of kim back to "kim".`,
    );
    expect(await succeed(kim, 'show', `${id}`, '--store', 'work')).not.toContain('kim_l:');
  });

  test('are written, listed, shown, explained, counted, continued, exported, forked, renamed and deleted', async () => {
    const owner = await createStore(server());
    const kim = await createMember(owner, server(), 'kim');
    const run = await kim.run(['run', '--store', 'work', 'Go. [NEXT: max, sarah]'], { env: DONE });
    expect(run).toMatchObject({ code: 0, stdout: 'max:\n  Done.\n\nsarah:\n  Done.\n' });
    const id = ID.exec(run.stderr)?.[0] ?? '';
    expect(run.stderr).toContain(
      `Saved as ${id}. To continue: huddle --store work -c (in scripts: huddle --store work resume ${id} "message")`,
    );

    // Nothing of it is on this machine, whatever command looks.
    expect(existsSync(localSessions(kim))).toBe(false);
    const env = { ...DONE, HUDDLE_STORE: 'work' };
    const say = async (...args: string[]) => {
      const { code, stdout, stderr } = await kim.run(args, { env });
      expect({ args, code, stderr: code === 0 ? '' : stderr }).toEqual({ args, code: 0, stderr: '' });
      return stdout;
    };
    const shown = '#1 kim:\n  Go. [NEXT: max, sarah]\n\n#2 max:\n  Done.\n\n#3 sarah:\n  Done.\n';
    expect(await say('show')).toBe(shown);
    expect(await say('show', id)).toBe(shown);
    expect(JSON.parse(await say('sessions', '--json'))).toMatchObject([
      { id, messages: 3, turns: 2, state: 'done', folder: kim.project },
    ]);
    expect(await say('sessions')).toContain(id);
    expect(await say('why', '1', '--prompt')).toContain('Go.');
    expect(await say('why', '1')).toContain('verified: rebuilt from the log byte for byte');
    expect(await say('cost')).toContain('max');
    expect(await say('-c', 'More. [NEXT: max]')).toBe('Done.\n');
    expect(await say('resume', id, 'Again. [NEXT: sarah]')).toBe('Done.\n');
    expect(await say('run', '-c', 'And again. [NEXT: max]')).toBe('Done.\n');
    expect(await say('resume', id)).toContain('9 messages');
    expect(await say('rename', id, 'Login bug')).toContain('Login bug');
    const fork = ID.exec(await say('fork', id, '--at', '2'))?.[0] ?? '';
    expect(await say('show', fork)).toBe('#1 kim:\n  Go. [NEXT: max, sarah]\n\n#2 max:\n  Done.\n');
    expect(await say('diff', '--session', id)).toBe('');
    expect(await say('delete', fork, '--yes')).toBe(`Deleted: ${fork}\n`);
    expect(JSON.parse(await say('sessions', '--json'))).toMatchObject([
      { id, title: 'Login bug', messages: 9 },
    ]);
    expect(existsSync(localSessions(kim))).toBe(false);

    // The sessions on this machine are others.
    expect(await kim.run(['sessions', '--store', 'local'], { env })).toMatchObject({
      stderr: expect.stringContaining('No saved sessions yet.'),
    });
  });

  test('are those that this role opened from this folder, unless all are asked for', async () => {
    const owner = await createStore(server());
    const [kim, bob] = [
      await createMember(owner, server(), 'kim'),
      await createMember(owner, server(), 'bob'),
    ];
    await succeed(kim, 'run', '--store', 'work', 'Of kim.');
    const listed = async (machine: typeof kim, ...args: string[]) =>
      JSON.parse(await succeed(machine, 'sessions', '--store', 'work', '--json', ...args)).map(
        ({ title }: { title: string }) => title,
      );
    expect(await listed(kim)).toContain('Of kim.');
    expect(await listed(bob)).toEqual([]);
    expect(await listed(bob, '--all')).toContain('Of kim.');
    const none = await bob.run(['sessions', '--store', 'work']);
    expect(none.stderr).toBe(
      'No saved sessions in this folder.\nOther sessions of the shared store: huddle --store work sessions --all\n',
    );
    expect(await bob.run(['-c', '--store', 'work', 'Hello'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('No saved sessions in this folder. The latest elsewhere:'),
    });
    // Kim in another folder.
    const { stdout } = await kim.run(['sessions', '--store', 'work', '--json'], { cwd: kim.folder });
    expect(JSON.parse(stdout)).toEqual([]);
    // Whoever opens it has it in the list from then on.
    const [{ id }] = JSON.parse(await succeed(bob, 'sessions', '--store', 'work', '--json', '--all'));
    expect(
      await bob.run(['resume', id, '--store', 'work', 'Me too. [NEXT: max]'], { env: DONE }),
    ).toMatchObject({
      code: 0,
      stdout: 'Done.\n',
    });
    expect(await listed(bob)).toEqual(['Of kim.']);
    expect(await succeed(bob, 'show', '--store', 'work')).toContain('bob:\n  Me too. [NEXT: max]');
    // What can be typed is looked up there as well, and the check-up looks there.
    const completed = await bob.run(['completion', 'fish', '--', 'show', '--store', 'work', '']);
    expect(completed.stdout).toContain(id);
    expect((await bob.run(['doctor'], { env: { HUDDLE_STORE: 'work' } })).stdout).toContain(
      'Shared store work',
    );
    // It is not bob's to delete, unless bob owns the store.
    await server().admin(
      `UPDATE huddle.conversation SET tally = regexp_replace(tally, '"changedAt":\\d+', '"changedAt":1') WHERE id = $1`,
      [id],
    );
    const old = await bob.run(['delete', '--older-than', '1d', '--yes', '--store', 'work']);
    expect(old).toMatchObject({ code: 77, stderr: expect.stringContaining('was created by kim') });
    expect(await bob.run(['delete', id, '--yes', '--store', 'work'])).toMatchObject({
      code: 77,
      stderr: expect.stringContaining('error[NOT_YOURS]'),
    });
    expect(await succeed(owner, 'delete', id, '--yes', '--store', 'work')).toBe(`Deleted: ${id}\n`);
  });

  test('are byte for byte those that were exported from SQLite', async () => {
    const owner = await createStore(server());
    const kim = await createMember(owner, server(), 'kim');
    await succeed(kim, 'run', '--store', 'local', 'First. [NEXT: max, sarah] und 你好');
    await succeed(kim, 'run', '--store', 'local', '-c', 'Second. [NEXT: max]');
    const before = join(kim.folder, 'before.jsonl');
    await succeed(kim, 'export', '--store', 'local', '--format', 'jsonl', '--output', before);
    // What agents say may have any character in it.
    writeFileSync(before, readFileSync(before, 'utf8').replaceAll('Done.', 'Do\\u0000ne \\ud83d.'));
    const id = ID.exec(await succeed(kim, 'import', before, '--store', 'work'))?.[0] ?? '';
    expect(await succeed(kim, 'export', id, '--store', 'work', '--format', 'jsonl')).toBe(
      readFileSync(before, 'utf8'),
    );
    expect(await kim.run(['import', before, '--store', 'work'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('error[CONVERSATION_EXISTS]'),
    });
    expect(await succeed(kim, 'import', before, '--store', 'work', '--id', 'copy')).toBe('Imported: copy\n');
    await succeed(kim, 'import', before, '--store', 'local', '--id', 'copy');
    for (const format of ['md', 'html'])
      expect(await succeed(kim, 'export', 'copy', '--store', 'work', '--format', format)).toBe(
        await succeed(kim, 'export', 'copy', '--store', 'local', '--format', format),
      );
    // It continues there, and back on this machine.
    expect(await succeed(kim, 'resume', id, '--store', 'work', 'Third. [NEXT: max]')).toBe('Done.\n');
    const after = join(kim.folder, 'after.jsonl');
    await succeed(kim, 'export', id, '--store', 'work', '--format', 'jsonl', '--output', after);
    const other = createMachine();
    expect(await succeed(other, 'import', after)).toBe(`Imported: ${id}
`);
    expect(await succeed(other, 'export', id, '--format', 'jsonl')).toBe(readFileSync(after, 'utf8'));
  });
});
