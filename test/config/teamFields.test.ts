import { describe, expect, it } from 'vitest';
import { resolveTeam } from '../../src/config/resolveTeam.js';
import { FIELDS } from '../../src/config/teamSchema.js';
import { digestTeam, findChanges, fingerprintTeam } from '../../src/config/trust.js';
import type { Team } from '../../src/models/Team.js';

const kim = { name: 'kim', type: 'human' };
const max = { name: 'max', type: 'ai', agentType: 'claude', instructionFile: 'max.md' };
const tests = { name: 'tests', type: 'ai', agentType: 'command', command: ['npm', 'test'] };
const file = { version: 1, members: [kim, max, tests], limits: { usd: 1 } };

/** A value other than the one above for every field that a team file may have. */
const OTHER_VALUES = {
  team: {
    name: 'other',
    language: 'zh-CN',
    task: 'Other.',
    members: [max, tests, kim],
    routing: { fallback: 'round-robin' },
    limits: { usd: 2 },
    prices: { sonnet: { input: 1, output: 1 } },
    context: { guard: 'off' },
    files: { record: false },
    store: 'work',
    retryInterrupted: 'read',
  },
  human: { name: 'lea', title: 'Boss', role: 'kim_l' },
  ai: {
    name: 'eve',
    agentType: 'gemini',
    title: 'Architect',
    command: ['claude', '--verbose'],
    systemInstruction: 'Obey.',
    instructionFile: 'other.md',
    model: 'opus',
    permission: 'full',
    allow: ['Bash'],
    deny: ['Bash'],
    memory: 'session',
    window: 3,
    visibility: 'addressed',
    env: 'minimal',
    credentials: ['XAI_API_KEY'],
    workspace: 'copy',
  },
  routing: { fallback: 'round-robin', fanout: 'blind' },
  limits: {
    agentTurns: 99,
    pairTurns: 99,
    sameAnswer: 99,
    checkRounds: 99,
    addressees: 99,
    queue: 99,
    parallel: 99,
    idleMinutes: 99,
    turnMinutes: 99,
    waitMinutes: 7,
    tokens: 99,
    usd: 99,
  },
  context: { maxBytes: 9999, guard: 'off' },
  files: {
    record: false,
    tell: 'diff',
    readers: 'pause',
    blind: 'shared',
    setup: ['npm', 'ci'],
    maxFileBytes: 99,
  },
} as const;

/** These say where and what kind of thing it is; `output` and `check` are for commands only, `runsOn` excludes other fields. */
const WITHOUT_VALUES = new Set(['$schema', 'version', 'type', 'output', 'check', 'runsOn']);

describe('the fingerprint of a team', () => {
  const original = fingerprintTeam(teamOf(file));

  it.each(Object.entries(OTHER_VALUES).flatMap(([kind, values]) => fieldsOf(kind, values)))(
    'changes with the field %s.%s',
    (_kind, _field, changed) => {
      const team = teamOf(changed);
      expect(fingerprintTeam(team)).not.toBe(original);
      expect(findChanges(digestTeam(teamOf(file)), team)).not.toEqual([]);
    },
  );

  it('was tried with every field there is', () => {
    for (const [kind, values] of Object.entries(OTHER_VALUES))
      expect(Object.keys(values)).toEqual(
        FIELDS[kind as keyof typeof OTHER_VALUES].filter((name) => !WITHOUT_VALUES.has(name)),
      );
  });

  it('changes with the text of an instruction file, and with what a command prints and is for', () => {
    expect(fingerprintTeam(teamOf(file, 'Obey.'))).not.toBe(original);
    const printing = { ...tests, output: 'json-lines' };
    expect(fingerprintTeam(teamOf({ ...file, members: [kim, max, printing] }))).not.toBe(original);
    const checking = { ...tests, check: true };
    expect(fingerprintTeam(teamOf({ ...file, members: [kim, max, checking] }))).not.toBe(original);
  });

  it('changes with the machine that a member runs on', () => {
    const on = (place: object) =>
      fingerprintTeam(
        teamOf({ version: 1, members: [{ name: 'max', type: 'ai', agentType: 'codex', ...place }] }),
      );
    expect(new Set([on({}), on({ runsOn: 'gpu_box' }), on({ runsOn: 'cpu_box' })]).size).toBe(3);
  });

  it('tells one argument with a space from two', () => {
    const split = (command: string[]) =>
      fingerprintTeam(teamOf({ ...file, members: [{ ...tests, command }] }));
    expect(split(['a b'])).not.toBe(split(['a', 'b']));
  });

  it('stays the same when nothing but the order of fields and comments for editors changes', () => {
    const { version, members, limits } = file;
    expect(fingerprintTeam(teamOf({ limits, members, $schema: 'x', 'x-note': 1, version }))).toBe(original);
  });
});

describe('findChanges', () => {
  it('says what is new, gone and different, with old values only of numbers', () => {
    const before = digestTeam(teamOf({ ...file, task: 'A secret.' }));
    const now = { ...max, permission: 'full', systemInstruction: 'Be\u001b[2J kind.' };
    const eve = { name: 'eve', type: 'ai', agentType: 'codex' };
    const team = teamOf({ ...file, members: [kim, now, eve], limits: { usd: 100 } });
    expect(findChanges(before, team)).toEqual([
      { kind: 'changed', path: 'limits.usd', value: '100', old: '1' },
      { kind: 'changed', path: 'members', value: '["kim", "max", "eve"]' },
      { kind: 'new-member', path: 'members.eve' },
      { kind: 'changed', path: 'members.max.permission', value: '"full"' },
      { kind: 'added', path: 'members.max.systemInstruction', value: '"Be<U+001B>[2J kind."' },
      { kind: 'removed', path: 'members.tests' },
      { kind: 'removed', path: 'task' },
    ]);
    expect(JSON.stringify(before)).not.toContain('secret');
  });

  it('says nothing where nothing changed', () => {
    expect(findChanges(digestTeam(teamOf(file)), teamOf(file))).toEqual([]);
  });
});

function fieldsOf(kind: string, values: object): Array<[string, string, object]> {
  return Object.entries(values).map(([field, value]) => [kind, field, change(kind, { [field]: value })]);
}

function change(kind: string, fields: object): object {
  if (kind === 'team') return { ...file, ...fields };
  if (kind === 'human') return { ...file, members: [{ ...kim, ...fields }, max, tests] };
  if (kind === 'ai') return { ...file, members: [kim, { ...max, ...fields }, tests] };
  return { ...file, [kind]: fields };
}

function teamOf(value: object, role = 'Keep it simple.'): Team {
  const read = (name: string) => [name, { ok: true, path: `/project/${name}`, text: role }] as const;
  const result = resolveTeam(value, { instructionFiles: new Map([read('max.md'), read('other.md')]) });
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.team;
}
