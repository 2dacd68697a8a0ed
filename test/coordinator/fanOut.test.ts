import { once } from 'node:events';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Routing } from '../../src/models/Team.js';
import { stage, stageInProcess } from './stage.js';
import { agent, answering, hostile, person, team, WIDE } from './teams.js';

const members = [
  person(),
  agent('max'),
  agent('sarah', { agentType: 'openai-codex' }),
  agent('carol', { agentType: 'google-gemini' }),
];
const script = {
  max: [{ text: 'Max says red.' }],
  sarah: [{ text: 'Sarah says green.' }],
  carol: [{ text: 'Carol says blue.' }],
};
const question = '[NEXT: max, sarah, carol] Which colour?';
const squad = (fanout: Routing['fanout'], limits = {}) =>
  team(members, { routing: { fallback: 'human', fanout }, limits });
const colours = (text: string) => text.match(/red|green|blue/gu) ?? [];

describe.concurrent('a question to several agents', () => {
  test('is asked one after the other: each is asked about what the one before said', async () => {
    const { conversation, prompts, facts } = await stage(squad('sequential'), { script });
    await conversation.send(question);
    await conversation.settled();
    expect(prompts().map(({ to, text }) => [to, colours(text)])).toEqual([
      ['max', []],
      ['sarah', ['red']],
      ['carol', ['red', 'green']],
    ]);
    expect(prompts()[1]?.text).toMatch(/\[MESSAGE\]\nMax says red\.$/u);
    expect(facts('turn-start').every(({ triggeredBy }) => triggeredBy === 'msg-1')).toBe(true);
  });

  test('can be the same for all: each sees the answers before, and is asked the question', async () => {
    const { conversation, prompts, facts } = await stage(squad('same-question'), { script });
    await conversation.send(question);
    await conversation.settled();
    expect(prompts().map(({ to, text }) => [to, colours(text)])).toEqual([
      ['max', []],
      ['sarah', ['red']],
      ['carol', ['red', 'green']],
    ]);
    expect(prompts()[1]?.text).toMatch(/\[MESSAGE\]\nWhich colour\?$/u);
    expect(prompts()[2]?.text).toMatch(/Your task:\nWhich colour\?$/u);
    expect(facts('turn-start').map(({ prompt }) => prompt.about)).toEqual(['msg-1', 'msg-1', 'msg-1']);
  });

  test('can be blind: nobody sees another answer, and all are revealed together and in order', async () => {
    const { conversation, prompts, log, said } = await stage(squad('blind'), { script });
    const progress: string[] = [];
    conversation.subscribe(({ type }) => progress.push(type));
    await conversation.send(question);
    await conversation.settled();
    expect(prompts().map(({ to, text }) => [to, colours(text)])).toEqual([
      ['max', []],
      ['sarah', []],
      ['carol', []],
    ]);
    expect(said().slice(1)).toEqual([
      'max: Max says red.',
      'sarah: Sarah says green.',
      'carol: Carol says blue.',
    ]);
    const order = log().map(({ type }) => type);
    expect(order.lastIndexOf('turn-start')).toBeLessThan(order.indexOf('turn-end'));
    expect(order.slice(order.indexOf('turn-end')).filter((type) => type === 'turn-activity')).toEqual([]);
    expect(progress).not.toContain('turn-progress');
  });

  test('stays blind when the turn limit splits the round, and the limit is never overshot', async () => {
    const { conversation, prompts, facts } = await stage(squad('blind', { agentTurns: 2 }), { script });
    await conversation.send(question);
    expect(await conversation.settled()).toMatchObject({
      kind: 'paused',
      reason: { limit: 'agentTurns', count: 2 },
    });
    expect(facts('turn-start')).toHaveLength(2);
    await conversation.resume();
    expect(await conversation.settled()).toMatchObject({ kind: 'waiting' });
    expect(prompts().map(({ text }) => colours(text))).toEqual([[], [], []]);
  });

  test('that are fifty gets eight turns, and one notice about the others', async () => {
    const fifty = Array.from({ length: 50 }, (_, index) => answering(`m${index}`, `I am ${index}`));
    const crowd = team([person(), hostile('max', 'fanout:50'), ...fifty], { limits: WIDE });
    const { conversation, facts } = await stage(crowd);
    await conversation.send('[NEXT: max] Ask everyone.');
    await conversation.settled();
    expect(facts('turn-start').map(({ memberId }) => memberId)).toEqual([
      'max',
      'm0',
      'm1',
      'm2',
      'm3',
      'm4',
      'm5',
      'm6',
      'm7',
    ]);
    const refused = Array.from({ length: 42 }, (_, index) => `m${index + 8}`);
    expect(facts('notice')).toMatchObject([{ code: 'too-many-addressees', max: 8, memberIds: refused }]);
  });
});

describe('a blind round', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  const crew = (parallel: number) =>
    team([person(), ...names.map((name) => agent(name))], {
      routing: { fallback: 'human', fanout: 'blind' },
      limits: { ...WIDE, parallel },
    });

  test.each([
    [1, 1],
    [4, 4],
    [8, 6],
  ])('with limits.parallel %d runs %d agents at the same time', async (parallel, most) => {
    let [running, peak] = [0, 0];
    const { conversation, said } = await stageInProcess(crew(parallel), async function* (name) {
      peak = Math.max(peak, ++running);
      await setImmediate();
      running--;
      yield { type: 'end', outcome: { kind: 'completed', text: name } };
    });
    await conversation.send('[NEXT: all] Which?');
    await conversation.settled();
    expect(peak).toBe(most);
    expect(said().slice(1)).toEqual(names.map((name) => `${name}: ${name}`));
  });

  test('counts no wait as time of a turn', async () => {
    const { conversation, facts } = await stageInProcess(crew(1), async function* (name) {
      await setTimeout(name === 'a' ? 300 : 0);
      yield { type: 'end', outcome: { kind: 'completed', text: name } };
    });
    await conversation.send('[NEXT: all] Which?');
    await conversation.settled();
    const [first, ...others] = facts('turn-end').map(({ milliseconds }) => milliseconds);
    expect(first).toBeGreaterThanOrEqual(299);
    for (const milliseconds of others) expect(milliseconds).toBeLessThan(299);
  });

  test('that is cancelled starts none of the agents that wait', async () => {
    const asked: string[] = [];
    const { conversation, facts } = await stageInProcess(crew(1), async function* (name, _, signal) {
      if (signal.aborted) return yield { type: 'end', outcome: { kind: 'cancelled', draft: '' } };
      asked.push(name);
      const stopped = once(signal, 'abort');
      void conversation.cancel();
      await stopped;
      yield { type: 'end', outcome: { kind: 'cancelled', draft: '' } };
    });
    await conversation.send('[NEXT: all] Which?');
    await conversation.settled();
    expect(asked).toEqual(['a']);
    expect(facts('turn-end').map(({ result }) => result.kind)).toEqual(names.map(() => 'cancelled'));
  });
});
