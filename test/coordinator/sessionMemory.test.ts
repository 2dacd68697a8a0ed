import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { AgentAdapter } from '../../src/agents/AgentAdapter.js';
import { AgentManager } from '../../src/agents/AgentManager.js';
import type { Conversation, SentText } from '../../src/coordinator/Conversation.js';
import { ConversationStarter } from '../../src/coordinator/ConversationStarter.js';
import { explainTurn } from '../../src/coordinator/explainTurn.js';
import { createConversation, resumeConversation } from '../../src/createConversation.js';
import type { AgentMember, Team } from '../../src/models/Team.js';
import { MemoryStore } from '../../src/store/memory/MemoryStore.js';
import { toArray } from '../../src/utils/AnyIterable.js';
import { defer } from '../../src/utils/defer.js';
import { makeTemporaryFolder } from '../config/temporaryFolder.js';
import { SIMULATORS, simulatorAdapter } from '../simulators/playProgram.js';
import type { Told } from '../simulators/playVendor.js';
import { bundleVendorAgent, vendorCommand } from '../simulators/vendorCommand.js';
import { agentNamed, factsOf, type Play, says, startWith, teamOf } from '../store/stage.js';

/** Two of these do not go into 3000 bytes. */
const ALPHA = 'a'.repeat(1500);
const BETA = 'b'.repeat(1500);
const TYPES = Object.keys(SIMULATORS);

describe.each(TYPES)('a %s member with session memory', (agentType) => {
  test('is sent only what it has not seen', async () => {
    const { conversation, sent, say } = await stage(agentType);
    await say('[NEXT: max] The password is tulip.');
    await say('[NEXT: sarah] Sarah, say something.');
    await say('[NEXT: max] And now?');
    const prompts = sent.filter(({ memberName }) => memberName === 'max').map(({ prompt }) => prompt);
    expect(prompts).toHaveLength(2);
    expect(prompts[1]).not.toContain('tulip');
    expect(prompts[1]).not.toContain('max here, in rehearsal');
    expect(prompts[1]).toContain('Sarah, say something.');
    expect(prompts[1]).toContain('sarah here, in rehearsal');
    expect(prompts[1]).toContain('And now?');
    const [first, , third] = await factsOf(conversation, 'turn-end');
    expect(third?.sessionId).toBe(first?.sessionId);
    expect(await sessionsOf(conversation)).toEqual(['new', 'new', 'resume']);
  });

  test('is told its role once, and again when it changed', async () => {
    const { conversation, sent, say, resume } = await stage(agentType, { systemInstruction: 'Be brief.' });
    await say('[NEXT: max] One.');
    await say('[NEXT: max] Two.');
    await conversation.close();
    const again = await resume(
      teamOf([agentNamed('max', { agentType, memory: 'session', systemInstruction: 'Be thorough.' })]),
    );
    for (const text of ['Three.', 'Four.']) {
      await again.send(`[NEXT: max] ${text}`);
      await again.settled();
    }
    const roles = sent.map(({ prompt, systemFlag = '' }) => /Be \w+\./.exec(systemFlag + prompt)?.[0]);
    const inFlag = agentType === 'claude-code';
    expect(roles).toEqual(
      inFlag
        ? ['Be brief.', 'Be brief.', 'Be thorough.', 'Be thorough.']
        : ['Be brief.', undefined, 'Be thorough.', undefined],
    );
    expect(await sessionsOf(again)).toEqual(['new', 'resume', 'resume', 'resume']);
    const events = await toArray(again.history());
    for (const { turnId } of await factsOf(again, 'turn-start'))
      expect((await explainTurn(events, turnId)).isExact).toBe(true);
  });

  test('is sent the team task once, and again when it changed or when its session is gone', async () => {
    const { conversation, sent, say, stateFolder } = await stage(agentType);
    await say('[NEXT: max] One.\n[TEAM_TASK] Plant tulips');
    await say('[NEXT: max] Two.');
    await say('[NEXT: max] Three.\n[TEAM_TASK] Plant roses');
    await say('[NEXT: max] Four.');
    rmSync(stateFolder, { recursive: true });
    await say('[NEXT: max] Five.');
    expect(await sessionsOf(conversation)).toEqual(['new', 'resume', 'resume', 'resume', 'resume', 'new']);
    const tasks = sent.map(({ prompt }) => prompt.match(/Plant \w+/gu));
    expect(tasks).toEqual([['Plant tulips'], null, ['Plant roses'], null, null, ['Plant roses']]);
    const events = await toArray(conversation.history());
    const starts = await factsOf(conversation, 'turn-start');
    expect(starts.map(({ prompt }) => prompt.omitsTask ?? false)).toEqual([
      ...[false, true, false, true, true, false],
    ]);
    for (const { turnId } of starts) expect((await explainTurn(events, turnId)).isExact).toBe(true);
  });

  test('gets the whole prompt in a new session when its own is gone, and that is said', async () => {
    const { conversation, sent, say, stateFolder } = await stage(agentType);
    await say('[NEXT: max] The password is tulip.');
    rmSync(stateFolder, { recursive: true });
    await say('[NEXT: max] What is it?');
    expect(await sessionsOf(conversation)).toEqual(['new', 'resume', 'new']);
    expect((await factsOf(conversation, 'turn-end')).map(({ result }) => result.kind)).toEqual([
      'completed',
      'failed',
      'completed',
    ]);
    expect(await factsOf(conversation, 'notice')).toMatchObject([{ code: 'session-lost', memberId: 'max' }]);
    expect((await factsOf(conversation, 'turn-start')).at(-1)).toMatchObject({
      turnId: 'turn-3',
      retryOf: 'turn-2',
    });
    expect(sent.at(-1)?.prompt).toContain('tulip');
    await say('[NEXT: max] Thanks.');
    expect((await sessionsOf(conversation)).at(-1)).toBe('resume');
    expect(await conversation.retry()).toBe(0);
  });

  test('trusts a session only after its first completed turn', async () => {
    const { conversation, say } = await stage(
      agentType,
      {},
      { max: [{ failure: 'server-error' }, { text: 'Yes.' }, { text: 'Yes!' }] },
    );
    await say('[NEXT: max] One.');
    await say('[NEXT: max] Two.');
    await say('[NEXT: max] Three.');
    expect(await sessionsOf(conversation)).toEqual(['new', 'new', 'resume']);
  });

  test('is sent what there was no room for as soon as there is, once, and why says so', async () => {
    const { conversation, sent, say, resume } = await stage(agentType, {}, undefined, 3000);
    await say('[NEXT: max] One.');
    await say(`[NEXT: sarah] ${ALPHA}`);
    await say(`[NEXT: sarah] ${BETA}`);
    await say('[NEXT: max] Two.');
    await conversation.close();
    const again = await resume();
    for (const text of ['Three.', 'Four.']) {
      await again.send(`[NEXT: max] ${text}`);
      await again.settled();
    }
    const prompts = sent.filter(({ memberName }) => memberName === 'max').map(({ prompt }) => prompt);
    const shown = prompts.map((prompt) => [ALPHA, BETA, 'One.'].filter((word) => prompt.includes(word)));
    expect(shown).toEqual([['One.'], [BETA], [ALPHA], []]);
    const starts = (await factsOf(again, 'turn-start')).filter(({ memberId }) => memberId === 'max');
    const alpha = { first: 'msg-3', last: 'msg-3' };
    expect(starts.map(({ prompt }) => prompt.missed)).toEqual([undefined, [alpha], undefined, undefined]);
    const plans = await Promise.all(starts.map(({ turnId }) => explainTurn(again.history(), turnId)));
    expect(plans.map(({ isExact }) => isExact)).toEqual([true, true, true, true]);
    const inclusions = plans.map(
      ({ plan }) => plan.messages.find(({ first }) => first === 'msg-3')?.inclusion,
    );
    expect(inclusions).toEqual([undefined, 'budget', 'kept', undefined]);
    expect((await sessionsOf(again)).at(-1)).toBe('resume');
  });

  test('goes on in its session after a restart, and is charged turn by turn', async () => {
    const script = {
      max: [
        { text: 'A', usd: 0.25 },
        { text: 'B', usd: 0.5 },
        { text: 'C', usd: 0.125 },
      ],
    };
    const { conversation, say, resume } = await stageProcesses(agentType, script);
    await say('[NEXT: max] One.');
    await conversation.close();
    const again = await resume();
    for (const text of ['Two.', 'Three.']) {
      await again.send(`[NEXT: max] ${text}`);
      await again.settled();
    }
    expect(await sessionsOf(again)).toEqual(['new', 'resume', 'resume']);
    const usages = (await factsOf(again, 'turn-end')).map(({ usage }) => usage);
    expect(usages.map((usage) => usage?.outputTokens)).toEqual([1, 1, 1]);
    if (agentType === 'claude-code') expect(usages.map((usage) => usage?.usd)).toEqual([0.25, 0.5, 0.125]);
    expect(again.snapshot().state.usage.total).toMatchObject({ turns: 3, outputTokens: 3 });
  });
});

test('what there was no room for in a turn that failed is not forgotten either', async () => {
  const script = { max: [{ text: 'Yes.' }, { failure: 'auth' }, { text: 'Yes!' }, { text: 'Yes?' }] };
  const { sent, say } = await stage('claude-code', {}, script, 3000);
  await say('[NEXT: max] One.');
  await say(`[NEXT: sarah] ${ALPHA}`);
  await say(`[NEXT: sarah] ${BETA}`);
  for (const text of ['Two.', 'Three.', 'Four.']) await say(`[NEXT: max] ${text}`);
  const prompts = sent.filter(({ memberName }) => memberName === 'max').map(({ prompt }) => prompt);
  const shown = prompts.map((prompt) => [ALPHA, BETA].filter((word) => prompt.includes(word)));
  expect(shown).toEqual([[], [BETA], [BETA], [ALPHA]]);
});

test.each([
  // Its session is copied from before the turn that failed.
  ['claude-code', 'fork'],
  ['openai-codex', 'resume'],
  ['google-gemini', 'resume'],
])('neither a failed login nor an outage costs a %s member its session', async (agentType, session) => {
  for (const failure of ['auth', 'rate-limit', 'server-error']) {
    const script = { max: [{ text: 'Yes.' }, { failure }, { text: 'Yes!' }] };
    const { conversation, say } = await stage(agentType, {}, script);
    await say('[NEXT: max] One.');
    await say('[NEXT: max] Two.');
    await say('[NEXT: max] Three.');
    expect(await sessionsOf(conversation)).toEqual(['new', 'resume', session]);
    expect(await factsOf(conversation, 'notice')).toEqual([]);
  }
});

test('a task that is set while a turn runs is sent with the next one', async () => {
  const sent: string[] = [];
  const running = defer<void>();
  const answer = defer<void>();
  const play: Play = async function* ({ prompt }) {
    sent.push(prompt);
    yield { type: 'session', sessionId: 'own' };
    if (sent.length === 2) {
      running.resolve();
      await answer.promise;
    }
    yield* says('Yes.');
  };
  const team = teamOf([agentNamed('max', { memory: 'session' })], { task: 'Plant tulips' });
  const conversation = await startWith(new MemoryStore(), team, play);
  onTestFinished(() => conversation.close());
  await conversation.send('One.');
  await conversation.settled();
  const second = conversation.send('Two.');
  await running.promise;
  await conversation.send('[TEAM_TASK] Plant roses');
  answer.resolve();
  await second;
  await conversation.settled();
  await conversation.send('Four.');
  await conversation.settled();
  expect(sent.map((prompt) => /Plant \w+/u.exec(prompt)?.[0])).toEqual([
    'Plant tulips',
    undefined,
    'Plant roses',
    undefined,
  ]);
});

test('a member with window memory never resumes a session', async () => {
  const { conversation, say } = await stage('claude-code', { memory: 'window' });
  await say('[NEXT: max] One.');
  await say('[NEXT: max] Two.');
  expect(await sessionsOf(conversation)).toEqual(['new', 'new']);
});

/** Members whose CLIs are played here: what they are started with and print is what a process would be and print. */
async function stage(
  agentType: string,
  parts: Partial<AgentMember> = {},
  script: object = [],
  maxBytes?: number,
) {
  const stateFolder = join(makeTemporaryFolder(), 'state');
  const members = [agentNamed('max', { agentType, memory: 'session', ...parts }), agentNamed('sarah')];
  const team = teamOf(members, maxBytes === undefined ? {} : { context: { maxBytes, guard: 'on' } });
  const store = new MemoryStore();
  const sent: SentText[] = [];
  const played = () => agentsPlayed({ script, stateFolder }, (text) => sent.push(text));
  const conversation = await new ConversationStarter().start({ team, store, agents: played() });
  const open = (changed: Team) =>
    new ConversationStarter().resume({ id: conversation.id, team: changed, store, agents: played() });
  return { sent, stateFolder, ...acting(conversation, team, open) };
}

/** The same with processes. */
async function stageProcesses(agentType: string, script: object) {
  const simulator = await bundleVendorAgent();
  const told = { memberName: 'max', stateFolder: join(makeTemporaryFolder(), 'state'), script };
  const command = vendorCommand(simulator, SIMULATORS[agentType] ?? 'plain', told);
  const team = teamOf([agentNamed('max', { agentType, memory: 'session', command })]);
  const store = new MemoryStore();
  const conversation = await createConversation({ team, store });
  return acting(conversation, team, (changed) =>
    resumeConversation({ id: conversation.id, team: changed, store }),
  );
}

function acting(conversation: Conversation, team: Team, open: (team: Team) => Promise<Conversation>) {
  onTestFinished(() => conversation.close());
  const say = async (text: string) => {
    await conversation.send(text);
    await conversation.settled();
  };
  const resume = async (changed = team) => {
    const again = await open(changed);
    onTestFinished(() => again.close());
    return again;
  };
  return { conversation, say, resume };
}

function agentsPlayed(told: Omit<Told, 'memberName'>, onPrompt: (text: SentText) => void): AgentManager {
  const createAdapter = (agentType: string): AgentAdapter => {
    const adapter = simulatorAdapter(agentType, told);
    return {
      runTurn(request, signal) {
        const { memberName, prompt, systemFlag } = request;
        onPrompt({ memberName, prompt, ...(systemFlag !== undefined && { systemFlag }) });
        return adapter.runTurn(request, signal);
      },
    };
  };
  return new AgentManager({ workingFolder: tmpdir(), createAdapter });
}

async function sessionsOf(conversation: Conversation): Promise<string[]> {
  return (await factsOf(conversation, 'turn-start')).map(({ prompt }) => prompt.session);
}
