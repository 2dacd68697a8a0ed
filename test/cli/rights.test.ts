import { expect, test } from 'vitest';
import { english } from '../../src/catalogue/english.js';
import { createMachine, teamFile } from './runHuddle.js';

const { permissions, notHeld, shouldAsk } = english.telling;

/** Members by what may be said of them. */
const MEMBERS = {
  cleo: { agentType: 'claude-code', permission: 'read' },
  codi: { agentType: 'openai-codex', permission: 'edit' },
  free: { agentType: 'claude-code', permission: 'full' },
  fake: { agentType: 'claude-code', command: ['/bin/echo', 'claude'], permission: 'read' },
  asks: { agentType: 'acp', command: ['/bin/cat', 'reads'], permission: 'read' },
  edits: { agentType: 'acp', command: ['/bin/cat', 'edits'], permission: 'edit' },
  known: { agentType: 'acp', command: ['codex-acp'], permission: 'edit' },
  lint: { agentType: 'command', command: ['/bin/echo', 'Done.'] },
};

const RIGHTS: Readonly<Record<keyof typeof MEMBERS, string>> = {
  cleo: permissions.read,
  codi: permissions.edit,
  free: permissions.full,
  fake: notHeld,
  asks: shouldAsk.read,
  edits: shouldAsk.edit,
  known: permissions.edit,
  lint: notHeld,
};

test('what a member may do is said in the same words wherever it is said', async () => {
  const machine = createMachine();
  machine.write('huddle.jsonc', teamFile(MEMBERS, { files: { record: false } }));
  const question = (await machine.run(['trust'])).stdout;
  await machine.trust();
  await machine.run(['run', '[NEXT: lint] Go.']);
  const out = async (...args: readonly string[]) => (await machine.run(args)).stdout;
  const told: Readonly<Record<string, string>> = {
    'trust question': question.replaceAll(/\n {2}/gu, ' '),
    'team check': await out('team', 'check'),
    Markdown: await out('export'),
    HTML: (await out('export', '--format', 'html')).replaceAll(/<[^>]+>/gu, ' '),
  };
  for (const [place, text] of Object.entries(told))
    for (const [name, rights] of Object.entries(RIGHTS)) {
      const lines = text.split('\n').filter((line) => new RegExp(`\\b${name}\\b`, 'u').test(line));
      expect(lines.join('\n'), `${place}: ${name}`).toContain(rights);
    }
});
