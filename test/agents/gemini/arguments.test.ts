import { expect, test } from 'vitest';
import { prepareGemini } from '../../../src/agents/gemini/dialect.js';
import { commandLine, turnRequest } from '../turnRequest.js';

const common = 'gemini --output-format stream-json --skip-trust --approval-mode';
const policy = '--admin-policy <policy.toml>';

const fresh = { kind: 'new' } as const;
const resumed = { kind: 'resume', sessionId: 'g-1' } as const;

test.each([
  ['read', fresh, `${common} default ${policy}`],
  ['read', resumed, `${common} default ${policy} --resume g-1`],
  ['edit', fresh, `${common} auto_edit ${policy}`],
  ['edit', resumed, `${common} auto_edit ${policy} --resume g-1`],
  ['full', fresh, `${common} yolo ${policy}`],
  ['full', resumed, `${common} yolo ${policy} --resume g-1`],
] as const)('starts with permission %s in %o', (permission, session, expected) => {
  expect(commandLine(prepareGemini(turnRequest({ permission, session })))).toBe(expected);
});

test.each(['read', 'edit', 'full'] as const)('refuses to fork a session with permission %s', (permission) => {
  const request = turnRequest({ permission, session: { kind: 'fork', sessionId: 'g-1' } });
  expect(() => prepareGemini(request)).toThrow(/session\.kind must be "new" or "resume" for Gemini CLI/);
});

test.each([
  ['read', '["enter_plan_mode","exit_plan_mode","invoke_agent"]'],
  ['edit', '["enter_plan_mode","exit_plan_mode","invoke_agent"]'],
  ['full', '["invoke_agent"]'],
] as const)('closes the way from permission %s to more', (permission, tools) => {
  const content = `[[rule]]\ntoolName = ${tools}\ndecision = "deny"\npriority = 999\n`;
  expect(prepareGemini(turnRequest({ permission })).files).toEqual([{ file: 'policy.toml', content }]);
});

test('passes the model on, the prompt on stdin, and runs without a launcher', () => {
  const invocation = prepareGemini(turnRequest({ model: 'gemini-3.8-flash', systemFlag: 'role text' }));
  expect(commandLine(invocation)).toBe(
    `gemini --output-format stream-json --skip-trust -m gemini-3.8-flash --approval-mode default ${policy}`,
  );
  expect(invocation.stdin).toBe('[MESSAGE]\nHello');
  expect(invocation.env).toEqual({ GEMINI_CLI_NO_RELAUNCH: 'true', GEMINI_TELEMETRY_ENABLED: 'false' });
});

test('the lists of a member become rules, and what is denied stands over what is allowed', () => {
  const request = turnRequest({
    permission: 'full',
    allow: ['run_shell_command(npm test *)', 'invoke_agent'],
    deny: ['web_fetch', 'run_shell_command(rm)'],
  });
  expect(prepareGemini(request).files[0]?.content).toBe(
    [
      '[[rule]]\ntoolName = ["web_fetch"]\ndecision = "deny"\npriority = 999\n',
      '[[rule]]\ntoolName = ["run_shell_command"]\ncommandPrefix = "rm"\ndecision = "deny"\npriority = 999\n',
      '[[rule]]\ntoolName = ["run_shell_command"]\ncommandPrefix = "npm test"\ndecision = "allow"\npriority = 998\n',
      '[[rule]]\ntoolName = ["invoke_agent"]\ndecision = "allow"\npriority = 998\n',
    ].join('\n'),
  );
});

test.each(['write_file(a.txt)', 'two words', ''])(
  'an entry that Gemini cannot keep to is refused: %j',
  (entry) => {
    expect(() => prepareGemini(turnRequest({ deny: [entry] }))).toThrow(
      expect.objectContaining({ code: 'INVALID_OPTION' }),
    );
  },
);
