import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { hasTerminal, runInTerminal } from './pty.js';
import { keepOne, machineWithTeam, outputOf } from './storedSessions.js';

describe('huddle why', () => {
  test('prints exactly the bytes that the agent got', async () => {
    const machine = machineWithTeam();
    await keepOne(machine, 'Größe 小明?\n\n  indented  [NEXT: max, sarah]', { HOSTILE: 'meta' });
    const said = (await outputOf(machine, 'export', '--format', 'jsonl'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
      .filter(({ type, turnId }) => type === 'message-added' && turnId !== undefined);
    expect(said).toHaveLength(2);
    for (const { turnId, message } of said) {
      const prompt = await outputOf(machine, 'why', turnId, '--prompt');
      const { bytes, sha256 } = JSON.parse(message.content);
      expect(Buffer.byteLength(prompt)).toBe(bytes);
      expect(createHash('sha256').update(prompt).digest('hex')).toBe(sha256);
    }
  });

  test.skipIf(!hasTerminal)('begins its note about the system prompt on a line of its own', async () => {
    const machine = machineWithTeam();
    await keepOne(machine);
    const { screen } = await runInTerminal(machine, { args: ['why', '1', '--prompt'] });
    expect(screen).toMatch(/^The system prompt was sent separately\. To see it: --system$/mu);
  });
});
