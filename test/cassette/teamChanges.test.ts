import { describe, expect, test } from 'vitest';
import type { Difference } from '../../src/cassette/Difference.js';
import { playCassette } from '../../src/cassette/playCassette.js';
import type { RecordedEvent } from '../../src/models/ConversationEvent.js';
import type { MemberId } from '../../src/models/ids.js';
import type { AgentMember, Member, Team } from '../../src/models/Team.js';
import { answers, stageInProcess } from '../coordinator/stage.js';
import { agent, person, team } from '../coordinator/teams.js';

const BASE = team(
  [
    person('kim'),
    agent('max', { title: 'Architect', systemInstruction: 'You design.', model: 'opus', window: 5 }),
    agent('sarah', { agentType: 'command', command: ['/bin/sarah'], permission: 'edit' }),
    agent('carol'),
  ],
  { task: 'Design a sign-in', files: { record: true } },
);

const SAID: Readonly<Record<string, string>> = {
  max: 'A token in a cookie.',
  sarah: 'It lives too long. [NEXT: max, carol]',
  carol: 'Done.',
};

async function record(): Promise<RecordedEvent[]> {
  const { conversation, log } = await stageInProcess(BASE, (name) => answers(SAID[name] ?? ''));
  for (const message of [
    'How? [NEXT: sarah]',
    `${'Long. '.repeat(40)}[NEXT: max, carol]`,
    'And? [NEXT: max]',
  ]) {
    await conversation.send(message);
    await conversation.settled();
  }
  await conversation.close();
  return log();
}

const events = await record();

/** The same team with another member in the place of one. */
function change(name: string, parts: Partial<AgentMember>): Team {
  const adapt = (member: Member): Member =>
    member.name === name && member.type === 'ai' ? { ...member, ...parts } : member;
  return { ...BASE, members: BASE.members.map(adapt) };
}

const withMembers = (...members: readonly (Member | undefined)[]): Team => ({
  ...BASE,
  members: members.filter((member) => member !== undefined),
});
const [kim, max, sarah, carol] = BASE.members;

const CHANGES: ReadonlyArray<readonly [what: string, now: Team, kind: Difference['kind'], field?: string]> = [
  ['role text', change('max', { systemInstruction: 'You design well.' }), 'prompt'],
  ['role text of an agent', change('carol', { systemInstruction: 'Short.' }), 'prompt'],
  ['instruction file', change('max', { instructionFileText: 'Be brief.' }), 'prompt'],
  ['title', change('max', { title: 'Designer' }), 'settings', 'title'],
  ['model', change('max', { model: 'sonnet' }), 'settings', 'model'],
  ['permission', change('max', { permission: 'full' }), 'settings', 'permission'],
  ['allow', change('max', { allow: ['Bash'] }), 'settings', 'allow'],
  ['deny', change('max', { deny: ['Bash'] }), 'settings', 'deny'],
  ['env', change('max', { env: 'minimal' }), 'settings', 'env'],
  ['credentials', change('max', { credentials: ['MY_KEY'] }), 'settings', 'credentials'],
  ['memory', change('max', { memory: 'session' }), 'settings', 'memory'],
  ['window', change('max', { window: 1 }), 'settings', 'window'],
  ['visibility', change('max', { visibility: 'addressed' }), 'settings', 'visibility'],
  ['type of agent', change('max', { agentType: 'google-gemini' }), 'settings', 'agentType'],
  ['command', change('sarah', { command: ['/bin/sarah', '--fast'] }), 'settings', 'command'],
  ['output', change('sarah', { output: 'json-lines' }), 'settings', 'output'],
  ['workspace', change('max', { workspace: 'copy' }), 'settings', 'workspace'],
  ['check', change('carol', { check: true }), 'settings', 'check'],
  ['guard', { ...BASE, context: { ...BASE.context, guard: 'fence' } }, 'settings', 'guard'],
  ['budget', { ...BASE, context: { ...BASE.context, maxBytes: 5000 } }, 'settings', 'maxBytes'],
  ['told files', { ...BASE, files: { tell: 'diff' } }, 'settings', 'tellFiles'],
  ['no records', { ...BASE, files: { record: false } }, 'settings', 'tellFiles'],
  ['task', { ...BASE, task: 'Design a sign-out' }, 'prompt'],
  ['name of the team', { ...BASE, name: 'wiki' }, 'settings', 'name'],
  ['order of members', withMembers(kim, carol, sarah, max), 'settings', 'order'],
  ['a member more', withMembers(kim, max, sarah, carol, agent('olga')), 'settings', 'member'],
  ['a member less', withMembers(kim, max, sarah), 'never-asked'],
  ['another name', change('max', { name: 'mia', id: 'mia' as MemberId }), 'settings', 'member'],
  ['fallback', { ...BASE, routing: { ...BASE.routing, fallback: 'round-robin' } }, 'other-member'],
  ['fanout', { ...BASE, routing: { ...BASE.routing, fanout: 'blind' } }, 'fact'],
  ['turns in a row', { ...BASE, limits: { ...BASE.limits, agentTurns: 1 } }, 'never-asked'],
  ['addressees', { ...BASE, limits: { ...BASE.limits, addressees: 1 } }, 'never-asked'],
];

describe('a change of the team file is found in a recording', () => {
  test('that differs nowhere without one', async () => {
    expect(await playCassette({ team: BASE, events })).toEqual({ events, differences: [], notes: [] });
  });

  for (const [what, now, kind, field] of CHANGES)
    test(what, async () => {
      const { differences } = await playCassette({ team: now, events });
      const expected = field === undefined ? { kind } : { kind, field };
      expect(differences).toContainEqual(expect.objectContaining(expected));
    });

  test('who is not asked any more when a round is cut by a limit', async () => {
    const blind = { ...BASE, routing: { ...BASE.routing, fanout: 'blind' as const } };
    const { conversation, log } = await stageInProcess(blind, () => answers('Yes.'));
    await conversation.send('Which? [NEXT: max, sarah, carol]');
    await conversation.settled();
    await conversation.close();
    const cut = { ...blind, limits: { ...blind.limits, agentTurns: 2 } };
    expect((await playCassette({ team: blind, events: log() })).differences).toEqual([]);
    expect((await playCassette({ team: cut, events: log() })).differences).toEqual([
      { kind: 'never-asked', turnId: 'turn-3', memberId: 'carol' },
    ]);
    const apart = { ...blind, routing: { ...BASE.routing, fanout: 'same-question' as const } };
    const { differences } = await playCassette({ team: apart, events: log() });
    expect(differences.map(({ kind }) => kind)).toEqual(['fact']);
  });

  test('setting by setting: only what changed is named', async () => {
    const { differences } = await playCassette({ team: change('max', { model: 'sonnet' }), events });
    expect(differences).toEqual([
      { kind: 'settings', memberId: 'max', field: 'model', before: 'opus', now: 'sonnet' },
    ]);
  });
});
