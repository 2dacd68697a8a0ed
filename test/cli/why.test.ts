import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { scrub } from './runHuddle.js';
import { answering, expectRefusal, keepOne, machineWithTeam, outputOf } from './storedSessions.js';

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

  test('says what went in, what was left out, and what another would have been shown', async () => {
    const machine = machineWithTeam({
      max: { agentType: 'claude', window: 1 },
      sarah: { agentType: 'codex' },
    });
    await keepOne(machine);
    await machine.run(['run', '-c', 'More. [NEXT: max]', '--trust'], { env: answering });
    const told = await outputOf(machine, 'why', '3', '--beside', 'Sarah');
    await expect(scrub(told, machine)).toMatchFileSnapshot('golden/why.txt');
    const facts = JSON.parse(await outputOf(machine, 'why', 'turn-3', '--json', '--beside', 'sarah'));
    expect(facts).toMatchObject({ turnId: 'turn-3', isExact: true, beside: { memberId: 'sarah' } });
    expect(await outputOf(machine, 'why', '3', '--system')).toBe(facts.systemText);
    await expectRefusal(machine, ['why', '9'], { exitCode: 2, golden: 'why-unknown-turn' });
    await expectRefusal(machine, ['why', '1', '--beside', 'bob'], {
      exitCode: 2,
      golden: 'why-unknown-member',
    });
  });
});

describe('huddle cost', () => {
  test('says what each turn and each member took', async () => {
    const machine = machineWithTeam();
    await keepOne(machine);
    await expect(await outputOf(machine, 'cost')).toMatchFileSnapshot('golden/cost.txt');
    expect(JSON.parse(await outputOf(machine, 'cost', '--json'))).toMatchObject({
      total: { turns: 2, usd: 0.0123, prices: { reported: 1, unknown: 1 } },
      members: [{ member: 'max', usd: 0.0123 }, { member: 'sarah' }],
      turns: [
        { turnId: 'turn-1', member: 'max' },
        { turnId: 'turn-2', member: 'sarah' },
      ],
    });
  });
});
