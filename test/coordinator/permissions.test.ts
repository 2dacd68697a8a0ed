import { describe, expect, test } from 'vitest';
import type { ConversationEvent, RecordedEvent } from '../../src/models/ConversationEvent.js';
import type { AgentMember, Team } from '../../src/models/Team.js';
import { formatHtml } from '../../src/transcript/html.js';
import { formatMarkdown } from '../../src/transcript/markdown.js';
import { createTranscript } from '../../src/transcript/Transcript.js';
import { type Stage, stage } from './stage.js';
import { agent, person, team } from './teams.js';

/** A team with one agent that speaks the protocol and asks before it runs its tests. */
function asking(parts: Partial<AgentMember> = {}): Team {
  return team([
    person('kim'),
    person('lee'),
    agent('max', { agentType: 'acp', command: ['any-agent'], ...parts }),
  ]);
}

const tools = [{ name: 'Bash', input: 'npm test', result: '3 passed', asks: true }];
const script = { max: [{ text: ['Let me see.', 'Done.'], tools }] };

const isRequest = (event: ConversationEvent) =>
  event.type === 'turn-activity' && event.event.type === 'permission-request';

async function whenAsked({ conversation, seen }: Stage): Promise<string> {
  const asked = seen(isRequest);
  await conversation.send('Do the tests pass?');
  const event = await asked;
  return event.type === 'turn-activity' && event.event.type === 'permission-request'
    ? event.event.requestId
    : '';
}

/** What was asked, decided and done, in the order of the log. */
function story(events: readonly RecordedEvent[]): string[] {
  return events.flatMap((event) => {
    if (event.type === 'permission-decided') return [`${event.decision} by ${JSON.stringify(event.by)}`];
    if (event.type === 'turn-end') return [`end ${event.result.kind}`];
    if (event.type !== 'turn-activity') return [];
    const { event: activity } = event;
    if (activity.type === 'permission-request') return [`asked for ${activity.name} ${activity.input}`];
    return activity.type === 'tool-end' ? [`${activity.name} ${activity.ok ? 'ran' : 'failed'}`] : [];
  });
}

describe('a request for leave', () => {
  test('is denied when nobody is there, and the turn goes on', async () => {
    const { conversation, log, said } = await stage(asking(), { script });
    await conversation.send('Do the tests pass?');
    await conversation.settled();
    expect(story(log())).toEqual([
      'asked for Bash npm test',
      'denied by {"kind":"nobody"}',
      'Bash failed',
      'end completed',
    ]);
    expect(said().at(-1)).toBe('max: Let me see.\n\nDone.');
    const decided = log().find((event) => event.type === 'permission-decided');
    expect(decided).toMatchObject({ allowEntry: 'Bash(npm test)' });
  });

  test.each([
    ['allow', 'allowed', 'ran'],
    ['deny', 'denied', 'failed'],
  ] as const)('is decided by a person: %s', async (verdict, decision, tool) => {
    const scene = await stage(asking(), { script, interactive: true, isProcess: true });
    const requestId = await whenAsked(scene);
    await scene.conversation.answerPermission(requestId, verdict, { as: 'Lee' });
    await scene.conversation.settled();
    expect(story(scene.log())).toEqual([
      'asked for Bash npm test',
      `${decision} by {"kind":"person","memberId":"lee"}`,
      `Bash ${tool}`,
      'end completed',
    ]);
  });

  test('is decided in the very moment it is heard', async () => {
    const { conversation, log } = await stage(asking(), { script, interactive: true });
    conversation.subscribe((event) => {
      if (event.type === 'turn-activity' && event.event.type === 'permission-request')
        conversation.answerPermission(event.event.requestId, 'allow');
    });
    await conversation.send('Do the tests pass?');
    await conversation.settled();
    expect(story(log())).toEqual([
      'asked for Bash npm test',
      'allowed by {"kind":"person","memberId":"kim"}',
      'Bash ran',
      'end completed',
    ]);
  });

  test('is decided once: the second answer is refused, and so is one to a question nobody asked', async () => {
    const scene = await stage(asking(), { script, interactive: true });
    const { conversation } = scene;
    const requestId = await whenAsked(scene);
    const unknown = expect.objectContaining({ code: 'UNKNOWN_PERMISSION_REQUEST' });
    await expect(conversation.answerPermission('somebody-else', 'allow')).rejects.toThrow(unknown);
    await expect(conversation.answerPermission(requestId, 'allow', { as: 'max' })).rejects.toThrow(
      expect.objectContaining({ code: 'UNKNOWN_SPEAKER' }),
    );
    await conversation.answerPermission(requestId, 'allow');
    await expect(conversation.answerPermission(requestId, 'deny')).rejects.toThrow(unknown);
    await conversation.settled();
  });

  test('is answered cancelled when the turn is cancelled, before the turn ends', async () => {
    const scene = await stage(asking(), { script, interactive: true, isProcess: true });
    const requestId = await whenAsked(scene);
    await scene.conversation.cancel();
    await scene.conversation.settled();
    expect(story(scene.log())).toEqual([
      'asked for Bash npm test',
      'cancelled by {"kind":"nobody"}',
      'end cancelled',
    ]);
    await expect(scene.conversation.answerPermission(requestId, 'allow')).rejects.toThrow(
      'no longer pending',
    );
  });

  test('does not outlive the conversation', async () => {
    const scene = await stage(asking(), { script, interactive: true });
    await whenAsked(scene);
    await scene.conversation.close();
    expect(story(scene.log()).at(-2)).toBe('cancelled by {"kind":"nobody"}');
  });

  test('that is withdrawn because the conversation closes finds it closed', async () => {
    const { conversation, said, ...scene } = await stage(asking(), { script, interactive: true });
    await whenAsked({ conversation, said, ...scene });
    const withdrawn = scene.seen(({ type }) => type === 'permission-decided');
    let late: Promise<unknown> = Promise.resolve();
    conversation.subscribe(({ type }) => {
      if (type === 'permission-decided') late = conversation.send('One more thing.');
    });
    await Promise.all([
      withdrawn,
      conversation.close(),
      expect(withdrawn.then(() => late)).rejects.toThrow(),
    ]);
    expect(said()).toEqual(['kim: Do the tests pass?']);
  });

  test.each<readonly [Partial<AgentMember>, string]>([
    [{ permission: 'full' }, 'allowed by {"kind":"permission"}'],
    [{ allow: ['Bash(npm *)'] }, 'allowed by {"kind":"team-file"}'],
    [{ permission: 'full', deny: ['execute'] }, 'denied by {"kind":"team-file"}'],
  ])('needs no person where the team file decides: %j', async (parts, decision) => {
    const { conversation, log } = await stage(asking(parts), { script, interactive: true });
    await conversation.send('Do the tests pass?');
    await conversation.settled();
    expect(story(log())[1]).toBe(decision);
  });
});

test('transcripts say what was asked and who decided', async () => {
  const scene = await stage(asking(), { script, interactive: true });
  const requestId = await whenAsked(scene);
  await scene.conversation.answerPermission(requestId, 'deny');
  await scene.conversation.settled();
  const transcript = await createTranscript(scene.log());
  expect(formatMarkdown(transcript)).toContain('- asked permission for Bash: `npm test` (denied by kim)');
  expect(await formatHtml(transcript)).toContain('<b>Bash</b> <code>npm test</code> denied by kim');
});
