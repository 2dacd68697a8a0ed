import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { AcpAdapter } from '../../../src/agents/acp/AcpAdapter.js';
import { alivePids } from '../process/hostileAgent.js';
import { hostileCommand, playTurn } from './hostileAcpAgent.js';

const root = mkdtempSync(join(tmpdir(), 'huddle-acp-'));
afterAll(() => rmSync(root, { recursive: true }));

test('what left the group and the environment of an agent is gone when the adapter is closed', async () => {
  const pidFile = join(root, 'pids');
  const leave = `env -i setsid sh -c 'sleep 60 & echo $! >> ${pidFile}' >/dev/null 2>&1`;
  const command = ['sh', '-c', `${leave}; exec "$@"`, 'sh', ...hostileCommand('echo')];
  const adapter = new AcpAdapter();
  const { outcome } = await playTurn(adapter, 'echo', { command });
  expect(outcome.kind).toBe('completed');
  expect(alivePids(pidFile)).toHaveLength(1);
  await adapter.close();
  await vi.waitFor(() => expect(alivePids(pidFile)).toEqual([]), { timeout: 5000 });
});
