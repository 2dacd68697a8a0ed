import { expect, test } from 'vitest';
import { prepareCodex } from '../../../src/agents/codex/dialect.js';
import { commandLine, turnRequest } from '../turnRequest.js';

const settings =
  '-c analytics.enabled=false -c features.plugins=false -c features.multi_agent=false -c features.multi_agent_v2=false -c agents.enabled=false';
const common = `codex exec --json --skip-git-repo-check ${settings} --sandbox`;

const fresh = { kind: 'new' } as const;
const resumed = { kind: 'resume', sessionId: 't-1' } as const;
const forked = { kind: 'fork', sessionId: 't-1' } as const;

test.each([
  ['read', fresh, `${common} read-only -`],
  ['read', resumed, `${common} read-only resume t-1 -`],
  ['read', forked, `${common} read-only fork t-1 -`],
  ['edit', fresh, `${common} workspace-write -`],
  ['edit', resumed, `${common} workspace-write resume t-1 -`],
  ['edit', forked, `${common} workspace-write fork t-1 -`],
  ['full', fresh, `${common} danger-full-access -`],
  ['full', resumed, `${common} danger-full-access resume t-1 -`],
  ['full', forked, `${common} danger-full-access fork t-1 -`],
] as const)('starts with permission %s in %o', (permission, session, expected) => {
  expect(commandLine(prepareCodex(turnRequest({ permission, session })))).toBe(expected);
});

test('passes the model on and takes the program of the member', () => {
  const line = commandLine(prepareCodex(turnRequest({ model: 'gpt-6.1', command: ['/opt/codex'] })));
  expect(line).toBe(
    `/opt/codex exec --json --skip-git-repo-check -m gpt-6.1 ${settings} --sandbox read-only -`,
  );
});

test.each([100, 1024 * 1024])(
  'system text of %i bytes rides in the prompt and is never added again',
  (size) => {
    const prompt = `[SYSTEM]\n${'x'.repeat(size)}\n\n[MESSAGE]\nHello`;
    const invocation = prepareCodex(turnRequest({ prompt, systemFlag: 'role text' }));
    expect(invocation.stdin).toBe(prompt);
    expect(invocation.files).toEqual([]);
    expect(commandLine(invocation)).toBe(`${common} read-only -`);
  },
);
