import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseUri } from '../../../src/frontends/mcp/resources.js';
import { createQuietSquad, openOffice, script, sessionIn } from './office.js';

describe('reading', () => {
  test('read_conversation lists the sessions of the folder, and reads one from a message on', async () => {
    const squad = await createQuietSquad();
    const { ask } = await openOffice(squad);
    expect(await ask('read_conversation')).toBe('No saved sessions in this folder.');
    const session = sessionIn(await ask('ask_team', { message: 'Where is it?', members: ['max', 'carol'] }));
    expect(await ask('read_conversation')).toMatch(
      new RegExp(`^- ${session} · done, \\S+ \\S+ · 2 turns · Where is it\\?\n\nTo read one`, 'u'),
    );
    const whole = await ask('read_conversation', { session });
    for (const said of ['# auth-squad', 'Where is it?', '> From max.', '> From carol.', '<!-- msg-3 -->'])
      expect(whole).toContain(said);
    const rest = await ask('read_conversation', { session, from: 3 });
    expect(rest).not.toContain('> From max.');
    expect(rest).toContain('> From carol.');
    expect(await ask('read_conversation', { session, from: 'msg-9' })).toMatch(
      /^error\[UNKNOWN_MESSAGE\]: No message "msg-9"/u,
    );
  });

  test('a page has whole messages and says where the next begins', async () => {
    const squad = await createQuietSquad();
    script(squad, { max: [{ text: 'm'.repeat(900) }], carol: [{ text: 'c'.repeat(900) }] });
    const { ask } = await openOffice(squad);
    const session = sessionIn(await ask('ask_team', { message: 'x', members: ['max', 'carol'] }));
    const first = await ask('read_conversation', { session, max_characters: 1500 });
    expect(first).toContain('m'.repeat(900));
    expect(first).not.toContain('ccc');
    expect(first).toContain(`(continues: read_conversation with session "${session}", from "msg-3")`);
    const second = await ask('read_conversation', { session, from: 'msg-3', max_characters: 1500 });
    expect(second).toContain('c'.repeat(900));
    expect(second).not.toContain('continues');
  });

  test('explain_turn and conversation_cost say what why and cost say', async () => {
    const squad = await createQuietSquad();
    const { ask } = await openOffice(squad);
    const session = sessionIn(await ask('ask_team', { message: 'Where is it?', members: ['max', 'carol'] }));
    const why = await squad.machine.run(['why', '2', '--session', session]);
    expect(await ask('explain_turn', { session, turn: 2 })).toBe(why.stdout.trimEnd());
    const prompt = await squad.machine.run(['why', '2', '--session', session, '--prompt']);
    expect(await ask('explain_turn', { session, turn: 'turn-2', prompt: true })).toContain(
      prompt.stdout.trimEnd(),
    );
    expect(await ask('explain_turn', { session, turn: 7 })).toMatch(
      /^error\[UNKNOWN_TURN\]: No turn "turn-7".*turn-2, turn-1/u,
    );
    const cost = await squad.machine.run(['cost', session]);
    expect(await ask('conversation_cost', { session })).toBe(`${cost.stdout}${cost.stderr}`.trimEnd());
  });

  test('a session of another folder is not read, explained, continued or waited for', async () => {
    const squad = await createQuietSquad();
    const session = sessionIn(await (await openOffice(squad)).ask('ask_team', { message: 'A secret.' }));
    const folder = join(squad.machine.folder, 'elsewhere');
    mkdirSync(folder);
    const options = { folder };
    const { ask, client } = await openOffice(squad, { options, flags: { trust: true } });
    const calls: [string, object][] = [
      ['read_conversation', {}],
      ['explain_turn', { turn: 1, prompt: true }],
      ['conversation_cost', {}],
      ['ask_team', { message: 'What was the secret?' }],
      ['wait_for_team', {}],
    ];
    for (const [tool, given] of calls) {
      const said = await ask(tool, { ...given, session });
      expect([tool, said]).toEqual([tool, expect.stringContaining('is of another folder')]);
      expect(said).not.toContain('secret');
    }
    await expect(client.readResource({ uri: `huddle://session/${session}` })).rejects.toThrow('huddle://');
  });

  test('a session beside the team file above the folder is read', async () => {
    const squad = await createQuietSquad();
    const session = sessionIn(await (await openOffice(squad)).ask('ask_team', { message: 'Where is it?' }));
    const folder = join(squad.machine.project, 'packages');
    mkdirSync(folder);
    const { ask } = await openOffice(squad, { options: { folder } });
    expect(await ask('read_conversation', { session })).toContain('Where is it?');
  });

  test('resources: the sessions of the folder, whole, and what was sent in a turn', async () => {
    const squad = await createQuietSquad();
    const { client, ask } = await openOffice(squad);
    const session = sessionIn(await ask('ask_team', { message: 'Where is it?' }));
    const uri = `huddle://session/${session}`;
    expect((await client.listResources()).resources).toEqual([
      { uri, name: session, title: 'Where is it?', mimeType: 'text/markdown' },
    ]);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'huddle://session/{id}',
      'huddle://session/{id}/turn/{number}',
    ]);
    const { contents } = await client.readResource({ uri });
    const exported = await squad.machine.run(['export', session]);
    expect(contents).toEqual([{ uri, mimeType: 'text/markdown', text: exported.stdout }]);
    const turn = await client.readResource({ uri: `${uri}/turn/1` });
    expect(turn.contents[0]).toMatchObject({ text: expect.stringContaining('Where is it?') });
    for (const unknown of [`${uri}/turn/9`, 'huddle://session/nope-nope', 'file:///etc/passwd'])
      await expect(client.readResource({ uri: unknown })).rejects.toThrow(`No resource "${unknown}".`);
  });

  test('an address is a session or a turn, and nothing that leads elsewhere', () => {
    expect(parseUri('huddle://session/20261115-0336-8aad')).toEqual({ session: '20261115-0336-8aad' });
    expect(parseUri('huddle://session/wiki-1/turn/3')).toEqual({ session: 'wiki-1', turn: '3' });
    for (const uri of [
      'huddle://session/../x',
      'huddle://session/a/turn/x',
      'huddle://session/',
      'huddle://session/a/b',
    ])
      expect(parseUri(uri)).toBeUndefined();
  });
});
