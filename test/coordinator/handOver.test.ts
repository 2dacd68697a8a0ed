import { describe, expect, test } from 'vitest';
import { stage } from './stage.js';
import { agent, person, team } from './teams.js';

const trio = [
  person(),
  agent('max'),
  agent('sarah', { agentType: 'openai-codex' }),
  agent('carol', { agentType: 'google-gemini' }),
];

describe.concurrent('a hand-over', () => {
  test('goes from agent to agent over three vendors and comes back to the person', async () => {
    const { conversation, facts, said, prompts } = stage(team(trio), {
      script: {
        max: [{ text: 'A plan.', next: ['sarah'] }],
        sarah: [{ text: 'The code.', next: ['Carol'] }],
        carol: [{ text: 'Looks right.' }],
      },
    });
    conversation.send('Build it.');
    expect(await conversation.settled()).toEqual({ kind: 'waiting', memberIds: ['kailai'], named: false });
    expect(said()).toEqual([
      'kailai: Build it.',
      'max: A plan.\n\n[NEXT: sarah]',
      'sarah: The code.\n\n[NEXT: Carol]',
      'carol: Looks right.',
    ]);
    expect(prompts().map(({ to }) => to)).toEqual(['max', 'sarah', 'carol']);
    expect(prompts()[2]?.text).toContain('- max: A plan.');
    expect(facts('turn-start').map(({ triggeredBy }) => triggeredBy)).toEqual(['msg-1', 'msg-2', 'msg-3']);
    expect(facts('message-added').map(({ turnId }) => turnId)).toEqual([
      undefined,
      'turn-1',
      'turn-2',
      'turn-3',
    ]);
  });
});
