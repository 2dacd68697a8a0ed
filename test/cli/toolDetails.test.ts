import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createMachine, root, teamFile } from './runHuddle.js';

const RECORDING = join(root, 'test/fixtures/recordings/claude/write-acceptEdits.stdout.jsonl');

test('details of tool calls are streamed, and not one of them is saved', async () => {
  const machine = createMachine();
  const claude = join(machine.folder, 'bin', 'claude');
  writeFileSync(claude, `#!/bin/sh\n/bin/cat >/dev/null\nexec /bin/cat '${RECORDING}'\n`);
  chmodSync(claude, 0o755);
  machine.write('huddle.jsonc', teamFile({ max: { agentType: 'claude', permission: 'edit' } }));
  await machine.trust();
  const { stdout, code } = await machine.run(['run', 'Write it.', '--output-format', 'stream-json']);
  expect(code).toBe(0);
  const events = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(events.filter(({ event }) => event?.type === 'tool-detail')[0]).toMatchObject({
    type: 'turn-progress',
    memberId: 'max',
    event: { diffs: [{ path: '$CWD/made-by-model.txt', oldText: null, newText: 'x\n' }] },
  });
  const exported = await machine.run(['export', '--format', 'jsonl']);
  expect(exported.stdout).toContain('tool-start');
  expect(exported.stdout).not.toContain('tool-detail');
});
