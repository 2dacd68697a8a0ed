import { describe, expect, test } from 'vitest';
import { prepareClaude } from '../../../src/agents/claude/dialect.js';
import { commandLine, turnRequest } from '../turnRequest.js';

const common = 'claude -p --verbose --output-format stream-json --include-partial-messages';
const off =
  '--disallowedTools Task,Workflow,SendMessage,ListAgents,CronCreate,CronDelete,CronList,ScheduleWakeup,Monitor';
const read = '--tools Read,Grep,Glob --strict-mcp-config';
const edit = `--permission-mode acceptEdits ${off}`;
const full = `--dangerously-skip-permissions ${off}`;
const resume = '--resume s-1 --system-prompt-snapshot off';

const fresh = { kind: 'new' } as const;
const resumed = { kind: 'resume', sessionId: 's-1' } as const;
const forked = { kind: 'fork', sessionId: 's-1' } as const;

test.each([
  ['read', fresh, `${common} ${read}`],
  ['read', resumed, `${common} ${resume} ${read}`],
  ['read', forked, `${common} ${resume} --fork-session ${read}`],
  ['read', { ...forked, at: 'm-1' }, `${common} ${resume} --fork-session --resume-session-at m-1 ${read}`],
  ['edit', fresh, `${common} ${edit}`],
  ['edit', resumed, `${common} ${resume} ${edit}`],
  ['edit', forked, `${common} ${resume} --fork-session ${edit}`],
  ['full', fresh, `${common} ${full}`],
  ['full', resumed, `${common} ${resume} ${full}`],
  ['full', forked, `${common} ${resume} --fork-session ${full}`],
] as const)('starts with permission %s in %o', (permission, session, expected) => {
  expect(commandLine(prepareClaude(turnRequest({ permission, session })))).toBe(expected);
});

test('passes the model on and takes the program of the member', () => {
  const request = turnRequest({ model: 'sonnet', command: ['nice', 'claude'] });
  expect(commandLine(prepareClaude(request))).toBe(`nice ${common} --model sonnet ${read}`);
});

describe('system text', () => {
  const limit = 96 * 1024;

  test.each([
    ['of 96 KB', 'x'.repeat(limit)],
    ['of 96 KB beyond ASCII', '界'.repeat(limit / 3)],
  ])('%s goes on the command line', (_, systemFlag) => {
    const invocation = prepareClaude(turnRequest({ systemFlag }));
    expect(invocation.args).toContain('--append-system-prompt');
    expect(invocation.args).toContain(systemFlag);
    expect(invocation.files).toEqual([]);
  });

  test.each([
    ['one byte longer', 'x'.repeat(limit + 1)],
    ['one byte longer beyond ASCII', `x${'界'.repeat(limit / 3)}`],
    ['of 1 MB', 'x'.repeat(1024 * 1024)],
    ['with a NUL, which no argument can hold,', 'a\0b'],
  ])('%s goes by file', (_, systemFlag) => {
    const invocation = prepareClaude(turnRequest({ systemFlag }));
    const at = invocation.args.indexOf('--append-system-prompt-file');
    expect(invocation.args[at + 1]).toEqual({ file: 'system.md' });
    expect(invocation.files).toEqual([{ file: 'system.md', content: systemFlag }]);
    expect(invocation.args).not.toContain('--append-system-prompt');
  });

  test('that is empty is left out', () => {
    expect(commandLine(prepareClaude(turnRequest({ systemFlag: '' })))).toBe(`${common} ${read}`);
  });
});

test('the prompt goes on stdin only, and the environment caps retries and switches reports off', () => {
  const invocation = prepareClaude(turnRequest({ prompt: '--version; rm -rf ~' }));
  expect(invocation.stdin).toBe('--version; rm -rf ~');
  expect(commandLine(invocation)).not.toContain('rm -rf');
  expect(invocation.env).toEqual({
    CLAUDE_CODE_MAX_RETRIES: '2',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
  });
});

describe('the lists of a member', () => {
  const line = (parts: Parameters<typeof turnRequest>[0]) => commandLine(prepareClaude(turnRequest(parts)));

  test('are passed on in the words of Claude Code', () => {
    const parts = { allow: ['Bash(npm test *)', 'WebFetch'], deny: ['Bash(rm *)'] };
    expect(line({ ...parts, permission: 'edit' })).toBe(
      `${common} --permission-mode acceptEdits --allowedTools Bash(npm test *),WebFetch ${off},Bash(rm *)`,
    );
  });

  test('make tools available that a reader does not have', () => {
    expect(line({ allow: ['Bash(npm test *)', 'Bash(git log *)'], deny: ['Read(.env)'] })).toBe(
      `${common} --tools Read,Grep,Glob,Bash --strict-mcp-config ` +
        '--allowedTools Bash(npm test *),Bash(git log *) --disallowedTools Read(.env)',
    );
  });

  test('switch a tool on again that is off for everybody else', () => {
    expect(line({ permission: 'full', allow: ['Task'] })).toContain('--disallowedTools Workflow,SendMessage');
  });

  test.each(['--dangerously-skip-permissions', '', 'Bash\n--x'])('cannot act as an option: %j', (entry) => {
    expect(() => line({ allow: [entry] })).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }));
    expect(() => line({ deny: [entry] })).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }));
  });
});
