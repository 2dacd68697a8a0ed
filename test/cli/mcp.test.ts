import { expect, test } from 'vitest';
import { RawClient } from '../frontends/mcp/rawClient.js';
import { finished } from './runHuddle.js';
import { createSquad } from './squad.js';

test('a client of revision 2025-06-18 asks the team and gets its answers', async () => {
  const { machine } = await createSquad();
  const child = machine.start(['mcp']);
  const client = new RawClient(child);
  const { result } = await client.initialize();
  expect(result).toMatchObject({ protocolVersion: '2025-06-18', serverInfo: { name: 'huddle' } });
  const { result: listed } = await client.request('tools/list');
  expect(listed.tools.map(({ name }: { name: string }) => name)).toEqual([
    ...['ask_team', 'ask_member', 'wait_for_team'],
    ...['read_conversation', 'explain_turn', 'conversation_cost'],
  ]);
  const { result: answer } = await client.call('ask_team', { message: 'How do we log in?', max_turns: 2 });
  expect(answer.content[0].text).toMatch(
    /^session \d{8}-\d{4}-[0-9a-f]{4} · paused · 2 turns · \$0\.02\n\n## max\n\n/u,
  );
  child.stdin.end();
  expect((await finished(child)).code).toBe(0);
});
