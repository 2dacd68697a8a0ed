import { describe, expect, test } from 'vitest';
import { listUsage } from '../../src/conversation/usage.js';
import { stage } from './stage.js';
import { agent, answering, hostile, person, team, WIDE } from './teams.js';

/** Each answers at once and hands back, for ever. */
const pair = [
  person(),
  answering('max', (prompt) => `turn ${prompt.length}\n[NEXT: sarah]`),
  answering('sarah', (prompt) => `turn ${prompt.length}\n[NEXT: max]`),
];

describe.concurrent('an endless exchange', () => {
  test('stops after exactly as many agent turns as allowed, and going on gives as many again', async () => {
    const { conversation, facts } = await stage(team(pair, { limits: { ...WIDE, agentTurns: 20 } }));
    await conversation.send('Start.');
    const reason = { kind: 'limit', limit: 'agentTurns', count: 20, max: 20 };
    expect(await conversation.settled()).toEqual({ kind: 'paused', reason });
    expect(facts('turn-start')).toHaveLength(20);
    await conversation.resume();
    expect(await conversation.settled()).toEqual({ kind: 'paused', reason });
    expect(facts('turn-start')).toHaveLength(40);
    expect(facts('turn-start').every(({ triggeredBy }) => triggeredBy.startsWith('msg-'))).toBe(true);
  });

  test('of one pair stops after six turns; a message of a person lets it go on as well', async () => {
    const { conversation, facts } = await stage(team(pair));
    await conversation.send('Start.');
    const reason = { kind: 'limit', limit: 'pairTurns', count: 6, max: 6 };
    expect(await conversation.settled()).toEqual({ kind: 'paused', reason });
    expect(facts('turn-start')).toHaveLength(6);
    await conversation.resume();
    expect(await conversation.settled()).toEqual({ kind: 'paused', reason });
    expect(facts('turn-start')).toHaveLength(12);
    await conversation.send('[NEXT: max] Once more.');
    await conversation.settled();
    expect(facts('turn-start').length).toBe(18);
    expect(facts('conversation-resume').map(({ pastLimit }) => pastLimit)).toEqual([true, false]);
  });

  test('of the same answer stops at the third', async () => {
    const loop = [person(), agent('max'), agent('sarah'), agent('carol')];
    const round = team(loop, { routing: { fallback: 'round-robin', fanout: 'sequential' } });
    const { conversation, facts } = await stage(round, {
      script: { max: [{ text: 'I agree.' }], sarah: [{ text: 'I agree.' }], carol: [{ text: 'I agree.' }] },
    });
    await conversation.send('Agree?');
    expect(await conversation.settled()).toMatchObject({ reason: { limit: 'sameAnswer', count: 3 } });
    expect(facts('turn-start')).toHaveLength(3);
  });
});

describe.concurrent('an agent that reports its usage with a piece of its answer', () => {
  /** Speaks ACP as Qwen Code does: the answer to the prompt says nothing about tokens. */
  const script = `
    const send = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
    const update = (text, _meta) => send({ method: 'session/update', params: { sessionId: 's', update: {
      sessionUpdate: 'agent_message_chunk', content: { type: 'text', text }, ...(_meta && { _meta }) } } });
    const usage = { inputTokens: 100, outputTokens: 42, totalTokens: 142, cachedReadTokens: 30 };
    const answers = {
      initialize: () => ({ protocolVersion: 1, agentCapabilities: {} }),
      'session/new': () => ({ sessionId: 's', models: { currentModelId: 'qwen', availableModels: [{ modelId: 'qwen' }] } }),
      'session/prompt': () => { update('Yes.'); update('', { usage }); return { stopReason: 'end_turn' }; },
    };
    require('node:readline').createInterface(process.stdin).on('line', (line) => {
      const { id, method } = JSON.parse(line);
      if (id !== undefined) send({ id, result: answers[method]?.() ?? {} });
    });`;
  const qwen = agent('max', { agentType: 'acp', command: [process.execPath, '-e', script], model: 'qwen' });
  const prices = [{ model: 'qwen', input: 10_000, output: 10_000 }];

  test.each([
    [{ tokens: 142 }, 142],
    [{ usd: 1.42 }, 1.42],
  ])('is stopped by %o', async (limits, count) => {
    const { conversation, facts } = await stage(
      team([person(), qwen], { limits: { ...WIDE, ...limits }, prices }),
    );
    await conversation.send('Ready?');
    await conversation.settled();
    await conversation.send('And now?');
    expect(await conversation.settled()).toMatchObject({ kind: 'paused', reason: { count } });
    expect(facts('turn-start')).toHaveLength(1);
  });
});

describe.concurrent('money', () => {
  test('stops the turn that would start at or over the cap, and a message of a person does not bring it back', async () => {
    const loop = [
      person(),
      hostile('max', 'pingpong', { variables: { HOSTILE_PEER: 'sarah' } }),
      hostile('sarah', 'pingpong', { variables: { HOSTILE_PEER: 'max' } }),
    ];
    const { conversation, facts } = await stage(team(loop, { limits: { ...WIDE, usd: 0.05 } }));
    await conversation.send('Start.');
    const reason = { kind: 'limit', limit: 'usd', count: 0.0615, max: 0.05 };
    expect(await conversation.settled()).toEqual({ kind: 'paused', reason });
    expect(facts('turn-start')).toHaveLength(5);
    expect((await listUsage(conversation.history())).map(({ usage }) => [usage.usd, usage.price])).toEqual(
      Array.from({ length: 5 }, () => [0.0123, 'reported']),
    );
    await conversation.send('Go on.');
    expect(await conversation.settled()).toEqual({ kind: 'paused', reason });
    expect(facts('turn-start')).toHaveLength(5);
    await conversation.resume();
    await conversation.settled();
    expect(facts('turn-start')).toHaveLength(10);
  });

  test('is worked out from the tokens where the team file has a price', async () => {
    const priced = team([person(), agent('sarah', { agentType: 'openai-codex', model: 'gpt' })], {
      prices: [{ model: 'gpt', input: 1_000_000, output: 0 }],
      limits: { usd: 1 },
    });
    const { conversation } = await stage(priced, { script: { sarah: [{ text: 'Done.' }] } });
    await conversation.send('Hello.');
    await conversation.settled();
    const [entry] = await listUsage(conversation.history());
    expect(entry?.usage).toMatchObject({ price: 'estimated', usd: entry?.usage.inputTokens });
    await conversation.send('Again.');
    expect(await conversation.settled()).toMatchObject({ reason: { limit: 'usd' } });
  });
});
