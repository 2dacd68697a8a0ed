import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { PermissionQuestion, TurnRequest } from '../../../src/agents/AgentAdapter.js';
import { decidePermission } from '../../../src/coordinator/decidePermission.js';
import type { AgentMember } from '../../../src/models/Team.js';
import { answerOf, createTestAdapter } from './hostileAcpAgent.js';

const root = mkdtempSync(join(tmpdir(), 'huddle-acp-files-'));
afterAll(() => rmSync(root, { recursive: true }));

function makeProject(): string {
  const folder = mkdtempSync(join(root, 'project-'));
  mkdirSync(join(folder, '.git/hooks'), { recursive: true });
  for (const name of ['victim.txt', '.env', 'huddle.jsonc', 'team.jsonc'])
    writeFileSync(join(folder, name), 'before');
  symlinkSync('.env', join(folder, 'link-to-env'));
  symlinkSync('.git', join(folder, 'link-to-git'));
  return folder;
}

type Rules = Partial<Pick<AgentMember, 'permission' | 'allow' | 'deny'>>;

/** What comes of these steps when the team file decides, and a person answers what it leaves open. */
async function play(
  steps: readonly object[],
  { permission = 'read', allow = [], deny = [], ...parts }: Rules & Partial<TurnRequest> = {},
  person: (question: PermissionQuestion) => 'allow' | 'deny' = () => 'deny',
) {
  const asked: PermissionQuestion[] = [];
  const askPermission = async (question: PermissionQuestion) => {
    const decision = decidePermission(question, { permission, allow, deny });
    if (decision !== undefined) return decision.decision === 'allowed' ? 'allow' : 'deny';
    asked.push(question);
    return person(question);
  };
  const request = { prompt: JSON.stringify(steps), permission, allow, deny, askPermission, ...parts };
  const answer = await answerOf(createTestAdapter(), 'steps', request);
  return { replies: answer.split('\n'), asked };
}

const look = { toolCallId: 'look', kind: 'read', title: 'Look', locations: [{ path: '$CWD/victim.txt' }] };
const page = { toolCallId: 'page', kind: 'fetch', title: 'Look', locations: [{ path: '$CWD/victim.txt' }] };

describe.concurrent('a file that an agent was allowed to look at', () => {
  test.each([
    ['by its permission', look, {}],
    ['by a person', page, {}],
    ['with a deny list', { ...look, locations: [{ path: '$CWD/.env' }] }, { deny: ['edit'] }],
  ])('%s cannot be written for that', async (_, question, rules) => {
    const workingFolder = makeProject();
    const [{ path }] = question.locations as [{ path: string }];
    const steps = [{ ask: question, as: 'q' }, { answer: 'q' }, { write: path }];
    const { replies } = await play(steps, { workingFolder, ...rules }, ({ kind }) =>
      kind === 'fetch' ? 'allow' : 'deny',
    );
    expect(replies).toEqual(['q: once', expect.stringContaining('may not be written')]);
    expect(readFileSync(path.replace('$CWD', workingFolder), 'utf8')).toBe('before');
  });

  test('with permission to edit is still kept from what the deny list names', async () => {
    const workingFolder = makeProject();
    const env = { ...look, locations: [{ path: '$CWD/.env' }] };
    const steps = [
      { ask: env, as: 'q' },
      { answer: 'q' },
      { write: '$CWD/.env' },
      { write: '$CWD/link-to-env' },
      { write: '$CWD/sub/../.env' },
      { write: '$CWD/victim.txt' },
    ];
    const { replies } = await play(steps, { workingFolder, permission: 'edit', deny: ['edit(.env)'] });
    const refused = expect.stringContaining('may not be written');
    expect(replies).toEqual(['q: once', refused, refused, refused, 'write: done']);
    expect(readFileSync(join(workingFolder, '.env'), 'utf8')).toBe('before');
  });
});

describe.concurrent('reading through us', () => {
  test.each([['read(.env)'], ['*(.env)'], ['read']])('is kept from what %s denies', async (entry) => {
    const steps = [{ read: '$CWD/.env' }, { read: '$CWD/link-to-env' }, { read: '$CWD/x/../.env' }];
    const { replies } = await play(steps, {
      workingFolder: makeProject(),
      permission: 'full',
      deny: [entry],
    });
    const refused = expect.stringContaining('may not be read');
    expect(replies).toEqual([refused, refused, refused]);
  });

  test('is kept from a link that is denied by its own name', async () => {
    const rules = { permission: 'full', deny: ['read(link-to-env)'] } as const;
    const { replies } = await play([{ read: '$CWD/link-to-env' }], {
      workingFolder: makeProject(),
      ...rules,
    });
    expect(replies).toEqual([expect.stringContaining('may not be read')]);
  });

  test('needs nobody inside the folder', async () => {
    const { replies, asked } = await play([{ read: '$CWD/victim.txt' }], { workingFolder: makeProject() });
    expect(replies).toEqual(['read: before']);
    expect(asked).toEqual([]);
  });
});

describe.concurrent('writing through us', () => {
  test.each(['.git/hooks/pre-commit', 'link-to-git/config', 'sub/.git/config', '.GIT/config'])(
    'into a repository is not just an edit in the folder: %s',
    async (path) => {
      const workingFolder = makeProject();
      const steps = [{ write: `$CWD/${path}` }];
      const { replies, asked } = await play(steps, { workingFolder, permission: 'edit' });
      expect(replies).toEqual([expect.stringContaining('may not be written')]);
      expect(asked).toHaveLength(1);
      expect(existsSync(join(workingFolder, path))).toBe(false);
    },
  );

  test.each([
    ['huddle.jsonc', 'edit'],
    ['huddle.jsonc', 'full'],
    ['huddle.schema.json', 'edit'],
    ['sub/huddle.json', 'edit'],
    ['team.jsonc', 'edit'],
  ] as const)('to a team file needs a person: %s with %s', async (path, permission) => {
    const workingFolder = makeProject();
    const teamFile = join(workingFolder, 'team.jsonc');
    const parts = { workingFolder, teamFile, permission, allow: ['edit'] };
    const denied = await play([{ write: `$CWD/${path}` }], parts);
    expect(denied.replies).toEqual([expect.stringContaining('may not be written')]);
    expect(denied.asked).toMatchObject([{ kind: 'edit', paths: [path] }]);
    const allowed = await play([{ write: `$CWD/${path}` }], parts, () => 'allow');
    expect(allowed.replies).toEqual(['write: done']);
  });

  test('asks with what would change', async () => {
    const workingFolder = makeProject();
    const steps = [
      { write: '$CWD/victim.txt', content: 'after' },
      { write: '$CWD/new.txt', content: 'new' },
    ];
    const { asked } = await play(steps, { workingFolder });
    expect(asked.map(({ kind, paths, diffs }) => ({ kind, paths, diffs }))).toEqual([
      {
        kind: 'edit',
        paths: ['victim.txt'],
        diffs: [{ path: 'victim.txt', oldText: 'before', newText: 'after' }],
      },
      { kind: 'edit', paths: ['new.txt'], diffs: [{ path: 'new.txt', oldText: null, newText: 'new' }] },
    ]);
  });
});

describe.concurrent('an edit that a person has seen', () => {
  const edit = (newText: string, path = 'victim.txt') => ({
    toolCallId: 'edit-1',
    kind: 'edit',
    title: 'Edit',
    content: [{ type: 'diff', path: `$CWD/${path}`, oldText: 'before', newText }],
  });

  test('is not asked about twice', async () => {
    const workingFolder = makeProject();
    const steps = [
      { ask: edit('after'), as: 'q' },
      { answer: 'q' },
      { write: '$CWD/victim.txt', content: 'after' },
    ];
    const { replies, asked } = await play(steps, { workingFolder }, () => 'allow');
    expect(replies).toEqual(['q: once', 'write: done']);
    expect(asked).toHaveLength(1);
  });

  test.each([
    ['with another content', [{ write: '$CWD/victim.txt', content: 'something else' }]],
    ['to another file', [{ write: '$CWD/.env', content: 'after' }]],
    [
      'a second time',
      [
        { write: '$CWD/victim.txt', content: 'after' },
        { write: '$CWD/victim.txt', content: 'after' },
      ],
    ],
    [
      'after the call is over',
      [
        { update: { sessionUpdate: 'tool_call_update', toolCallId: 'edit-1', status: 'failed' } },
        { write: '$CWD/victim.txt', content: 'after' },
      ],
    ],
  ])('is asked about again %s', async (_, writes) => {
    const steps = [{ ask: edit('after'), as: 'q' }, { answer: 'q' }, ...writes];
    let count = 0;
    const { replies, asked } = await play(steps, { workingFolder: makeProject() }, () =>
      count++ === 0 ? 'allow' : 'deny',
    );
    expect(asked).toHaveLength(2);
    expect(replies.at(-1)).toContain('may not be written');
  });
});

describe.concurrent('a file that is hidden from agents', () => {
  test.each(['read', 'edit', 'full'] as const)(
    'is neither read nor written with the permission %s',
    async (permission) => {
      const workingFolder = makeProject();
      const key = join(workingFolder, 'key.pem');
      writeFileSync(key, 'secret');
      symlinkSync('key.pem', join(workingFolder, 'link-to-key'));
      linkSync(key, join(workingFolder, 'other-name'));
      const paths = ['key.pem', 'sub/../key.pem', 'link-to-key', 'other-name'].map((path) => `$CWD/${path}`);
      const hiddenFiles = [key, join(workingFolder, 'not-there.json')];
      const steps = [
        ...paths.flatMap((path) => [{ read: path }, { write: path }]),
        { write: '$CWD/not-there.json' },
        { read: '$CWD/victim.txt' },
      ];
      const { replies } = await play(steps, { workingFolder, permission, hiddenFiles }, () => 'allow');
      expect(replies.slice(0, -1)).toEqual(Array(9).fill(expect.stringContaining('is private to Huddle')));
      expect(replies.at(-1)).toContain('before');
      expect(readFileSync(key, 'utf8')).toBe('secret');
      expect(existsSync(join(workingFolder, 'not-there.json'))).toBe(false);
    },
  );
});
