import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { RecordedEvent } from '../../src/models/ConversationEvent.js';
import type { AgentMember } from '../../src/models/Team.js';
import { MemoryStore } from '../../src/store/memory/MemoryStore.js';
import { toArray } from '../../src/utils/AnyIterable.js';
import { ID } from '../store/facts.js';
import { agentNamed, factsOf, resumeWith, says, startWith, teamOf } from '../store/stage.js';
import { stage } from './stage.js';
import { agent, person, team } from './teams.js';

const SECRET = 'hunter2-is-not-a-shape';

const everything: Partial<AgentMember> = {
  model: 'opus',
  permission: 'edit',
  allow: ['Bash(npm test)'],
  deny: ['WebFetch'],
  env: 'minimal',
  credentials: ['MY_TOKEN'],
  command: ['/opt/tools/bin/claude', '--token', SECRET],
  output: 'json-lines',
  workspace: 'copy',
  check: true,
};

test('the settings of every agent are recorded when a conversation starts', async () => {
  const settings = await settingsOf(
    await startWith(new MemoryStore(), teamOf([agentNamed('max')]), done, ID),
  );
  expect(settings).toEqual([{ permission: 'read', allow: [], deny: [], env: 'inherit' }]);
});

test('all that decides what an agent can do is recorded, and of its command no word but the program', async () => {
  const conversation = await startWith(new MemoryStore(), teamOf([agentNamed('max', everything)]), done, ID);
  const sha256 = createHash('sha256').update(JSON.stringify(everything.command)).digest('hex');
  expect(await settingsOf(conversation)).toEqual([{ ...everything, command: { program: 'claude', sha256 } }]);
  const log = JSON.stringify(await toArray(conversation.history()));
  expect(log).not.toContain(SECRET);
  expect(log).not.toContain('/opt/tools');
});

test('what a team file may say or leave out is recorded alike', async () => {
  const plain = { workspace: 'shared', output: 'text', check: false, credentials: [] } as const;
  const first = teamOf([agentNamed('max', { agentType: 'command', command: ['cat'] })]);
  const store = new MemoryStore();
  await (await startWith(store, first, done, ID)).close();
  const same = teamOf([agentNamed('max', { agentType: 'command', command: ['cat'], ...plain })]);
  expect(await settingsOf(await resumeWith(store, ID, same, done))).toHaveLength(1);
});

test.each([
  ['a turn that fails', 'process.exit(3)', 'failed'],
  ['a turn that ends oddly', 'console.log("Done."); process.exitCode = 3', 'completed'],
])('%s names the program and no other word of its command', async (_, script, kind) => {
  const command = [process.execPath, '-e', script, SECRET];
  const members = [person(), agent('max', { agentType: 'command', command })];
  const { conversation, facts, log } = await stage(team(members));
  await conversation.send('[NEXT: max] Go.');
  await conversation.settled();
  expect(facts('turn-end')).toMatchObject([{ result: { kind } }]);
  const said = JSON.stringify(log().slice(3));
  expect(said).toContain('"command":"node"');
  expect(said).not.toContain(SECRET);
});

const changes: readonly Partial<AgentMember>[] = [
  { model: 'haiku' },
  { permission: 'full' },
  { allow: ['Bash(npm test)', 'Read'] },
  { deny: [] },
  { env: 'inherit' },
  { credentials: ['MY_TOKEN', 'OTHER_TOKEN'] },
  { command: ['/opt/tools/bin/claude', '--token', 'another'] },
  { output: 'text' },
  { workspace: 'shared' },
  { check: false },
];

test.each(changes)(
  '%j is recorded when the conversation is opened again, and then not again',
  async (change) => {
    const store = new MemoryStore();
    await (await startWith(store, teamOf([agentNamed('max', everything)]), done, ID)).close();
    const changed = teamOf([agentNamed('max', { ...everything, ...change })]);
    const again = await resumeWith(store, ID, changed, done);
    const [before, now, ...rest] = await factsOf(again, 'profile-changed');
    expect(rest).toEqual([]);
    expect(now?.sha256).toBe(before?.sha256);
    expect(now?.settings).not.toEqual(before?.settings);
    await again.close();
    expect(await settingsOf(await resumeWith(store, ID, changed, done))).toHaveLength(2);
  },
);

test('settings are known again from a checkpoint', async () => {
  const store = new MemoryStore();
  const held = teamOf([agentNamed('max', everything)]);
  const first = await startWith(store, held, done, ID);
  for (let turn = 0; turn < 60; turn++) {
    await first.send('[NEXT: max] Go.');
    await first.settled();
  }
  await first.close();
  expect(await (await store.read(ID)).readCheckpoint()).not.toBeNull();
  expect(await settingsOf(await resumeWith(store, ID, held, done))).toHaveLength(1);
});

test('a log of an earlier version, without settings, is continued and gains them', async () => {
  const store = new MemoryStore();
  const held = teamOf([agentNamed('max', everything)]);
  const first = await startWith(store, held, done, ID);
  await first.send('[NEXT: max] Go.');
  await first.settled();
  const old = (await toArray(first.history())).map(withoutSettings);
  await first.close();
  const elsewhere = new MemoryStore();
  await elsewhere.createWhole(ID, { restored: old });
  const again = await resumeWith(elsewhere, ID, held, done);
  expect(await settingsOf(again)).toMatchObject([undefined, { model: 'opus' }]);
  await again.send('[NEXT: max] And now?');
  expect(await again.settled()).toMatchObject({ kind: 'waiting' });
});

function withoutSettings(event: RecordedEvent): RecordedEvent {
  if (event.type !== 'profile-changed') return event;
  const { settings: _, ...rest } = event;
  return rest;
}

async function settingsOf(conversation: Parameters<typeof factsOf>[0]) {
  return (await factsOf(conversation, 'profile-changed')).map(({ settings }) => settings);
}

function done() {
  return says('Done.');
}
