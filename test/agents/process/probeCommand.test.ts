import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { probeCommand } from '../../../src/agents/process/probeCommand.js';

const HOSTILE_AGENT = fileURLToPath(new URL('../../fixtures/hostile-agent.mjs', import.meta.url));

function probe(version: string, milliseconds?: number) {
  return probeCommand({
    command: [process.execPath, HOSTILE_AGENT],
    args: ['--version'],
    workingFolder: tmpdir(),
    environment: { ...process.env, HOSTILE_VERSION: version },
    ...(milliseconds === undefined ? {} : { milliseconds }),
  });
}

describe.concurrent('probing a command', () => {
  it('gives what it says', async () => {
    const exit = { code: 0, signal: null };
    expect(await probe('ok')).toMatchObject({
      kind: 'answered',
      exit,
      stdout: expect.stringMatching(/^9\.9\.9 /u),
    });
  });

  it('gives its exit code and stderr', async () => {
    const stderr = 'cannot determine version\n';
    expect(await probe('fail')).toMatchObject({ kind: 'answered', exit: { code: 2 }, stdout: '', stderr });
  });

  it('ends one that hangs', async () => {
    expect(await probe('hang', 300)).toEqual({ kind: 'timed-out' });
  });

  it('says that there is none', async () => {
    const result = await probeCommand({ command: ['no-such-agent'], args: [], workingFolder: tmpdir() });
    expect(result).toMatchObject({ kind: 'failed', failure: { code: 'AGENT_MISSING' } });
  });
});
