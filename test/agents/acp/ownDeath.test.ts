import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test, vi } from 'vitest';
import { alivePids } from '../process/hostileAgent.js';
import { turnRequest } from '../turnRequest.js';
import { hostileCommand } from './hostileAcpAgent.js';

const root = mkdtempSync(join(tmpdir(), 'huddle-acp-'));
afterAll(() => rmSync(root, { recursive: true }));

const adapterFile = fileURLToPath(new URL('../../../compiled/agents/acp/AcpAdapter.js', import.meta.url));

/** A program that runs one turn, keeps its agent, and then does as told. */
function startProgram(pidFile: string, afterwards: string) {
  const request = turnRequest({ command: hostileCommand('grandchild', pidFile) });
  const script = `
    const { AcpAdapter } = await import(${JSON.stringify(adapterFile)});
    const turn = new AcpAdapter().runTurn(${JSON.stringify(request)}, new AbortController().signal);
    for await (const event of turn) if (event.type === 'end') console.log(event.outcome.kind);
    ${afterwards}`;
  return spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

test('when we are killed, an idle agent and all it started die with us', async () => {
  const pidFile = join(root, 'killed');
  const program = startProgram(pidFile, 'setInterval(() => undefined, 1000);');
  const [said] = await once(program.stdout, 'data');
  expect(String(said)).toBe('completed\n');
  expect(alivePids(pidFile)).toHaveLength(3);
  program.kill('SIGKILL');
  await vi.waitFor(() => expect(alivePids(pidFile)).toEqual([]), { timeout: 5000 });
});

test('an idle agent does not keep a program alive that forgot to close it', async () => {
  const pidFile = join(root, 'forgotten');
  const [code] = await once(startProgram(pidFile, ''), 'exit');
  expect(code).toBe(0);
  await vi.waitFor(() => expect(alivePids(pidFile)).toEqual([]), { timeout: 5000 });
});
