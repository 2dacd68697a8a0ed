import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hasTerminal, runInTerminal } from './pty.js';
import { createMachine, type Machine, teamFile } from './runHuddle.js';

const KINDS = ['[Debug][Send] to max', '[Debug][Route] msg-1 from kim', '[Debug][Jsonl] max {"type":"text'];
const go = ['run', 'My key is sk-abcdefghijklmnopqrstuvwxyz.', '--trust'];

function machineWithTeam(): Machine {
  const machine = createMachine();
  machine.install('claude');
  machine.write('huddle.jsonc', teamFile({ max: { agentType: 'claude' } }));
  return machine;
}

function expectDebugLines(text: string): void {
  for (const kind of KINDS) expect(text).toContain(kind);
  expect(text).toContain('[redacted]');
  expect(text).not.toMatch(/sk-abcdef|s3cret-value/u);
}

test('DEBUG=1 writes what is sent, routed and read to stderr, without secrets', async () => {
  const env = { DEBUG: '1', HOSTILE: 'echo', MY_API_KEY: 's3cret-value' };
  const { stdout, stderr } = await machineWithTeam().run([...go.with(1, `${go[1]} s3cret-value`)], { env });
  expectDebugLines(stderr);
  expect(stdout).toContain('sk-abcdefghijklmnopqrstuvwxyz');
});

test('without DEBUG there are no such lines', async () => {
  const { stderr } = await machineWithTeam().run(go, { env: { DEBUG: 'express:*', HOSTILE: 'echo' } });
  expect(stderr).not.toContain('[Debug]');
});

test('--debug-file writes them to a file only its owner can read', async () => {
  const machine = machineWithTeam();
  const { stderr } = await machine.run([...go, '--debug-file', 'debug.log'], { env: { HOSTILE: 'echo' } });
  const file = join(machine.project, 'debug.log');
  expect(stderr).toContain(`Debug output goes to ${file}`);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expectDebugLines(readFileSync(file, 'utf8'));
});

test('what was left out of a prompt is said', async () => {
  const machine = createMachine();
  machine.install('claude');
  machine.write('huddle.jsonc', teamFile({ max: { agentType: 'claude' } }, { context: { maxBytes: 2048 } }));
  const { stderr } = await machine.run(['run', 'x'.repeat(4000), '--trust'], {
    env: { DEBUG: '1', HOSTILE: 'fixed' },
  });
  expect(stderr).toMatch(/^\[Debug\]\[Trim\] .*MESSAGE cut to \d+ bytes/mu);
});

test.runIf(hasTerminal)('on a terminal they go to a private file, whose path is shown', async () => {
  const machine = machineWithTeam();
  const { screen } = await runInTerminal(machine, { args: go, env: { DEBUG: '1', HOSTILE: 'fixed' } });
  const folder = join(machine.folder, 'data', 'debug');
  const [name = ''] = readdirSync(folder);
  expect(screen).toContain(`Debug output goes to ${join(folder, name)}`);
  expect(screen).not.toContain('[Debug]');
  expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  expectDebugLines(readFileSync(join(folder, name), 'utf8'));
});
