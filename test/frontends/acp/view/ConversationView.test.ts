import type { RequestPermissionResponse } from '@agentclientprotocol/sdk/unstable';
import { describe, expect, test } from 'vitest';
import { english } from '../../../../src/catalogue/english.js';
import { ConversationView } from '../../../../src/frontends/acp/view/ConversationView.js';
import type { AgentEvent } from '../../../../src/models/AgentEvent.js';
import type { ConversationEvent } from '../../../../src/models/ConversationEvent.js';
import type { AgentMember, Team } from '../../../../src/models/Team.js';
import { defer } from '../../../../src/utils/defer.js';
import { answers, ends, type Play, type Stage, stage, stageInProcess } from '../../../coordinator/stage.js';
import { agent, person, team } from '../../../coordinator/teams.js';
import { failureOf } from '../../../failureOf.js';
import { connectWire, outline, readThread, type Wire, type WireOptions } from './wire.js';

const squad = (parts: Partial<Team> = {}) =>
  team([person('kim'), agent('max', { title: 'Architect' }), agent('sarah')], parts);

function show(
  scene: Stage,
  options: WireOptions & { readonly as?: string } = {},
): Wire & { view: ConversationView } {
  const wire = connectWire(options);
  const view = new ConversationView(scene.conversation, wire.target, {
    folder: '/work',
    words: english,
    as: options.as,
  });
  return { ...wire, view };
}

/** Sends a prompt and waits until it is answered, as a session does. */
async function prompt({ conversation }: Stage, { view, flushed }: ReturnType<typeof show>, text: string) {
  view.begin();
  await conversation.send(text);
  const answer = await view.finish();
  await flushed();
  return answer;
}

describe('a prompt', () => {
  test('shows who speaks, what they do and say, and answers with what it took', async () => {
    const script = {
      max: [
        { text: ['Let me see.', 'Done. [NEXT: sarah]'], tools: [{ name: 'Read', input: 'a.ts' }], usd: 0.5 },
      ],
      sarah: [{ text: ['Agreed.'], usd: 0.25 }],
    };
    const scene = await stage(squad(), { script, isProcess: true });
    const shown = show(scene);
    const answer = await prompt(scene, shown, 'Is it safe?');
    expect(readThread(shown.updates())).toBe(
      '**max** · Architect\n\nLet me see.\n\nDone. [NEXT: sarah]\n\n**sarah**\n\nAgreed.',
    );
    expect(answer).toMatchObject({ stopReason: 'end_turn', usage: { totalTokens: expect.any(Number) } });
    const last = shown.updates().findLast(({ sessionUpdate }) => sessionUpdate === 'usage_update');
    expect(last).toMatchObject({ cost: { amount: 0.75, currency: 'USD' } });
    expect(outline(shown.updates())).toContain('session_info_update');
    expect(outline(shown.updates())).toContain('plan max · Architect [completed], sarah [completed]');
  });

  test('that follows another is no new title, and its plan begins anew', async () => {
    const scene = await stageInProcess(squad(), () => answers('Yes.'));
    const shown = show(scene);
    await prompt(scene, shown, 'One? [NEXT: max, sarah]');
    const before = shown.updates().length;
    await prompt(scene, shown, 'Two? [NEXT: max]');
    expect(outline(shown.updates()).slice(before)).toEqual(['agent turn-3.1: **max** · Architect\n\nYes.']);
  });

  test('in the middle of another is answered with it', async () => {
    const go = defer<void>();
    const scene = await stageInProcess(squad(), async function* () {
      await go.promise;
      yield* answers('Yes.');
    });
    const shown = show(scene);
    const first = prompt(scene, shown, 'One? [NEXT: max]');
    const second = prompt(scene, shown, 'Two? [NEXT: sarah]');
    go.resolve();
    expect(await Promise.all([first, second])).toMatchObject([
      { stopReason: 'end_turn' },
      { stopReason: 'end_turn' },
    ]);
    expect(readThread(shown.updates())).toBe('**max** · Architect\n\nYes.\n\n**sarah**\n\nYes.');
  });

  test('of a blind round shows answers whole and in order', async () => {
    const scene = await stageInProcess(squad({ routing: { fallback: 'human', fanout: 'blind' } }), (name) =>
      answers(`I am ${name}.`),
    );
    const shown = show(scene);
    await prompt(scene, shown, 'Who? [NEXT: sarah, max]');
    expect(readThread(shown.updates())).toBe('**sarah**\n\nI am sarah.\n\n**max** · Architect\n\nI am max.');
  });

  test('whose turns fail is answered like any other, and says so', async () => {
    const scene = await stageInProcess(squad(), async function* () {
      yield ends({ kind: 'failed', failure: failureOf('AGENT_ERROR'), draft: '' });
    });
    const shown = show(scene);
    expect(await prompt(scene, shown, 'One? [NEXT: max]')).toEqual({ stopReason: 'end_turn' });
    expect(readThread(shown.updates())).toMatch(/^\*max.*no reply received.*\*$/u);
  });

  test.each([
    ['agentTurns', { agentTurns: 1 }, 'max_turn_requests'],
    ['tokens', { tokens: 1 }, 'max_tokens'],
    ['usd', { usd: 0.1 }, 'max_turn_requests'],
  ] as const)('that reaches a limit says which: %s', async (_limit, limits, stopReason) => {
    const scene = await stageInProcess(team(squad().members, { limits }), async function* () {
      yield { type: 'usage', usage: { inputTokens: 9, cachedInputTokens: 0, outputTokens: 1, usd: 0.2 } };
      yield* answers('Over to you. [NEXT: sarah]');
    });
    const shown = show(scene);
    expect(await prompt(scene, shown, 'One? [NEXT: max]')).toMatchObject({ stopReason });
    expect(readThread(shown.updates())).toMatch(/\n\n\*Paused: .*Send \/continue to continue.*\*$/u);
  });

  test('that is cancelled is answered so, and what waited does not run', async () => {
    const scene = await stageInProcess(squad(), waits);
    const shown = show(scene);
    const started = scene.seen(({ type }) => type === 'turn-progress');
    const answered = prompt(scene, shown, 'One? [NEXT: max, sarah]');
    await started;
    await scene.conversation.cancel({ drop: true });
    expect(await answered).toEqual({ stopReason: 'cancelled' });
    expect(readThread(shown.updates())).toBe('**max** · Architect\n\nHalf\n\n*draft, not delivered*');
    expect(outline(shown.updates()).at(-1)).toBe('plan ');
  });

  test('is followed by nothing until the next one begins', async () => {
    const scene = await stageInProcess(squad(), () => answers('Yes.'));
    const shown = show(scene);
    await prompt(scene, shown, 'One? [NEXT: max]');
    const before = shown.updates().length;
    await scene.conversation.rename('Safe');
    await shown.flushed();
    expect(shown.updates()).toHaveLength(before);
    await prompt(scene, shown, 'Two? [NEXT: max]');
    expect(shown.updates()[before]).toEqual({ sessionUpdate: 'session_info_update', title: 'Safe' });
  });
});

test('a conversation that was closed meanwhile leaves no prompt unanswered', async () => {
  const scene = await stageInProcess(squad(), () => answers('Yes.'));
  const shown = show(scene);
  await scene.conversation.close();
  shown.view.begin();
  await expect(scene.conversation.send('One?')).rejects.toMatchObject({ code: 'CONVERSATION_CLOSED' });
  expect(await shown.view.finish()).toEqual({ stopReason: 'end_turn' });
});

describe('permission requests', () => {
  const asking = (parts: Partial<AgentMember> = {}): Team =>
    team([
      person('kim'),
      person('lee'),
      agent('max', { agentType: 'acp', command: ['any-agent'], ...parts }),
    ]);
  const tools = [{ name: 'Bash', input: 'npm test', result: '3 passed', asks: true }];
  const script = { max: [{ text: ['Let me see.', 'Done.'], tools }] };
  const selected = (optionId: string): RequestPermissionResponse => ({
    outcome: { outcome: 'selected', optionId },
  });
  const verdicts: [string, () => Promise<RequestPermissionResponse>, string][] = [
    ['allow', async () => selected('allow'), 'allowed'],
    ['deny', async () => selected('deny'), 'denied'],
    ['an option that was not offered', async () => selected('allow_always'), 'denied'],
    ['cancelled', async () => ({ outcome: { outcome: 'cancelled' } }), 'denied'],
    ['an error', () => Promise.reject(new Error('no window')), 'denied'],
    ['no outcome', async () => ({}) as RequestPermissionResponse, 'denied'],
  ];

  test.each(verdicts)('are decided by the client: %s', async (_name, answer, decision) => {
    const scene = await stage(asking(), { script, interactive: true });
    const shown = show(scene, { answer, as: 'lee' });
    expect(await prompt(scene, shown, 'Do the tests pass?')).toMatchObject({ stopReason: 'end_turn' });
    expect(scene.facts('permission-decided')).toMatchObject([
      { decision, by: { kind: 'person', memberId: 'lee' } },
    ]);
    const asked = shown.arrived.findIndex((entry) => 'asked' in entry);
    const entry = shown.arrived[asked];
    const toolCallId = entry !== undefined && 'asked' in entry ? entry.asked.toolCall.toolCallId : '';
    const before = shown.arrived.slice(0, asked);
    expect(before).toContainEqual(expect.objectContaining({ sessionUpdate: 'tool_call', toolCallId }));
    expect(entry).toMatchObject({ asked: { toolCall: { title: 'max · Bash npm test' } } });
  });

  test('are denied when the client is gone', async () => {
    const scene = await stage(asking(), { script, interactive: true });
    const shown = show(scene, { answer: () => new Promise(() => undefined) });
    const asked = scene.seen(isRequest);
    shown.view.begin();
    await scene.conversation.send('Do the tests pass?');
    await asked;
    shown.hangUp();
    expect(await shown.view.finish()).toMatchObject({ stopReason: 'end_turn' });
    expect(scene.facts('permission-decided')).toMatchObject([{ decision: 'denied' }]);
  });

  test('that were asked are denied, and those that were not are never asked, when the view is closed', async () => {
    const squadAsks = team(
      [
        person('kim'),
        ...['max', 'sarah'].map((name) => agent(name, { agentType: 'acp', command: ['any-agent'] })),
      ],
      { routing: { fallback: 'human', fanout: 'blind' } },
    );
    const scene = await stage(squadAsks, {
      script: { max: script.max, sarah: script.max },
      interactive: true,
    });
    const shown = show(scene, { answer: () => new Promise(() => undefined) });
    const both = defer<void>();
    scene.conversation.subscribe(() => {
      if (requests(scene) === 2) both.resolve();
    });
    shown.view.begin();
    await scene.conversation.send('Do the tests pass? [NEXT: max, sarah]');
    await both.promise;
    shown.view.close();
    await scene.conversation.settled();
    await shown.flushed();
    expect(scene.facts('permission-decided').map(({ decision }) => decision)).toEqual(['denied', 'denied']);
    expect(shown.arrived.filter((entry) => 'asked' in entry).length).toBeLessThanOrEqual(1);
  });

  test('are withdrawn when their turn is stopped, and the client hears of it', async () => {
    const scene = await stage(asking(), { script, interactive: true, isProcess: true });
    const [asked, withdrawn] = [defer<void>(), defer<void>()];
    const answer = (_question: unknown, signal: AbortSignal) => {
      asked.resolve();
      return new Promise<RequestPermissionResponse>((resolve) => {
        signal.addEventListener('abort', () => {
          withdrawn.resolve();
          resolve({ outcome: { outcome: 'cancelled' } });
        });
      });
    };
    const shown = show(scene, { answer });
    const answered = prompt(scene, shown, 'Do the tests pass?');
    await asked.promise;
    await scene.conversation.cancel({ drop: true });
    await withdrawn.promise;
    expect(await answered).toMatchObject({ stopReason: 'cancelled' });
    expect(scene.facts('permission-decided')).toMatchObject([{ decision: 'cancelled' }]);
  });

  test('come one at a time, whatever the order of the answers', async () => {
    const scene = await stage(
      team(
        [
          person('kim'),
          ...['max', 'sarah'].map((name) => agent(name, { agentType: 'acp', command: ['any-agent'] })),
        ],
        { routing: { fallback: 'human', fanout: 'blind' } },
      ),
      { script: { max: script.max, sarah: script.max }, interactive: true },
    );
    let open = 0;
    let most = 0;
    const both = defer<void>();
    scene.conversation.subscribe(() => {
      if (scene.conversation.snapshot().state.running.length === 2 && requests(scene) === 2) both.resolve();
    });
    const answer = async () => {
      open += 1;
      most = Math.max(most, open);
      await both.promise;
      open -= 1;
      return selected('allow');
    };
    const shown = show(scene, { answer });
    await prompt(scene, shown, 'Do the tests pass? [NEXT: max, sarah]');
    expect(most).toBe(1);
    expect(scene.facts('permission-decided').map(({ decision }) => decision)).toEqual(['allowed', 'allowed']);
  });

  function requests(scene: Stage): number {
    return scene.log().filter(isRequest).length;
  }
});

const isRequest = (event: ConversationEvent) =>
  event.type === 'turn-activity' && event.event.type === 'permission-request';

const waits: Play = async function* (_name, _prompt, signal): AsyncGenerator<AgentEvent> {
  yield { type: 'text-delta', text: 'Half' };
  if (!signal.aborted)
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  yield ends({ kind: 'cancelled', draft: 'Half' });
};
