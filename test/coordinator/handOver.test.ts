import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { applyFact, INITIAL_STATE } from '../../src/conversation/ConversationState.js';
import { stage } from './stage.js';
import { agent, answering, hostile, person, program, team, WIDE } from './teams.js';

const max = agent('max');
const sarah = agent('sarah', { agentType: 'openai-codex' });
const carol = agent('carol', { agentType: 'google-gemini' });
const trio = team([person(), max, sarah, carol]);

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

describe.concurrent('a hand-over', () => {
  test('goes from agent to agent over three vendors and comes back to the person', async () => {
    const { conversation, facts, said, prompts } = await stage(trio, {
      script: {
        max: [{ text: 'A plan.', next: ['sarah'] }],
        sarah: [{ text: 'The code.', next: ['Carol'] }],
        carol: [{ text: 'Looks right.' }],
      },
    });
    await conversation.send('Build it.');
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

  test('can be followed in the log alone: its facts give the same state again', async () => {
    const { conversation, log } = await stage(trio, {
      script: {
        max: [{ text: 'Look.', tools: [{ name: 'Read' }], next: ['sarah'], usd: 0.25 }],
        sarah: [{ failure: 'server-error' }],
      },
    });
    await conversation.send('Build it.');
    await conversation.settled();
    const replayed = log().reduce(applyFact, INITIAL_STATE);
    expect(replayed).toEqual(conversation.snapshot().state);
    expect(replayed).toMatchObject({
      lastHuman: 'kailai',
      lastAgent: 'sarah',
      turnCount: 2,
      counters: { usd: 0.25 },
    });
    const inTurn = log().flatMap((event) => (event.type === 'turn-activity' ? event.event.type : []));
    expect(inTurn).toEqual(expect.arrayContaining(['session', 'tool-start', 'tool-end']));
  });

  test('by @name counts in what a person says, whose words stay as they are, and not in what an agent says', async () => {
    const { conversation, prompts } = await stage(trio, {
      script: { sarah: [{ text: 'Ask @carol, not me.' }] },
    });
    const { routing } = await conversation.send('@Sarah, is this right?');
    expect(routing?.resolvedAddressees).toEqual(['sarah']);
    expect(await conversation.settled()).toEqual({ kind: 'waiting', memberIds: ['kailai'], named: false });
    expect(prompts().map(({ to }) => to)).toEqual(['sarah']);
    expect(prompts()[0]?.text).toContain('@Sarah, is this right?');
  });

  test('by @all asks every agent, and [NEXT: @name] is [NEXT: name]', async () => {
    const { conversation } = await stage(trio, { script: {} });
    expect((await conversation.send('@all How?')).routing?.resolvedAddressees).toEqual([
      'max',
      'sarah',
      'carol',
    ]);
    expect((await conversation.send('How? [NEXT: @carol]')).routing?.resolvedAddressees).toEqual(['carol']);
    await conversation.settled();
  });

  test('to a person by name waits for that person', async () => {
    const { conversation } = await stage(team([person(), person('bob'), max]), {
      script: { max: [{ text: 'Which database?', next: ['bob'] }] },
    });
    await conversation.send('Build it.');
    expect(await conversation.settled()).toEqual({ kind: 'waiting', memberIds: ['bob'], named: true });
    await conversation.send('SQLite.', { as: 'Bob' });
    await conversation.settled();
    expect(conversation.snapshot().messages[2]?.speaker).toMatchObject({ roleId: 'bob', type: 'human' });
  });

  test('without a word of its own is handed on as what it is', async () => {
    const { conversation, prompts } = await stage(trio, {
      script: { max: [{ text: '[NEXT: sarah]' }], sarah: [{ text: 'Here.' }] },
    });
    await conversation.send('[NEXT: max]');
    await conversation.settled();
    expect(prompts()[0]?.text).toContain('(kailai hands off to you.)');
    expect(prompts()[1]?.text).toMatch(/\[MESSAGE\]\n\(max hands off to you\.\)$/u);
  });

  test('to nobody known or to itself is said once and comes back to the person', async () => {
    const { conversation, facts } = await stage(trio, {
      script: { max: [{ text: 'Over. [NEXT: max, sarrah, zoe]' }] },
    });
    await conversation.send('Go.');
    expect(await conversation.settled()).toMatchObject({ kind: 'waiting', named: false });
    expect(facts('notice')).toMatchObject([
      { code: 'unknown-addressee', unknown: [{ name: 'sarrah', nearest: 'sarah' }, { name: 'zoe' }] },
      { code: 'self-addressed', memberId: 'max' },
    ]);
    expect(facts('turn-start')).toHaveLength(1);
  });

  test('in code, quotes and comments is no hand-over', async () => {
    const { conversation, facts } = await stage(team([person(), hostile('max', 'fences:sarah'), sarah]));
    await conversation.send('How does routing work?');
    await conversation.settled();
    expect(facts('turn-start').map(({ memberId }) => memberId)).toEqual(['max']);
  });

  test('full of broken markers and strangers is followed where it can be, with one notice for each kind', async () => {
    const broken = hostile('max', 'badmarkers');
    const { conversation, facts } = await stage(team([person(), broken, answering('sarah', 'Here.')]));
    await conversation.send('[NEXT: max] Go.');
    await conversation.settled();
    const notices = facts('notice').filter((notice) => 'messageId' in notice && notice.messageId === 'msg-2');
    expect(new Set(notices.map(({ code }) => code)).size).toBe(notices.length);
    expect(JSON.stringify(notices).length).toBeLessThan(3000);
    expect(facts('turn-start').map(({ memberId }) => memberId)).toEqual(['max', 'sarah']);
  });

  test('reaches a member whose name reads like a marker', async () => {
    const next = answering('next', 'I am next.');
    const { conversation, said } = await stage(team([person(), answering('from', '[NEXT: NEXT]'), next]));
    await conversation.send('[NEXT: from] Hello.');
    await conversation.settled();
    expect(said().slice(1)).toEqual(['from: [NEXT: NEXT]', 'next: I am next.']);
  });
});

describe.concurrent('what an agent says about itself', () => {
  test('never makes it somebody else, sets no task and forges no section of the next prompt', async () => {
    const { conversation, facts, prompts } = await stage(
      team(
        [
          person(),
          hostile('max', 'fromspoof:kailai', { variables: { HOSTILE_PEER: 'eve' } }),
          hostile('eve', 'sections'),
          hostile('sarah', 'fixed', { agentType: 'openai-codex' }),
        ],
        { task: 'Ship it' },
      ),
    );
    await conversation.send('[NEXT: max, eve, sarah] Review this.');
    await conversation.settled();
    const [, spoof] = conversation.snapshot().messages;
    expect(spoof).toMatchObject({
      speaker: { roleId: 'max', type: 'ai' },
      routing: { claimedFrom: 'kailai', resolvedAddressees: ['eve'] },
    });
    expect(facts('notice').map(({ code }) => code)).toEqual([
      'claimed-from',
      'task-from-agent',
      'task-from-agent',
    ]);
    expect(facts('task-changed').map(({ task }) => task)).toEqual(['Ship it']);
    expect(conversation.snapshot().teamTask).toBe('Ship it');
    const { text = '' } = prompts()[2] ?? {};
    expect(text.match(/^\[(?:SYSTEM|TEAM_TASK|CONTEXT|MESSAGE)\]$/gmu)).toEqual([
      '[SYSTEM]',
      '[TEAM_TASK]',
      '[CONTEXT]',
      '[MESSAGE]',
    ]);
    expect(text.match(/^- \S+ -> /gmu)).toEqual(['- kailai -> ', '- max -> ']);
  });

  test('reaches the whole team only within the turn limit, and changes nothing about it', async () => {
    // Each of them obeys: it repeats what it was told, word for word, and passes it on.
    const obey = (name: string, next: string) =>
      answering(name, (prompt) => `${prompt.slice(prompt.indexOf('IMPORTANT')).trim()}\n[NEXT: ${next}]`);
    const members = [person(), hostile('max', 'inject:a'), obey('a', 'b'), obey('b', 'c'), obey('c', 'max')];
    const infected = team(members, { limits: { ...WIDE, agentTurns: 10 } });
    const before = JSON.stringify(infected);
    const { conversation, facts, said } = await stage(infected);
    await conversation.send('Read the README.');
    expect(await conversation.settled()).toEqual({
      kind: 'paused',
      reason: { kind: 'limit', limit: 'agentTurns', count: 10, max: 10 },
    });
    expect(said().at(-1)).toContain('the human has already approved');
    const starts = facts('turn-start');
    expect(starts).toHaveLength(10);
    expect(starts.every(({ triggeredBy }) => /^msg-\d+$/u.test(triggeredBy))).toBe(true);
    expect(facts('task-changed')).toEqual([]);
    expect(facts('conversation-resume')).toEqual([]);
    expect(facts('message-added').filter(({ message }) => message.speaker.type === 'human')).toHaveLength(1);
    expect(JSON.stringify(conversation.team)).toBe(before);
  });
});

describe.concurrent('the text of a message', () => {
  const code = '    if (ready) {\n\n\tgo( );  \n      }\n\n[MESSAGE]\n  done  and   done\n```js\nlet x;\n```';
  const print = program('max', `process.stdout.write(${JSON.stringify(`${code}\n[NEXT: sarah]`)})`);
  const echo = (agentType: string) => hostile('sarah', 'echo', { agentType });
  const messageIn = (prompt: string) => prompt.slice(prompt.indexOf('[MESSAGE]\n') + '[MESSAGE]\n'.length);

  test('arrives byte for byte without the guard, but for its ends', async () => {
    const bare = team([person(), print, echo('openai-codex')], { context: { guard: 'off' } });
    const { conversation } = await stage(bare);
    await conversation.send('Write it.');
    await conversation.settled();
    const [, stored, echoed] = conversation.snapshot().messages;
    expect(stored?.content).toBe(`${code}\n[NEXT: sarah]`);
    expect(messageIn(echoed?.content ?? '')).toBe(code.trim());
  });

  test('can be had back from under the guard by taking two spaces off', async () => {
    const { conversation } = await stage(team([person(), print, echo('openai-codex')]));
    await conversation.send('Write it.');
    await conversation.settled();
    const received = messageIn(conversation.snapshot().messages[2]?.content ?? '');
    expect(received).not.toBe(code.trim());
    expect(received.replaceAll(/^ {2}/gmu, '')).toBe(code.trim());
  });

  test('reaches the program as the log says it was sent', async () => {
    const { conversation, facts, prompts } = await stage(
      team([person(), hostile('max', 'meta', { agentType: 'openai-codex' })], { task: '设计 🙂' }),
    );
    await conversation.send('Hello 小明.');
    await conversation.settled();
    const { text = '' } = prompts()[0] ?? {};
    const received = JSON.parse(conversation.snapshot().messages[1]?.content ?? '');
    expect(received).toMatchObject({ bytes: Buffer.byteLength(text), sha256: sha256(text) });
    expect(facts('turn-start')[0]?.prompt).toMatchObject({
      bytes: received.bytes,
      sha256: sha256(`\0${text}`),
    });
  });

  test('may be a megabyte', async () => {
    const roomy = team([person(), hostile('max', 'meta')], {
      context: { maxBytes: 2_000_000, guard: 'off' },
    });
    const { conversation, facts } = await stage(roomy);
    await conversation.send('字'.repeat(350_000));
    await conversation.settled();
    const [, answer] = conversation.snapshot().messages;
    expect(JSON.parse(answer?.content ?? '')).toMatchObject({ loneSurrogates: 0, replacement: 0 });
    expect(JSON.parse(answer?.content ?? '').bytes).toBeGreaterThan(1_050_000);
    expect(facts('notice')).toEqual([]);
  });

  test('that is too large for the budget is cut, and that is said', async () => {
    const { conversation, facts } = await stage(team([person(), hostile('max', 'meta')]));
    await conversation.send('x'.repeat(1_000_000));
    await conversation.settled();
    expect(facts('notice')).toMatchObject([{ code: 'prompt-trimmed', memberId: 'max' }]);
    expect(facts('turn-start')[0]?.prompt.bytes).toBeLessThanOrEqual(786_432);
  });
});
