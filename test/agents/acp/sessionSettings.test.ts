import { describe, expect, test } from 'vitest';
import { findKnownAcpAgent, KNOWN_ACP_AGENTS } from '../../../src/agents/acp/knownAgents.js';
import { chooseMode, chooseModel } from '../../../src/agents/acp/openSession.js';
import { readTranscript } from './transcripts.js';

/** What a recorded agent offered when its session was opened. */
function offersOf(name: string): unknown {
  const opened = readTranscript(name, '/project').find(
    ({ msg }) => typeof msg.result === 'object' && msg.result !== null && 'sessionId' in msg.result,
  );
  return opened?.msg.result;
}

const transcripts = {
  'claude-agent-acp': 'claude-agent-acp-0.99.0-write',
  'codex-acp': 'codex-acp-2.6.0-write',
  gemini: 'gemini-write',
  opencode: 'opencode',
  qwen: 'qwen-0.24.4',
} as const;

describe('the mode of an agent', () => {
  test.each([
    ['claude-agent-acp', 'keep', 'acceptEdits', 'keep', 'keep'],
    ['codex-acp', 'read-only', 'workspace-write', 'agent-full-access', 'read-only'],
    ['gemini', 'keep', 'autoEdit', 'yolo', 'keep'],
    ['opencode', 'plan', 'keep', 'keep', 'keep'],
    ['qwen', 'default', 'auto-edit', 'yolo', 'default'],
  ] as const)('follows the permission of the member: %s', (id, read, edit, full, denying) => {
    const offers = offersOf(transcripts[id]);
    const known = findKnownAcpAgent([id]);
    const choose = (permission: 'read' | 'edit' | 'full', deny: readonly string[] = []) => {
      const choice = chooseMode(offers, known, { permission, deny });
      return choice.kind === 'request' ? Object.values(choice.request.params).at(-1) : choice.kind;
    };
    expect([choose('read'), choose('edit'), choose('full'), choose('full', ['x'])]).toEqual([
      read,
      edit,
      full,
      denying,
    ]);
  });

  test('of the older package of the same name is found by its other names', () => {
    const choice = chooseMode(offersOf('zed-codex-acp-0.16.0'), findKnownAcpAgent(['codex-acp']), {
      permission: 'edit',
      deny: [],
    });
    expect(choice).toEqual({
      kind: 'request',
      request: { method: 'session/set_mode', params: { modeId: 'auto' } },
    });
  });

  test('is said to be missing when none that is known is offered', () => {
    const offers = { modes: { currentModeId: 'free', availableModes: [{ id: 'free' }] } };
    expect(chooseMode(offers, findKnownAcpAgent(['gemini']), { permission: 'read', deny: [] })).toEqual({
      kind: 'missing',
      offered: ['free'],
    });
  });

  test('is left to an agent that nobody knows', () => {
    const offers = { modes: { currentModeId: 'a', availableModes: [{ id: 'a' }, { id: 'b' }] } };
    expect(chooseMode(offers, undefined, { permission: 'read', deny: [] })).toEqual({ kind: 'keep' });
  });
});

describe('the model of an agent', () => {
  test('is chosen by its options, or by the older list of models', () => {
    expect(chooseModel(offersOf(transcripts['claude-agent-acp']), 'sonnet')).toMatchObject({
      request: { method: 'session/set_config_option', params: { configId: 'model', value: 'sonnet' } },
    });
    expect(chooseModel(offersOf(transcripts.gemini), 'gemini-2.5-pro')).toMatchObject({
      request: { method: 'session/set_model', params: { modelId: 'gemini-2.5-pro' } },
    });
  });

  test('is kept when it is the right one, or none is wanted', () => {
    expect(chooseModel(offersOf(transcripts.gemini), 'gemini-3.8-flash')).toEqual({ kind: 'keep' });
    expect(chooseModel(offersOf(transcripts.gemini), undefined)).toEqual({ kind: 'keep' });
  });

  test('is said to be missing when it is not offered', () => {
    expect(chooseModel({ configOptions: 'none', models: null }, 'opus')).toEqual({
      kind: 'missing',
      offered: [],
    });
  });
});

test('an agent is known by its program, or by a file of its package', () => {
  const labels = [
    ['gemini', '--acp'],
    ['/usr/local/bin/opencode', 'acp'],
    ['npx', '@agentclientprotocol/codex-acp@2.6.0'],
    ['node', '/opt/node_modules/@agentclientprotocol/claude-agent-acp/dist/index.js'],
  ].map((command) => findKnownAcpAgent(command)?.id);
  expect(labels).toEqual(['gemini', 'opencode', 'codex-acp', 'claude-agent-acp']);
});

test.each([
  [['my-gemini']],
  [['evil', '--x=@opencode']],
  [['evil', './gemini/x.js']],
  [['evil', 'gemini', '--acp']],
  [['sh', '-c', 'gemini --acp']],
  [['node', './gemini/x.js']],
  [['node', 'evil.js', '/node_modules/@google/gemini-cli/index.js']],
  [['npx', 'evil', '@google/gemini-cli']],
  [['npx', '@google/gemini-cli-evil']],
  [['npx', '--package=evil', '@google/gemini-cli']],
  [[]],
])('no other word of a command makes it a known agent: %j', (command) => {
  expect(findKnownAcpAgent(command)).toBeUndefined();
});

test('every known agent has a version it was tested with, and a way to install it', () => {
  for (const { testedVersion, installHint, login } of KNOWN_ACP_AGENTS) {
    expect(testedVersion).toMatch(/^\d+\.\d+\.\d+$/u);
    expect(installHint).toMatch(/^npm install -g /u);
    expect(login.run).not.toBe('');
  }
});
