import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { PermissionQuestion } from '../../../src/agents/AgentAdapter.js';
import { createTestAdapter, playTurn } from './hostileAcpAgent.js';

const root = mkdtempSync(join(tmpdir(), 'huddle-acp-questions-'));
afterAll(() => rmSync(root, { recursive: true }));

/** What we are asked about a tool call, as the agent tells of it in these messages. */
async function questionsAbout(...steps: readonly object[]): Promise<readonly PermissionQuestion[]> {
  const workingFolder = mkdtempSync(join(root, 'folder-'));
  writeFileSync(join(workingFolder, 'package.json'), '{}');
  symlinkSync('package.json', join(workingFolder, 'README.md'));
  const asked: PermissionQuestion[] = [];
  const askPermission = async (question: PermissionQuestion) => {
    asked.push(question);
    return 'deny' as const;
  };
  const prompt = JSON.stringify(steps);
  await playTurn(createTestAdapter(), 'steps', { prompt, workingFolder, askPermission });
  return asked;
}

const ask = (toolCall: object) => ({ ask: { toolCallId: 't', ...toolCall }, as: 'q' });
const done = { answer: 'q' };
const long = (kilobytes: number) => 'x'.repeat(kilobytes * 1024);

describe.concurrent('a question carries', () => {
  test.each([
    [['bash', '-lc', "echo 'hi' && rm -rf ~"], "bash -lc 'echo '\\''hi'\\'' && rm -rf ~'"],
    ['ls\nrm -rf ~', 'ls\nrm -rf ~'],
    [`echo ${long(4)}`, `echo ${long(4)}`],
    [['ls', ''], "ls ''"],
    [{ program: 'rm' }, '{"program":"rm"}'],
  ])('the whole command %#', async (command, shown) => {
    const rawInput = { command, description: 'Run the unit tests' };
    const [question] = await questionsAbout(ask({ kind: 'execute', title: 'Tests', rawInput }), done);
    expect(question).toMatchObject({
      kind: 'execute',
      toolId: 't',
      title: 'Tests',
      command: shown,
      extent: 'whole',
    });
    expect(question?.input).not.toContain('unit tests');
    expect(JSON.parse(question?.arguments ?? '')).toEqual({ description: 'Run the unit tests' });
  });

  test('the folder a command runs in, unless it is the working one', async () => {
    const run = (cwd: string) => ask({ kind: 'execute', rawInput: { command: 'ls', cwd } });
    const [here, elsewhere] = await questionsAbout(run('$CWD'), done, run('/etc'), done);
    expect(here?.arguments).toBeUndefined();
    expect(JSON.parse(elsewhere?.arguments ?? '')).toEqual({ cwd: '/etc' });
  });

  test('every file, where a link leads, and what would change, whatever the title says', async () => {
    const [question] = await questionsAbout(
      {
        update: {
          sessionUpdate: 'tool_call',
          toolCallId: 't',
          kind: 'edit',
          rawInput: { file_path: '/etc/passwd', new_string: 'b' },
        },
      },
      ask({
        title: 'Fix a typo in README.md',
        content: [{ type: 'diff', path: '$CWD/README.md', oldText: 'a', newText: 'b' }],
      }),
      done,
    );
    expect(question).toMatchObject({
      paths: ['README.md', 'package.json', '/etc/passwd'],
      isInFolder: false,
      diffs: [{ path: 'README.md', oldText: 'a', newText: 'b' }],
    });
    expect(question?.arguments).toBeUndefined();
  });

  test('whatever else a tool is given', async () => {
    const rawInput = { url: 'https://example.org', body: { deep: [1, 'two'] } };
    const [question] = await questionsAbout(ask({ kind: 'other', title: 'send', rawInput }), done);
    expect(JSON.parse(question?.arguments ?? '')).toEqual(rawInput);
  });
});

describe.concurrent('what is too long to be shown', () => {
  test.each([
    ['a change', { content: [{ type: 'diff', path: '$CWD/a', oldText: null, newText: long(300) }] }],
    ['what a tool is given', { rawInput: { file_path: '$CWD/a', content: long(300) } }],
  ])('is said of %s, which rules can still decide about', async (_, parts) => {
    const [question] = await questionsAbout(ask({ kind: 'edit', title: 'Edit', ...parts }), done);
    expect(question).toMatchObject({ extent: 'too-long-to-show', paths: ['a'], isInFolder: true });
    expect(question?.diffs).toBeUndefined();
    expect(question?.arguments).toBeUndefined();
  });

  test.each([
    ['a command', { rawInput: { command: long(300) } }],
    ['files', { locations: Array.from({ length: 1001 }, (__, index) => ({ path: `$CWD/${index}` })) }],
    ['a title', { title: long(300) }],
  ])('is said of %s, which nobody can decide about', async (_, parts) => {
    const [question] = await questionsAbout(ask({ kind: 'edit', ...parts }), done);
    expect(question).toMatchObject({ extent: 'too-long-to-judge' });
    expect(JSON.stringify(question).length).toBeLessThan(50_000);
  });

  test('is not forgotten when the question itself says less', async () => {
    const update = { sessionUpdate: 'tool_call', toolCallId: 't', rawInput: { command: long(300) } };
    const [question] = await questionsAbout({ update }, ask({ title: 'ls' }), done);
    expect(question).toMatchObject({ extent: 'too-long-to-judge' });
  });

  test('is also what many calls at once take together', async () => {
    const update = (index: number) => ({
      update: { sessionUpdate: 'tool_call', toolCallId: `t${index}`, rawInput: { command: long(200) } },
    });
    const calls = Array.from({ length: 30 }, (__, index) => update(index));
    const about = (index: number) => ({ ask: { toolCallId: `t${index}`, title: 'ls' }, as: 'q' });
    const questions = await questionsAbout(...calls, about(0), done, about(29), done);
    expect(questions.map(({ extent }) => extent)).toEqual(['too-long-to-judge', 'whole']);
  });
});
