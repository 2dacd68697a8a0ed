import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { AdditionalFolder, PermissionQuestion } from '../../src/agents/AgentAdapter.js';
import { prepareClaude } from '../../src/agents/claude/dialect.js';
import { prepareCodex } from '../../src/agents/codex/dialect.js';
import { prepareGemini } from '../../src/agents/gemini/dialect.js';
import { decidePermission } from '../../src/coordinator/decidePermission.js';
import { answerOf, createTestAdapter } from './acp/hostileAcpAgent.js';
import { commandLine, turnRequest } from './turnRequest.js';

const additionalFolders = [{ path: '/src/lib' }, { path: '/data/attachments', isReadOnly: true }];

describe('additional folders on the command line', () => {
  test.each(['read', 'edit', 'full'] as const)('of Claude Code with %s', (permission) => {
    expect(commandLine(prepareClaude(turnRequest({ permission, additionalFolders })))).toContain(
      ' --add-dir /src/lib --add-dir /data/attachments --',
    );
  });

  test('of Codex are those it may write to, before the word resume', () => {
    const session = { kind: 'resume', sessionId: 't-1' } as const;
    const line = (permission: 'read' | 'edit' | 'full') =>
      commandLine(prepareCodex(turnRequest({ permission, session, additionalFolders })));
    expect(line('edit')).toContain('--sandbox workspace-write --add-dir /src/lib resume t-1 -');
    expect(line('read')).not.toContain('--add-dir');
    expect(line('full')).not.toContain('--add-dir');
  });

  test('of Gemini CLI have no comma', () => {
    const folders = [...additionalFolders, { path: '/a,b' }];
    expect(commandLine(prepareGemini(turnRequest({ additionalFolders: folders })))).toContain(
      ' --include-directories /src/lib --include-directories /data/attachments',
    );
  });

  test.each([
    ['Claude Code', prepareClaude],
    ['Codex', prepareCodex],
    ['Gemini CLI', prepareGemini],
  ])('of %s are absolute: no option can be slipped in', (_, prepare) => {
    const request = turnRequest({ permission: 'edit', additionalFolders: [{ path: '--yolo' }] });
    expect(() => prepare(request)).toThrow('additionalFolders must be an absolute path');
  });
});

describe('for the permissions of an ACP agent', () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'huddle-additional-')));
  afterAll(() => rmSync(root, { recursive: true }));

  function makeFolders(): { workingFolder: string; lib: string; attachments: string; outside: string } {
    const folder = mkdtempSync(join(root, 'place-'));
    const [workingFolder, lib, attachments, outside] = ['work', 'lib', 'attachments', 'outside'].map(
      (name) => {
        const path = join(folder, name);
        mkdirSync(path);
        writeFileSync(join(path, 'a.txt'), name);
        return path;
      },
    ) as [string, string, string, string];
    symlinkSync(join(outside, 'a.txt'), join(lib, 'link.txt'));
    return { workingFolder, lib, attachments, outside };
  }

  /** Replies to these steps, when the team file decides and everyone else denies. */
  async function play(
    workingFolder: string,
    folders: readonly AdditionalFolder[],
    steps: readonly object[],
    permission: 'read' | 'edit' = 'edit',
  ) {
    const asked: PermissionQuestion[] = [];
    const askPermission = async (question: PermissionQuestion) => {
      asked.push(question);
      const decision = decidePermission(question, { permission, allow: [], deny: [] });
      return decision?.decision === 'allowed' ? ('allow' as const) : ('deny' as const);
    };
    const request = { prompt: JSON.stringify(steps), workingFolder, permission, askPermission };
    const answer = await answerOf(createTestAdapter(), 'steps', { ...request, additionalFolders: folders });
    return { replies: answer.split('\n'), asked };
  }

  test('a folder counts as inside, and what a link in it leads to does not', async () => {
    const { workingFolder, lib } = makeFolders();
    const { replies } = await play(
      workingFolder,
      [{ path: lib }],
      [
        { read: join(lib, 'a.txt') },
        { write: join(lib, 'a.txt'), content: 'new' },
        { read: join(lib, 'link.txt') },
        { write: join(lib, 'link.txt') },
      ],
    );
    expect(replies[0]).toBe('read: lib');
    expect(readFileSync(join(lib, 'a.txt'), 'utf8')).toBe('new');
    expect(replies[2]).toContain('is outside the working folder');
    expect(replies[3]).toContain('is outside the working folder');
  });

  test('one that may only be read is read and not written, also not when a tool asks', async () => {
    const { workingFolder, attachments } = makeFolders();
    const file = join(attachments, 'a.txt');
    const call = (kind: string) => ({
      ask: { toolCallId: kind, kind, locations: [{ path: file }] },
      as: kind,
    });
    const { replies, asked } = await play(
      workingFolder,
      [{ path: attachments, isReadOnly: true }],
      [{ read: file }, { write: file }, call('read'), { answer: 'read' }, call('edit'), { answer: 'edit' }],
    );
    expect(replies[0]).toBe('read: attachments');
    expect(replies[1]).toContain('may only be read');
    expect(readFileSync(file, 'utf8')).toBe('attachments');
    const tools = asked.filter(({ isAsked }) => isAsked);
    expect(tools.map(({ kind, isInFolder, paths }) => [kind, isInFolder, paths])).toEqual([
      ['read', true, [file]],
      ['edit', false, [file]],
    ]);
  });

  test('a member that may only read writes to none of them', async () => {
    const { workingFolder, lib } = makeFolders();
    const { replies } = await play(workingFolder, [{ path: lib }], [{ write: join(lib, 'a.txt') }], 'read');
    expect(replies[0]).toContain('may not be written');
    expect(readFileSync(join(lib, 'a.txt'), 'utf8')).toBe('lib');
  });

  test('one that does not exist holds nothing', async () => {
    const { workingFolder, outside } = makeFolders();
    const { replies } = await play(
      workingFolder,
      [{ path: join(workingFolder, '..', 'gone') }],
      [{ read: join(outside, 'a.txt') }],
    );
    expect(replies[0]).toContain('is outside the working folder');
  });
});
