import { expect, test } from 'vitest';
import { credentialsOf } from '../../src/models/knownPrograms.js';
import { VENDOR_CREDENTIALS } from '../../src/models/vendorCredentials.js';

test.each([
  ['claude-code', VENDOR_CREDENTIALS.anthropic],
  ['claude', VENDOR_CREDENTIALS.anthropic],
  ['openai-codex', VENDOR_CREDENTIALS.openai],
  ['google-gemini', VENDOR_CREDENTIALS.google],
  ['command', []],
  ['no-such-type', []],
])('a member of type %s gets those of its vendor', (agentType, expected) => {
  expect(credentialsOf({ agentType })).toEqual(expected);
});

test.each([
  [['claude-agent-acp'], VENDOR_CREDENTIALS.anthropic],
  [['npx', '-y', '@agentclientprotocol/codex-acp'], VENDOR_CREDENTIALS.openai],
  [['opencode', 'acp'], ['OPENCODE_API_KEY']],
  [['evil', 'gemini', '--acp'], []],
])('an ACP agent gets those of the agent that its command starts: %j', (command, expected) => {
  expect(credentialsOf({ agentType: 'acp', command })).toEqual(expected);
});

test('those that the team file names come after them, each once', () => {
  const credentials = ['XAI_API_KEY', 'GEMINI_API_KEY'];
  expect(credentialsOf({ agentType: 'gemini', credentials })).toEqual([
    ...VENDOR_CREDENTIALS.google,
    'XAI_API_KEY',
  ]);
});
