import { fileURLToPath } from 'node:url';
import type { SessionUpdate } from '@agentclientprotocol/sdk/unstable';
import { expect, test } from 'vitest';
import type { RecordedEvent } from '../../src/models/ConversationEvent.js';
import { expectOrder, wordsOf } from '../frontends/acp/view/orderRules.js';
import { type AcpLine, startAcpOn } from './acpProcess.js';
import { createMachine, teamFile } from './runHuddle.js';

const RANDOM_AGENT = fileURLToPath(new URL('../fixtures/random-acp-agent.mjs', import.meta.url));
const random = (seed: number) => ({ agentType: 'acp', command: ['node', RANDOM_AGENT, `${seed}`] });

function updatesIn(lines: readonly AcpLine[]): SessionUpdate[] {
  return lines.flatMap(({ params }) => {
    const { update } = (params ?? {}) as { update?: SessionUpdate };
    return update === undefined ? [] : [update];
  });
}

test.each(['sequential', 'blind'] as const)(
  'an editor is shown every word that is stored, in an order it can follow, live and loaded: %s',
  async (fanout) => {
    const agents = { max: random(fanout.length), sarah: random(77) };
    const team = teamFile(agents, { routing: { fanout }, limits: { agentTurns: 100 } });
    const machine = createMachine();
    machine.write('huddle.jsonc', team);
    const live = startAcpOn(machine);
    await live.initialize();
    const sessionId = await live.create();
    const named = live.lines.length - 1;
    for (let count = 0; count < 3; count += 1) {
      const prompt = [{ type: 'text', text: 'Go. [NEXT: max, sarah]' }];
      expect(await live.request('session/prompt', { sessionId, prompt })).toMatchObject({
        result: { stopReason: 'end_turn' },
      });
    }
    expect(live.lines.at(-1), 'nothing comes after the answer').toHaveProperty('result');
    expect(updatesIn(live.lines.slice(0, named)), 'nothing comes before the session is named').toEqual([]);
    live.child.stdin.end();
    await live.ended;

    const { stdout } = await machine.run(['export', sessionId, '--format', 'jsonl']);
    const facts: RecordedEvent[] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const answers = facts.flatMap((fact) =>
      fact.type === 'message-added' && fact.turnId !== undefined ? [[fact.turnId, fact.message.content]] : [],
    );
    expect(answers).toHaveLength(6);
    expectOrder(updatesIn(live.lines));
    expect([...wordsOf(updatesIn(live.lines))]).toEqual(answers);

    const later = startAcpOn(machine);
    await later.initialize();
    await later.request('session/load', { sessionId, cwd: machine.project, mcpServers: [] });
    const loaded = updatesIn(later.lines);
    expectOrder(loaded);
    expect([...wordsOf(loaded)]).toEqual(answers);
  },
);
