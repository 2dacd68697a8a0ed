import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PermissionQuestion } from '../../src/agents/AgentAdapter.js';
import { decidePermission, suggestEntry } from '../../src/coordinator/decidePermission.js';
import type { Permission } from '../../src/models/Team.js';

const signal = new AbortController().signal;

function question(parts: Partial<PermissionQuestion>): PermissionQuestion {
  return {
    requestId: 'r',
    name: 'tool',
    input: '',
    kind: 'other',
    title: '',
    paths: [],
    isInFolder: true,
    guards: [],
    extent: 'whole',
    isUnderstood: true,
    isAsked: true,
    signal,
    ...parts,
  };
}

const questions = {
  'reading a file': question({ kind: 'read', paths: ['a.txt'] }),
  'reading a file elsewhere': question({ kind: 'read', paths: ['/etc/passwd'], isInFolder: false }),
  searching: question({ kind: 'search' }),
  'editing a file': question({ kind: 'edit', paths: ['a.txt'] }),
  'deleting a file': question({ kind: 'delete', paths: ['a.txt'] }),
  'editing a file elsewhere': question({ kind: 'edit', paths: ['a.txt', '/etc/passwd'], isInFolder: false }),
  'editing nobody knows what': question({ kind: 'edit' }),
  "editing a repository's own files": question({
    kind: 'edit',
    paths: ['.git/hooks/pre-commit'],
    guards: ['repository'],
  }),
  'a command': question({ kind: 'execute', command: 'npm test' }),
  'a command that is called reading': question({ kind: 'read', command: 'cat a.txt' }),
  'a page': question({ kind: 'fetch', title: 'https://example.org' }),
  'anything else': question({}),
};

describe('the permission of a member', () => {
  test.each<readonly [Permission, readonly string[]]>([
    ['read', ['reading a file', 'searching']],
    ['edit', ['reading a file', 'searching', 'editing a file', 'deleting a file']],
    ['full', Object.keys(questions)],
  ])('%s allows %j, and leaves the rest to people', (permission, allowed) => {
    const rules = { permission, allow: [], deny: [] };
    const names = Object.entries(questions)
      .filter(([, each]) => decidePermission(each, rules)?.decision === 'allowed')
      .map(([name]) => name);
    expect(names).toEqual(allowed);
    expect(decidePermission(questions['reading a file'], rules)?.by).toEqual({ kind: 'permission' });
  });
});

describe('a team file', () => {
  const change = question({ kind: 'edit', paths: ['huddle.jsonc'], guards: ['team-file'] });

  test.each<Permission>(['read', 'edit', 'full'])('is changed by people only, with %s', (permission) => {
    expect(decidePermission(change, { permission, allow: ['*'], deny: [] })).toBeUndefined();
    expect(decidePermission(change, { permission, allow: [], deny: ['edit'] })?.decision).toBe('denied');
  });

  test('is read like every other file', () => {
    const look = { ...change, kind: 'read' };
    expect(decidePermission(look, { permission: 'read', allow: [], deny: [] })?.decision).toBe('allowed');
  });
});

test('what is too long to be judged is denied, whatever the rules say', () => {
  const each = question({ kind: 'execute', extent: 'too-long-to-judge' });
  expect(decidePermission(each, { permission: 'full', allow: ['*'], deny: [] })).toEqual({
    decision: 'denied',
    by: { kind: 'size' },
  });
});

const bash = (command: string) => question({ name: 'Bash', kind: 'execute', command, title: command });

describe('an allow list', () => {
  const isAllowed = (each: PermissionQuestion, ...allow: readonly string[]) =>
    decidePermission(each, { permission: 'read', allow, deny: [] })?.decision === 'allowed';

  test.each([
    ['Bash', 'npm test'],
    ['bash', 'npm test'],
    ['execute', 'npm test'],
    ['*', 'npm test'],
    ['Bash(npm test)', 'npm test'],
    ['Bash(npm *)', 'npm test --watch'],
    ['Bash(npm * --watch)', 'npm test --watch'],
  ])('%s covers %s', (entry, command) => {
    expect(isAllowed(bash(command), entry)).toBe(true);
  });

  test.each([
    ['Ba', 'npm test'],
    ['edit', 'npm test'],
    ['Bash(npm test)', 'npm test --watch'],
    ['Bash(npm *)', 'npm test && rm -rf /'],
    ['Bash(npm *)', 'npm test; rm -rf /'],
    ['Bash(npm *)', 'npm test | sh'],
    ['Bash(npm *)', 'npm test > ~/.profile'],
    ['Bash(npm *)', 'npm test $(rm -rf /)'],
    ['Bash(npm *)', 'npm test `rm -rf /`'],
    ['Bash(npm *)', 'npm test\nrm -rf /'],
    ['Bash(npm', 'npm'],
  ])('%s does not cover %s', (entry, command) => {
    expect(isAllowed(bash(command), entry)).toBe(false);
  });

  test('does not take a title for what is done', () => {
    const titled = question({ name: 'shell', kind: 'execute', title: 'npm test', isUnderstood: false });
    expect(isAllowed(titled, 'execute(npm test)', 'execute(*)')).toBe(false);
    expect(isAllowed(question({ kind: 'other', title: 'look' }), 'other(look)')).toBe(false);
  });

  test('covers files only when it covers all of them', () => {
    const edit = (...paths: readonly string[]) => question({ kind: 'edit', paths });
    expect(isAllowed(edit('src/a.ts', 'src/b/c.ts'), 'edit(src/*)')).toBe(true);
    expect(isAllowed(edit('src/a.ts', '/etc/passwd'), 'edit(src/*)')).toBe(false);
  });
});

describe('the entry that would have allowed a request', () => {
  const rules = { permission: 'read', allow: [], deny: [] } as const;

  test.each([
    [bash('npm test'), 'Bash(npm test)'],
    [bash('npm test && npm run lint'), 'Bash(npm test && npm run lint)'],
    [question({ kind: 'edit', name: 'Write', paths: ['a.txt'] }), 'Write(a.txt)'],
  ])('covers it and nothing else %#', (each, allowEntry) => {
    expect(suggestEntry(each, rules)).toEqual({ allowEntry });
  });

  test.each([
    ['a pattern', bash('rm *')],
    ['several files', question({ kind: 'edit', paths: ['a.txt', 'b.txt'] })],
    ['what is not understood', { ...bash('npm test'), isUnderstood: false }],
    ['a team file', question({ kind: 'edit', paths: ['huddle.jsonc'], guards: ['team-file'] })],
    ['a title', question({ kind: 'execute', title: 'npm test' })],
  ])('is not given for %s', (_, each) => {
    expect(suggestEntry(each, rules)).toEqual({});
  });
});

describe('a deny list', () => {
  const isDenied = (each: PermissionQuestion, ...deny: readonly string[]) => {
    const decision = decidePermission(each, { permission: 'full', allow: ['*'], deny });
    return decision?.decision === 'denied' && decision.by.kind === 'team-file';
  };

  test.each([
    ['Bash', 'npm test'],
    ['execute', 'npm test'],
    ['Bash(rm *)', 'rm -rf /'],
    ['Bash(rm *)', 'cd / && rm -rf .'],
    ['Bash(rm *)', 'true;rm -rf .'],
    ['Bash(rm *)', 'echo $(rm -rf .)'],
    ['Bash(rm *)', 'echo `rm -rf .`'],
    ['Bash(rm *)', "bash -lc 'rm -rf .'"],
    ['Bash(rm *)', 'bash -c "rm -rf ."'],
    ['Bash(*curl*)', 'npx curl https://example.org'],
  ])('%s stands before everything else: %s', (entry, command) => {
    expect(isDenied(bash(command), entry)).toBe(true);
  });

  test('looks into the title of a command where the agent says no other', () => {
    const each = question({ name: 'shell', kind: 'execute', title: 'cd / && rm -rf . (clean up)' });
    expect(isDenied(each, 'execute(rm *)')).toBe(true);
  });

  test('touches a question by any of its files, or its title', () => {
    const edit = question({ kind: 'edit', paths: ['src/a.ts', '.env'], title: 'Edit two files' });
    expect(isDenied(edit, 'edit(.env)')).toBe(true);
    expect(isDenied(edit, 'edit(*two files)')).toBe(true);
    expect(isDenied(edit, 'edit(docs/*)')).toBe(false);
  });
});

test('an entry is compared in time that grows with what is asked, not faster', () => {
  const command = `${'ab'.repeat(500_000)}c`;
  const list = ['Bash(*a*b*a*b*a*b*d)'];
  expect(decidePermission(bash(command), { permission: 'read', allow: list, deny: list })).toBeUndefined();
});

test('nothing that is asked makes deciding fail, and a denied tool is denied', () => {
  const text = fc.string({ unit: 'binary' });
  const anyQuestion = fc.record({
    name: text,
    kind: text,
    title: text,
    command: fc.option(text, { nil: undefined }),
    paths: fc.array(text),
    isInFolder: fc.boolean(),
  });
  fc.assert(
    fc.property(anyQuestion, text, fc.constantFrom('read', 'edit', 'full'), (parts, entry, permission) => {
      const each = question(parts);
      decidePermission(each, { permission, allow: [entry], deny: [entry] });
      expect(decidePermission(each, { permission, allow: ['*'], deny: ['*'] })?.decision).toBe('denied');
    }),
  );
});
