import { expect, test } from 'vitest';
import { explainTurns } from '../../src/coordinator/explainTurn.js';
import { toArray } from '../../src/utils/AnyIterable.js';
import { stage } from './stage.js';
import { agent, person, team } from './teams.js';

const acp = (command: readonly string[]) =>
  team([person('kim'), agent('max', { agentType: 'acp', command, systemInstruction: 'You are terse.' })]);

test.each([
  [['claude-agent-acp'], false],
  [['gemini', '--acp'], true],
  [['some-agent'], true],
])('the system text for %j stands in the prompt: %s', async (command, isInPrompt) => {
  const { conversation, log } = await stage(acp(command), { script: { max: [{ text: 'Hi.' }] } });
  await conversation.send('Hello');
  await conversation.settled();
  const [turn] = await toArray(explainTurns(log()));
  expect(turn?.isExact).toBe(true);
  expect(turn?.output.systemFlag !== undefined).toBe(!isInPrompt);
  expect(turn?.output.prompt.startsWith('[SYSTEM]')).toBe(isInPrompt);
  const everything = `${turn?.output.systemFlag ?? ''}${turn?.output.prompt}`;
  expect(everything.split('You are terse.')).toHaveLength(2);
});

test('a member that remembers goes on in its session, and is told the rest only', async () => {
  const members = [
    person('kim'),
    agent('max', { agentType: 'acp', command: ['some-agent'], memory: 'session' }),
  ];
  const script = { max: [{ text: 'One.' }, { text: 'Two.' }] };
  const scene = await stage(team(members), { script, isProcess: true });
  for (const message of ['First question', 'Second question']) {
    await scene.conversation.send(message);
    await scene.conversation.settled();
  }
  const starts = scene.facts('turn-start').map(({ prompt }) => prompt);
  expect(starts.map(({ session, omitsSystemText }) => [session, omitsSystemText])).toEqual([
    ['new', undefined],
    ['resume', true],
  ]);
  expect(scene.prompts()[1]?.text).not.toContain('First question');
  expect(scene.said()).toEqual(['kim: First question', 'max: One.', 'kim: Second question', 'max: Two.']);
});
