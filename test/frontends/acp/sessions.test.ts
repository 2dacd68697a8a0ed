import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NewSessionResponse } from '@agentclientprotocol/sdk/unstable';
import { describe, expect, test } from 'vitest';
import { teamFile } from '../../cli/runHuddle.js';
import { holdElsewhere } from '../../cli/storedSessions.js';
import { delegate, ECHO, type Editor, openEditor, trustedMachine } from './editor.js';

const ID = /^\d{8}-\d{4}-[0-9a-f]{4}$/u;

/** A session in which something was said and answered. */
async function talkOnce(editor: Editor, text = 'Go.'): Promise<string> {
  const { sessionId } = await editor.create();
  await editor.prompt(sessionId, text);
  return sessionId;
}

/** The place on the wire of the answer that names a session, and of the first update about it. */
function orderOn({ wire }: Editor, sessionId: string) {
  const named = wire.findIndex(({ result }) => result?.sessionId === sessionId);
  const updated = wire.findIndex(({ params }) => params?.sessionId === sessionId);
  return { named, updated };
}

describe('initialize', () => {
  test('says what the team can do, in version 1 of the protocol', async () => {
    const { agent } = await openEditor();
    expect(await agent.request('initialize', { protocolVersion: 1 })).toEqual({
      protocolVersion: 1,
      agentInfo: { name: 'huddle', title: 'Huddle', version: expect.any(String) },
      agentCapabilities: {
        loadSession: true,
        sessionCapabilities: {
          ...{ list: {}, resume: {}, close: {}, delete: {}, fork: {} },
          additionalDirectories: {},
        },
        promptCapabilities: { image: true, embeddedContext: true },
        mcpCapabilities: { http: true },
      },
      authMethods: [],
    });
  });

  test('is answered before the house is opened', async () => {
    const editor = await openEditor({
      wrap: () => {
        throw new TypeError('No house.');
      },
    });
    expect(editor.wire).toMatchObject([{ result: { protocolVersion: 1 } }]);
    await expect(editor.create()).rejects.toMatchObject({
      code: -32603,
      message: expect.stringContaining('No house.'),
      data: { code: 'UNEXPECTED' },
    });
  });
});

describe('session/new', () => {
  test('gives an id, options and modes; the commands come after that answer', async () => {
    const editor = await openEditor();
    const answer = await editor.create();
    expect(answer.sessionId).toMatch(ID);
    expect(answer.configOptions?.map(({ id }) => id)).toEqual(['ask', 'mode', 'fanout']);
    expect(answer.modes?.currentModeId).toBe('team');
    await editor.agent.request('session/list', {});
    const { named, updated } = orderOn(editor, answer.sessionId);
    expect(updated).toBe(named + 1);
    expect(editor.updates('available_commands_update')).toHaveLength(1);
  });

  test('makes a session that a new process resumes by its id, and no list shows', async () => {
    const editor = await openEditor();
    const { sessionId } = await editor.create();
    await editor.leave();
    const next = await openEditor({ machine: editor.machine });
    expect(await next.agent.request('session/list', {})).toEqual({ sessions: [] });
    const cwd = editor.machine.project;
    await next.agent.request('session/resume', { sessionId, cwd, mcpServers: [] });
    expect(await next.prompt(sessionId, 'Go.')).toMatchObject({ stopReason: 'end_turn' });
    expect(next.said()).toContain('Done.');
  });

  test('refuses a folder that is relative or not there, and a team file that is wrong, with all its problems', async () => {
    const editor = await openEditor();
    await expect(editor.create('src')).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('src'),
    });
    await expect(editor.create('/no/such/folder')).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('/no/such/folder'),
    });
    editor.machine.write('huddle.jsonc', { version: 1, members: [{ name: 'all' }, { type: 'robot' }] });
    const refusal = await editor.create().catch((error) => error);
    expect(refusal).toMatchObject({ code: -32602, data: { code: 'TEAM_FILE_INVALID' } });
    expect(refusal.message).toContain('members[0]');
    expect(refusal.message).toContain('members[1]');
  });

  test('works with what is installed where there is no team file', async () => {
    const editor = await openEditor();
    const folder = join(editor.machine.folder, 'plain');
    mkdirSync(folder);
    await expect(editor.create(folder)).rejects.toMatchObject({ data: { code: 'AGENT_MISSING' } });
    editor.machine.install('claude');
    const { configOptions } = await editor.create(folder);
    expect(JSON.stringify(configOptions)).toContain('Claude Code');
  });
});

describe('session/load and session/resume', () => {
  test('load shows what was said, then answers, then names the commands', async () => {
    const first = await openEditor();
    const sessionId = await talkOnce(first, 'Is it safe?');
    await first.leave();
    const editor = await openEditor({ machine: first.machine });
    const cwd = first.machine.project;
    const answer = await editor.agent.request('session/load', { sessionId, cwd, mcpServers: [] });
    expect(answer).toMatchObject({ modes: { currentModeId: 'team' } });
    await editor.agent.request('session/list', {});
    const kinds = editor.wire.map(({ result, params }) => params?.update.sessionUpdate ?? result);
    const end = kinds.indexOf('available_commands_update');
    expect(kinds[end - 1]).toMatchObject({ modes: {} });
    expect(kinds.slice(1, end - 1)).toContain('user_message_chunk');
    expect(kinds.slice(1, end - 1)).toContain('agent_message_chunk');
    expect(editor.said()).toContain('Done.');
  });

  test('resume shows nothing of what was said', async () => {
    const first = await openEditor();
    const sessionId = await talkOnce(first);
    await first.leave();
    const editor = await openEditor({ machine: first.machine });
    const cwd = first.machine.project;
    await editor.agent.request('session/resume', { sessionId, cwd, mcpServers: [] });
    expect(editor.said()).toBe('');
    expect(await editor.prompt(sessionId, 'And now?')).toMatchObject({ stopReason: 'end_turn' });
  });

  test('can be asked for again for a session that is open here', async () => {
    const editor = await openEditor();
    const sessionId = await talkOnce(editor);
    const cwd = editor.machine.project;
    await editor.agent.request('session/load', { sessionId, cwd, mcpServers: [] });
    expect(await editor.prompt(sessionId, 'And now?')).toMatchObject({ stopReason: 'end_turn' });
  });

  test('come before all that a client asks of the session without waiting', async () => {
    const machine = await trustedMachine();
    const first = await openEditor({ machine });
    const { sessionId } = await first.create();
    await first.leave();
    const { agent, prompt, wire } = await openEditor({ machine });
    const resumed = agent.request('session/resume', { sessionId, cwd: machine.project, mcpServers: [] });
    expect(await prompt(sessionId, 'Go.')).toMatchObject({ stopReason: 'end_turn' });
    await resumed;
    const answer = wire.findIndex(({ result }) => result?.modes !== undefined);
    const update = wire.findIndex(({ method }) => method === 'session/update');
    expect(answer).toBeGreaterThan(0);
    expect(update).toBeGreaterThan(answer);
  });

  test('can be asked for several times at once', async () => {
    const { agent, create, prompt, machine } = await openEditor();
    const { sessionId } = await create();
    const request = { sessionId, cwd: machine.project, mcpServers: [] };
    const resumed = [1, 2, 3].map(() => agent.request('session/resume', request));
    for (const answer of await Promise.all(resumed)) expect(answer).toHaveProperty('modes');
    expect(await prompt(sessionId, 'Go.')).toMatchObject({ stopReason: 'end_turn' });
  });

  test('refuse what is unknown, held with strangers, or open elsewhere', async () => {
    const editor = await openEditor();
    const sessionId = await talkOnce(editor);
    await editor.leave();
    const next = await openEditor({ machine: editor.machine });
    const cwd = editor.machine.project;
    const load = (id: string) =>
      next.agent.request('session/load', { sessionId: id, cwd, mcpServers: [] }).catch((error) => error);
    for (const id of ['20200101-0000-0000', '../../etc/passwd', ''])
      expect(await load(id)).toMatchObject({ code: -32002, data: { code: 'UNKNOWN_CONVERSATION' } });
    holdElsewhere(editor.machine);
    expect(await load(sessionId)).toMatchObject({
      code: -32603,
      message: expect.stringContaining('4711'),
      data: { code: 'CONVERSATION_LOCKED' },
    });
    editor.machine.write('huddle.jsonc', teamFile({ stranger: ECHO }));
    await editor.machine.trust();
    expect(await load(sessionId)).toMatchObject({ code: -32602, data: { code: 'OTHER_TEAM' } });
    expect(next.updates('user_message_chunk')).toEqual([]);
  });
});

describe('session/list', () => {
  test('has pages of 50, the newest first, each once', async () => {
    const editor = await openEditor();
    const sessionId = await talkOnce(editor, 'The question');
    const cwd = editor.machine.project;
    const ids = [sessionId];
    for (let number = 0; number < 51; number++)
      ids.unshift((await editor.agent.request('session/fork', { sessionId, cwd })).sessionId);
    const first = await editor.agent.request('session/list', { cwd });
    expect(first.sessions).toHaveLength(50);
    expect(first.sessions[0]).toMatchObject({
      title: 'The question',
      cwd,
      updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/u),
      _meta: { huddle: { state: 'done', turns: 1, team: expect.any(String) } },
    });
    const cursor = first.nextCursor ?? '';
    const last = await editor.agent.request('session/list', { cursor });
    expect(last.nextCursor).toBeUndefined();
    expect([...first.sessions, ...last.sessions].map((listed) => listed.sessionId)).toEqual(ids);
  });

  test('compares the folder as it is given and resolved', async () => {
    const editor = await openEditor();
    const sessionId = await talkOnce(editor);
    const { folder, project } = editor.machine;
    const link = join(folder, 'link');
    symlinkSync(project, link);
    const listed = await editor.agent.request('session/list', { cwd: link });
    expect(listed.sessions).toMatchObject([{ sessionId }]);
    expect(await editor.agent.request('session/list', { cwd: folder })).toEqual({ sessions: [] });
  });

  test.each(['', 'next', '-1', '1e3', '99999999999999999999'])('refuses the cursor %j', async (cursor) => {
    const { agent } = await openEditor();
    await expect(agent.request('session/list', { cursor })).rejects.toMatchObject({ code: -32602 });
  });
});

describe('session/close, session/delete and session/fork', () => {
  test('close lets go of the conversation, and prompts to it are refused', async () => {
    const editor = await openEditor();
    const sessionId = await talkOnce(editor);
    await editor.agent.request('session/close', { sessionId });
    await expect(editor.prompt(sessionId, 'Still there?')).rejects.toMatchObject({ code: -32002 });
    const other = await openEditor({ machine: editor.machine });
    const cwd = editor.machine.project;
    await other.agent.request('session/resume', { sessionId, cwd, mcpServers: [] });
    expect(await other.prompt(sessionId, 'Here?')).toMatchObject({ stopReason: 'end_turn' });
  });

  test('delete removes it permanently; one that is unknown is deleted already, one open elsewhere is refused', async () => {
    const editor = await openEditor();
    const [kept, gone] = [await talkOnce(editor), await talkOnce(editor)];
    await editor.agent.request('session/delete', { sessionId: gone });
    await editor.agent.request('session/delete', { sessionId: gone });
    await editor.agent.request('session/delete', { sessionId: '../..' });
    const { sessions } = await editor.agent.request('session/list', {});
    expect(sessions.map(({ sessionId }) => sessionId)).toEqual([kept]);
    await editor.agent.request('session/close', { sessionId: kept });
    holdElsewhere(editor.machine);
    await expect(editor.agent.request('session/delete', { sessionId: kept })).rejects.toMatchObject({
      data: { code: 'CONVERSATION_LOCKED' },
    });
  });

  test('fork continues on its own, named before anything is said about it', async () => {
    const editor = await openEditor();
    const sessionId = await talkOnce(editor, 'The question');
    const cwd = editor.machine.project;
    const fork = await editor.agent.request('session/fork', { sessionId, cwd, mcpServers: [] });
    expect(fork.sessionId).not.toBe(sessionId);
    expect(fork.configOptions).toHaveLength(3);
    expect(await editor.prompt(fork.sessionId, 'Go on.')).toMatchObject({ stopReason: 'end_turn' });
    const { named, updated } = orderOn(editor, fork.sessionId);
    expect(updated).toBeGreaterThan(named);
    await expect(
      editor.agent.request('session/fork', { sessionId: '20200101-0000-0000', cwd, mcpServers: [] }),
    ).rejects.toMatchObject({ code: -32002 });
  });
});

describe('folders and servers of the client', () => {
  const server = { name: 'notes', command: '/bin/true', args: [], env: [{ name: 'A', value: 'b' }] };
  test.each([
    ['a relative additional directory', { additionalDirectories: ['docs'] }],
    ['a variable that is none', { mcpServers: [{ ...server, env: [{ name: 'A=B', value: '' }] }] }],
    ['21 servers', { mcpServers: Array.from({ length: 21 }, (_, at) => ({ ...server, name: `s${at}` })) }],
  ])('%s is refused', async (_title, wrong) => {
    const { agent, machine } = await openEditor();
    const request = { cwd: machine.project, mcpServers: [], ...wrong };
    await expect(agent.request('session/new', request)).rejects.toMatchObject({ code: -32602 });
  });

  test('servers get names that every agent takes', async () => {
    const names: unknown[] = [];
    const editor = await openEditor({
      wrap: (house) => ({
        ...delegate(house),
        open: (id, choice) => {
          names.push(...(choice.mcpServers ?? []).map(({ name }) => name));
          return house.open(id, choice);
        },
      }),
    });
    const given = ['IDE: my notes', 'notes', 'notes', '', 'x'.repeat(80), '笔记'];
    const mcpServers = given.map((name) => ({ ...server, name }));
    const { sessionId }: NewSessionResponse = await editor.agent.request('session/new', {
      cwd: editor.machine.project,
      mcpServers,
    });
    await editor.prompt(sessionId, 'Go.');
    expect(names).toEqual(['IDE-my-notes', 'notes', 'notes-2', 'server', 'x'.repeat(36), 'server-2']);
  });

  test('reach the house as they were given', async () => {
    const opened: unknown[] = [];
    const editor = await openEditor({
      wrap: (house) => ({
        ...delegate(house),
        open: (id, choice) => {
          opened.push(choice);
          return house.open(id, choice);
        },
      }),
    });
    const extra = join(editor.machine.folder, 'extra');
    mkdirSync(extra);
    writeFileSync(join(extra, 'note.txt'), 'Hello.');
    const { sessionId }: NewSessionResponse = await editor.agent.request('session/new', {
      cwd: editor.machine.project,
      additionalDirectories: [extra],
      mcpServers: [
        server,
        { type: 'http', name: 'web', url: 'http://[::1]/mcp', headers: [{ name: 'X', value: 'y' }] },
      ],
    });
    await editor.prompt(sessionId, 'Go.');
    expect(opened).toEqual([
      expect.objectContaining({
        folder: editor.machine.project,
        additionalFolders: [{ path: extra }],
        mcpServers: [
          { transport: 'stdio', name: 'notes', command: '/bin/true', args: [], env: { A: 'b' } },
          { transport: 'http', name: 'web', url: 'http://[::1]/mcp', headers: { X: 'y' } },
        ],
      }),
    ]);
  });
});

test('an error of our own is answered with a sentence, and the process lives on', async () => {
  const editor = await openEditor({
    machine: await trustedMachine(),
    wrap: (house) => ({
      ...delegate(house),
      list: () => {
        throw new TypeError('Cannot read properties of undefined');
      },
    }),
  });
  await expect(editor.agent.request('session/list', {})).rejects.toMatchObject({
    code: -32603,
    message: expect.stringMatching(/Cannot read properties.*bug in Huddle/u),
    data: { code: 'UNEXPECTED' },
  });
  expect(editor.unexpected).toMatchObject([{ name: 'TypeError' }]);
  expect((await editor.create()).sessionId).toMatch(ID);
});

test('sessions that are not saved work, and leave nothing', async () => {
  const editor = await openEditor({ flags: { ephemeral: true } });
  const { sessionId } = await editor.create();
  expect(await editor.prompt(sessionId, 'Go.')).toMatchObject({ stopReason: 'end_turn' });
  await editor.leave();
  const next = await openEditor({ machine: editor.machine });
  expect(await next.agent.request('session/list', {})).toEqual({ sessions: [] });
});
