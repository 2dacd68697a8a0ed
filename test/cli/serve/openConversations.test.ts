import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { openConversations, type ServingFlags } from '../../../src/cli/serve/openConversations.js';
import { loadTeamFile } from '../../../src/config/loadTeamFile.js';
import type { Conversations } from '../../../src/coordinator/Conversations.js';
import { createConversation } from '../../../src/createConversation.js';
import type { ConversationId } from '../../../src/models/ids.js';
import { SqliteStore } from '../../../src/store/sqlite/SqliteStore.js';
import { toArray } from '../../../src/utils/AnyIterable.js';
import { contextOf } from '../contextOf.js';
import { createMachine, type Machine, teamFile } from '../runHuddle.js';
import { holdElsewhere } from '../storedSessions.js';

const ECHO = { agentType: 'command', command: ['/bin/echo', 'Done.'] };
const CLAUDE = { agentType: 'claude', permission: 'edit', allow: ['Bash(npm test)'] };

function createHouse(agents: Readonly<Record<string, object>> = { echo: ECHO }, more = {}): Machine {
  const machine = createMachine();
  machine.write('huddle.jsonc', teamFile(agents, more));
  return machine;
}

function serve(machine: Machine, flags: ServingFlags = {}, env = machine.env): Conversations {
  const conversations = openConversations(flags, contextOf(machine, { env }));
  onTestFinished(() => conversations.close());
  return conversations;
}

/** Has the team answer once. */
async function talk(conversations: Conversations, id: ConversationId, folder: string): Promise<void> {
  const conversation = await conversations.open(id, { folder });
  await conversation.send('Go.');
  await conversation.settled();
  await conversation.close();
}

describe('conversations that a front end holds', () => {
  test('are made before anyone trusts the folder, and opened only then', async () => {
    const machine = createHouse();
    const { project: folder } = machine;
    const conversations = serve(machine);
    const id = await conversations.create(folder);
    expect(await conversations.teamOf(folder)).toMatchObject({ refusal: { code: 'FOLDER_NOT_TRUSTED' } });
    await expect(conversations.open(id, { folder })).rejects.toMatchObject({
      code: 'FOLDER_NOT_TRUSTED',
      message: expect.stringMatching(/\/bin\/echo.*huddle trust/su),
    });
    await machine.trust();
    expect(await conversations.teamOf(folder)).not.toHaveProperty('refusal');
    await talk(conversations, id, folder);
    const { reader } = await conversations.read(id);
    const events = await toArray(reader.read());
    expect(events).toContainEqual(
      expect.objectContaining({
        type: 'message-added',
        message: expect.objectContaining({ content: 'Done.' }),
      }),
    );
  });

  test('are opened with the team of now: one that was changed since it was trusted is refused', async () => {
    const machine = createHouse();
    await machine.trust();
    const conversations = serve(machine);
    const id = await conversations.create(machine.project);
    await talk(conversations, id, machine.project);
    machine.write('huddle.jsonc', teamFile({ echo: { ...ECHO, command: ['/bin/echo', 'Evil.'] } }));
    await expect(conversations.open(id, { folder: machine.project })).rejects.toMatchObject({
      code: 'FOLDER_NOT_TRUSTED',
    });
  });

  test('work in the folder of the session, also where the team file is above it', async () => {
    const machine = createHouse({ shell: { agentType: 'command', command: ['/bin/sh', '-c', 'pwd'] } });
    const folder = join(machine.project, 'packages');
    mkdirSync(folder);
    const conversations = serve(machine, { trust: true });
    const id = await conversations.create(folder);
    await talk(conversations, id, folder);
    const { reader, summary } = await conversations.read(id);
    expect(summary.folder).toBe(folder);
    expect(JSON.stringify(await toArray(reader.read()))).toContain(`"content":"${folder}"`);
  });

  test('are listed once something was said, newest first, by either name of their folder', async () => {
    const machine = createHouse();
    await machine.trust();
    const link = join(machine.folder, 'link');
    symlinkSync(machine.project, link);
    const conversations = serve(machine);
    const [first, , third] = [
      await conversations.create(machine.project),
      await conversations.create(machine.project),
      await conversations.create(machine.project),
    ];
    for (const id of [first, third]) await talk(conversations, id, machine.project);
    await machine.run(['rehearse', 'Go.']);
    const page = await conversations.list({ folder: link, limit: 1 });
    expect(page.summaries.map(({ id }) => id)).toEqual([third]);
    const rest = await conversations.list({ folder: machine.project, limit: 5, from: page.next });
    expect(rest.summaries.map(({ id }) => id)).toEqual([first]);
    expect((await conversations.list({ folder: machine.folder, limit: 5 })).summaries).toEqual([]);
  });

  test('can be forked, and deleted with what was attached', async () => {
    const machine = createHouse();
    await machine.trust();
    const conversations = serve(machine);
    const id = await conversations.create(machine.project);
    await talk(conversations, id, machine.project);
    const fork = await conversations.fork(id);
    expect((await conversations.read(fork.id)).summary).toMatchObject({ forkedFrom: id, messages: 2 });
    const names = ['../../shot 1.png', '-rf', '..', 'shot 1.png'];
    const files: string[] = [];
    for (const name of names) files.push(await conversations.attach(id, { name, bytes: Buffer.from('x') }));
    const folder = join(machine.env.HUDDLE_HOME ?? '', 'attachments', id);
    expect(readdirSync(folder).toSorted()).toEqual(['2-shot-1.png', 'attachment', 'rf', 'shot-1.png']);
    for (const file of files) {
      expect(readFileSync(file, 'utf8')).toBe('x');
      expect(statSync(file).mode & 0o777).toBe(0o600);
    }
    await conversations.delete(id);
    expect(existsSync(folder)).toBe(false);
    await expect(conversations.read(id)).rejects.toMatchObject({ code: 'UNKNOWN_CONVERSATION' });
    expect((await conversations.read(fork.id)).summary.id).toBe(fork.id);
  });

  test('that were never used are forgotten after a day', async () => {
    const machine = createHouse();
    await machine.trust();
    const before = serve(machine);
    const [unused, used] = [await before.create(machine.project), await before.create(machine.project)];
    await talk(before, used, machine.project);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 25 * 60 * 60 * 1000 });
    onTestFinished(() => void vi.useRealTimers());
    const after = openConversations({}, contextOf(machine));
    await after.list({ limit: 1 });
    await after.close();
    await expect(before.read(unused)).rejects.toMatchObject({ code: 'UNKNOWN_CONVERSATION' });
    expect((await before.read(used)).summary.id).toBe(used);
  });

  test('leave nothing behind if they are not to be saved', async () => {
    const machine = createHouse({
      shell: { agentType: 'command', command: ['/bin/sh', '-c', 'echo > made; echo Done.'] },
    });
    await machine.trust();
    const data = machine.env.HUDDLE_HOME ?? '';
    const conversations = openConversations({ ephemeral: true }, contextOf(machine));
    const id = await conversations.create(machine.project);
    await conversations.attach(id, { name: 'a.txt', bytes: Buffer.from('x') });
    await talk(conversations, id, machine.project);
    expect((await conversations.list({ limit: 5 })).summaries).toHaveLength(1);
    await conversations.close();
    expect(existsSync(join(data, 'conversations.sqlite'))).toBe(false);
    expect(readdirSync(join(data, 'attachments'))).toEqual([]);
    expect(readdirSync(join(data, 'files', 'kept'))).toEqual([]);
  });
});

describe('a front end gets less from the team, never more', () => {
  const team = { max: CLAUDE, echo: ECHO };

  test('held to reading, members that cannot be are left out', async () => {
    const machine = createHouse(team);
    const conversations = serve(machine);
    const { team: limited, leftOut } = await conversations.teamOf(machine.project, { permission: 'read' });
    expect(leftOut).toEqual(['echo']);
    expect(limited.members).toMatchObject([{ name: 'kim' }, { name: 'max', permission: 'read', allow: [] }]);
    expect(limited.members).toHaveLength(2);
  });

  test('and where none is left, it says so', async () => {
    const machine = createHouse();
    await expect(serve(machine).teamOf(machine.project, { permission: 'read' })).rejects.toMatchObject({
      code: 'NO_READER',
    });
  });

  test.each([
    [{}, {}, { agentTurns: 6, usd: 2 }],
    [{}, { agentTurns: 50, usd: 9 }, { agentTurns: 6, usd: 2 }],
    [{}, { agentTurns: 1, usd: 0.5 }, { agentTurns: 1, usd: 0.5 }],
    [
      { maxTurns: 9, maxUsd: 3 },
      { agentTurns: 50, usd: 9 },
      { agentTurns: 9, usd: 3 },
    ],
  ])('limits with flags %j, asked for %j, are %j', async (flags, limits, expected) => {
    const machine = createHouse({ echo: ECHO }, { limits: { agentTurns: 6, usd: 2 } });
    const here = await serve(machine, flags).teamOf(machine.project, { limits });
    expect(here.team.limits).toMatchObject(expected);
  });

  test('inside a turn of Huddle all is read and nothing opened, whatever the trust', async () => {
    const machine = createHouse();
    await machine.trust();
    const outside = serve(machine);
    const id = await outside.create(machine.project);
    await talk(outside, id, machine.project);
    const inside = { ...machine.env, HUDDLE_TURN: 'turn-1 of session x\n/elsewhere', HUDDLE_TURN_ID: '1' };
    const conversations = serve(machine, {}, inside);
    expect((await conversations.read(id)).summary.id).toBe(id);
    await expect(conversations.open(id, { folder: machine.project })).rejects.toMatchObject({
      code: 'NESTED',
    });
    expect(await conversations.teamOf(machine.project)).toMatchObject({ refusal: { code: 'NESTED' } });
  });
});

describe('what cannot be opened', () => {
  test('is a dry run: simulated agents answered in it, and real ones would continue', async () => {
    const machine = createHouse();
    await machine.trust();
    const teamFileOf = await loadTeamFile(join(machine.project, 'huddle.jsonc'));
    const store = new SqliteStore({ file: join(machine.env.HUDDLE_HOME ?? '', 'conversations.sqlite') });
    const rehearsed = await createConversation({ team: teamFileOf.team, store, rehearsal: {} });
    await rehearsed.close();
    await store.close();
    await expect(serve(machine).open(rehearsed.id, { folder: machine.project })).rejects.toMatchObject({
      code: 'OTHER_TEAM',
      message: expect.stringContaining('dry run'),
    });
  });

  test('is told apart by its code', async () => {
    const machine = createHouse();
    await machine.trust();
    const conversations = serve(machine);
    const { project: folder } = machine;
    const id = await conversations.create(folder);
    const unknown = '20261115-0000-0000' as ConversationId;
    await expect(conversations.open(unknown, { folder })).rejects.toMatchObject({
      code: 'UNKNOWN_CONVERSATION',
    });
    for (const wrong of ['../../etc', '', 'a b'] as ConversationId[])
      for (const deed of [
        () => conversations.open(wrong, { folder }),
        () => conversations.delete(wrong),
        () => conversations.fork(wrong),
        () => conversations.attach(wrong, { name: 'a', bytes: Buffer.from('') }),
      ])
        await expect(deed()).rejects.toMatchObject({ code: 'UNKNOWN_CONVERSATION' });
    for (const wrong of ['/nowhere', machine.write('file', '')])
      await expect(conversations.create(wrong)).rejects.toMatchObject({ code: 'NO_FOLDER' });
    holdElsewhere(machine);
    await expect(conversations.open(id, { folder })).rejects.toMatchObject({ code: 'CONVERSATION_LOCKED' });
    await expect(conversations.delete(id)).rejects.toMatchObject({ code: 'CONVERSATION_LOCKED' });
    machine.write('huddle.jsonc', teamFile({ other: ECHO }));
    await expect(conversations.open(id, { folder })).rejects.toMatchObject({ code: 'OTHER_TEAM' });
    machine.write('huddle.jsonc', '{ "version": 1, "members": 7 }');
    await expect(conversations.create(folder)).rejects.toMatchObject({ code: 'TEAM_FILE_INVALID' });
  });
});
