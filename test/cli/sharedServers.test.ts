import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { RawClient } from '../frontends/mcp/rawClient.js';
import { describePostgres } from '../postgres/describePostgres.js';
import { startAcpOn } from './acpProcess.js';
import { type Machine, saying } from './runHuddle.js';
import { createMember, createStore, DONE, localSessions, succeed } from './sharedStore.js';
import { ID } from './storedSessions.js';
import { startWeb } from './webProcess.js';

const PATIENTLY = { timeout: 20_000 };

/** `huddle web` of a machine on the shared store, and a browser in it. */
async function openPage(machine: Machine) {
  const web = await startWeb(machine, ['--port', '0', '--store', 'work'], DONE);
  const { headers } = await web.logIn();
  let posted = 0;
  const ask = async (path: string, body?: object) => {
    const once = { 'content-type': 'application/json', 'idempotency-key': `${++posted}` };
    const post = { method: 'POST', headers: { ...headers, ...once }, body: JSON.stringify(body) };
    const answer = await fetch(`${web.address}/api/${path}`, body === undefined ? { headers } : post);
    // biome-ignore lint/suspicious/noExplicitAny: an answer of a server, of which tests compare what they need.
    return { status: answer.status, body: (await answer.json()) as any };
  };
  /** Says something in a conversation, by default in a new one; gives its id. */
  const say = async (content: string, known?: string): Promise<string> => {
    const id = known ?? (await ask('conversations', {})).body.id;
    const { status, body } = await ask(`conversations/${id}/messages`, { content });
    expect({ status, error: body.error }).toEqual({ status: 201, error: undefined });
    return id;
  };
  return { web, headers, ask, say };
}

describePostgres('a server of a shared store', (server) => {
  test('web: writes there, answers questions about whole logs, and follows what another process holds', async () => {
    const owner = await createStore(server());
    const [kim, bob] = [
      await createMember(owner, server(), 'kim'),
      await createMember(owner, server(), 'bob'),
    ];
    const page = await openPage(kim);
    const { ask, web } = page;
    const { body: me } = await ask('session');
    expect(me).toMatchObject({ role: 'full', people: [] });

    const id = await page.say('Hello. [NEXT: max]');
    await expect
      .poll(async () => (await succeed(bob, 'show', id, '--store', 'work')).includes('Done.'))
      .toBe(true);
    expect(await succeed(bob, 'show', id, '--store', 'work')).toBe(
      '#1 kim:\n  Hello. [NEXT: max]\n\n#2 max:\n  Done.\n',
    );
    // Nobody speaks as somebody else.
    expect(
      await ask(`conversations/${id}/messages`, { content: 'Me. [NEXT: max]', as: 'bob' }),
    ).toMatchObject({
      body: { error: { code: 'SPEAKS_AS_ITSELF' } },
    });

    // Kim's page holds it: at the command line bob follows, and is in nobody's way.
    expect(await succeed(bob, 'resume', id, '--store', 'work', 'And me. [NEXT: sarah]')).toBe('Done.\n');
    expect(await succeed(kim, 'show', id, '--store', 'work')).toContain(
      'bob:\n  And me. [NEXT: sarah]\n\n#4 sarah:\n  Done.\n',
    );
    expect(await bob.run(['rename', id, 'Mine', '--store', 'work'])).toMatchObject({ code: 75 });

    // In a thread of its own, on a connection of its own.
    expect((await ask(`conversations/${id}/turns/turn-1`)).body).toMatchObject({ turnId: 'turn-1' });
    expect((await ask(`conversations/${id}/cost`)).status).toBe(200);
    expect((await ask(`conversations/${id}/search?text=hello`)).status).toBe(200);
    const exported = await fetch(`${web.address}/api/conversations/${id}/export?format=md`, {
      headers: page.headers,
    });
    expect(await exported.text()).toContain('Hello.');

    // Bob's page holds one; kim's page follows it and speaks in it.
    const other = await openPage(bob);
    const ofBob = await other.say('Of bob. [NEXT: max]');
    await expect.poll(() => succeed(bob, 'show', ofBob, '--store', 'work'), PATIENTLY).toContain('max:');
    const [listed] = (await ask('conversations?scope=all')).body.conversations;
    expect(listed).toMatchObject({ id: ofBob, holder: { role: 'bob' } });
    expect(listed.readOnly).toBeUndefined();
    expect(await page.say('And kim. [NEXT: sarah]', ofBob)).toBe(ofBob);
    await expect
      .poll(() => succeed(bob, 'show', ofBob, '--store', 'work'), PATIENTLY)
      .toBe(
        '#1 bob:\n  Of bob. [NEXT: max]\n\n#2 max:\n  Done.\n\n#3 kim:\n  And kim. [NEXT: sarah]\n\n#4 sarah:\n  Done.\n',
      );
    other.web.child.kill('SIGTERM');
    await other.web.ended;
    web.child.kill('SIGTERM');
    await web.ended;
    expect(existsSync(localSessions(kim))).toBe(false);
  });

  test('acp: an editor talks there, and leaves no empty session behind', async () => {
    const owner = await createStore(server());
    const kim = await createMember(owner, server(), 'kim');
    expect(await kim.run(['acp', '--store', 'work', '--as', 'bob'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('there you speak as the role you log in with'),
    });
    const acp = startAcpOn(kim, ['--store', 'work'], DONE);
    await acp.initialize();
    const sessionId = await acp.create();
    await acp.create();
    await acp.request('session/prompt', {
      sessionId,
      prompt: [{ type: 'text', text: 'Hello. [NEXT: max]' }],
    });
    acp.child.stdin.end();
    await acp.ended;
    expect(await succeed(kim, 'show', '--store', 'work')).toBe(
      '#1 kim (via editor):\n  Hello. [NEXT: max]\n\n#2 max:\n  Done.\n',
    );
    const listed = await server().admin(
      "SELECT id FROM huddle.conversation WHERE last_seq > 0 AND created > now() - interval '20 seconds'",
    );
    expect(listed.map((row) => row.id)).toContain(sessionId);
    expect(existsSync(localSessions(kim))).toBe(false);
  });

  test('acp: a folder whose team keeps its conversations elsewhere is refused', async () => {
    const owner = await createStore(server());
    const kim = await createMember(owner, server(), 'kim', { store: 'work' });
    const acp = startAcpOn(kim, ['--store', 'local'], DONE);
    await acp.initialize();
    await acp.create();
    acp.child.stdin.end();
    await acp.ended;
    // The editor starts it in another folder, where no team file names a store.
    const child = kim.start(['acp'], { cwd: kim.folder, env: DONE });
    const refused = saying(child.stdout, /OTHER_STORE|--store work/u);
    for (const [index, [method, params]] of [
      ['initialize', { protocolVersion: 1, clientCapabilities: {} }],
      ['session/new', { cwd: kim.project, mcpServers: [] }],
    ].entries())
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: index, method, params })}\n`);
    expect(await refused).toContain('--store work');
    child.stdin.end();
    await once(child, 'close');
  });

  test('mcp: another agent asks there, and reads what was held in its folder and nothing else', async () => {
    const owner = await createStore(server());
    const [kim, bob] = [
      await createMember(owner, server(), 'kim'),
      await createMember(owner, server(), 'bob'),
    ];
    const { stderr } = await bob.run(['run', '--store', 'work', 'A secret of bob.'], { env: DONE });
    const ofBob = ID.exec(stderr)?.[0] ?? '';
    const child = kim.start(['mcp', '--store', 'work', '--permission', 'team'], { env: DONE });
    const client = new RawClient(child);
    await client.initialize();
    const { result } = await client.call('ask_member', { member: 'max', message: 'Hello.' });
    expect(result.content[0].text).toContain('Done.');
    const asked = ID.exec(JSON.stringify(result))?.[0] ?? '';
    const own = await client.call('read_conversation', { session: asked });
    expect(own.result.content[0].text).toContain('Hello.');
    const others = await client.call('read_conversation', { session: ofBob });
    expect(JSON.stringify(others)).not.toContain('A secret');
    child.stdin.end();
    await once(child, 'close');
    expect(await succeed(kim, 'show', asked, '--store', 'work')).toContain('Done.');
    const { stdout } = await kim.run(['mcp', '--config', 'claude', '--store', 'work']);
    expect(stdout).toContain('mcp --store work');
  });
});
