import { once } from 'node:events';
import { expect, test } from 'vitest';
import { RawClient } from '../frontends/mcp/rawClient.js';
import { describePostgres } from '../postgres/describePostgres.js';
import type { TestPostgres } from '../postgres/TestPostgres.js';
import { type AcpProcess, startAcpOn } from './acpProcess.js';
import { createMember, createStore, DONE, succeed } from './sharedStore.js';

const STORE = ['--store', 'work'];

/** Kim's editor holds a conversation in which she has said something. */
async function holdOne(server: TestPostgres) {
  const owner = await createStore(server);
  const kim = await createMember(owner, server, 'kim');
  const bob = await createMember(owner, server, 'bob');
  const holder = startAcpOn(kim, STORE, DONE);
  await holder.initialize();
  const id = await holder.create();
  expect(await prompt(holder, id, 'Hello. [NEXT: max]')).toBe('end_turn');
  return { kim, bob, holder, id };
}

/** Says something in an editor, and gives how that ended. */
async function prompt(acp: AcpProcess, sessionId: string, text: string): Promise<unknown> {
  const answer = await acp.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });
  return (answer.result as { stopReason?: unknown } | undefined)?.stopReason ?? answer.error;
}

/** The texts that an editor was given, with what they are. */
function textsOf(acp: AcpProcess): readonly string[] {
  return acp.lines.flatMap(({ params }) => {
    const { update } = (params ?? {}) as {
      update?: { sessionUpdate: string; content?: { text?: string } };
    };
    const text = update?.content?.text;
    return update === undefined || text === undefined ? [] : [`${update.sessionUpdate}: ${text}`];
  });
}

describePostgres('a server in a conversation that another process holds', (server) => {
  test('acp: an editor loads it, speaks in it as its role, and the other editor is told who spoke', async () => {
    const { kim, bob, holder, id } = await holdOne(server());
    const follower = startAcpOn(bob, STORE, DONE);
    await follower.initialize();
    const { result } = await follower.request('session/list', {});
    expect((result as { sessions: { sessionId: string }[] }).sessions).toContainEqual(
      expect.objectContaining({ sessionId: id, title: 'Hello.' }),
    );
    const place = { cwd: bob.project, mcpServers: [] };
    expect(await follower.request('session/load', { sessionId: id, ...place })).toHaveProperty('result');
    expect(await prompt(follower, id, 'From bob. [NEXT: sarah]')).toBe('end_turn');
    expect(textsOf(follower)).toEqual([
      'user_message_chunk: Hello. [NEXT: max]',
      'agent_message_chunk: **max**\n\nDone.',
      'agent_message_chunk: **sarah**\n\nDone.',
    ]);
    // Between prompts an editor is sent nothing; with the next one it is.
    expect(await prompt(holder, id, 'And kim. [NEXT: max]')).toBe('end_turn');
    expect(textsOf(holder)).toEqual([
      'agent_message_chunk: **max**\n\nDone.',
      'agent_message_chunk: \n\n**bob**\n\nFrom bob. [NEXT: sarah]',
      'agent_message_chunk: \n\n**sarah**\n\nDone.',
      'agent_message_chunk: **max**\n\nDone.',
    ]);
    const [row] = await server().admin(
      `SELECT p.role, p.pid FROM huddle.conversation c JOIN huddle.process p ON p.id = c.holder WHERE c.id = $1`,
      [id],
    );
    expect(row).toEqual({ role: 'kim', pid: holder.child.pid });

    // An editor that goes leaves it to who speaks next.
    holder.child.stdin.end();
    await holder.ended;
    expect(await prompt(follower, id, 'Then I continue. [NEXT: sarah]')).toBe('end_turn');
    expect(await succeed(kim, 'show', id, ...STORE)).toContain(
      "#7 bob (via editor):\n  Then I continue. [NEXT: sarah]\n\n#8 sarah (on bob's machine):\n  Done.\n",
    );
  });

  test('mcp: an agent reads it and asks in it; the process that holds it stays', async () => {
    const { kim, holder, id } = await holdOne(server());
    const child = kim.start(['mcp', ...STORE, '--permission', 'team', '--continue-sessions'], { env: DONE });
    const client = new RawClient(child);
    await client.initialize();
    const read = await client.call('read_conversation', { session: id });
    expect(read.result.content[0].text).toContain('Hello.');
    const asking = { member: 'sarah', message: 'From an agent.', session: id };
    const { result } = await client.call('ask_member', asking);
    expect(result.content[0].text).toBe(`session ${id} · done · 1 turn\n\n## sarah\n\nDone.`);
    expect(await prompt(holder, id, 'Still mine. [NEXT: max]')).toBe('end_turn');
    child.stdin.end();
    await once(child, 'close');
    expect(await succeed(kim, 'show', id, ...STORE)).toBe(
      '#1 kim (via editor):\n  Hello. [NEXT: max]\n\n#2 max:\n  Done.\n\n' +
        '#3 mcp:test:\n  From an agent.\n\n  [NEXT: sarah]\n\n#4 sarah:\n  Done.\n\n' +
        '#5 kim (via editor):\n  Still mine. [NEXT: max]\n\n#6 max:\n  Done.\n',
    );
  });
});
