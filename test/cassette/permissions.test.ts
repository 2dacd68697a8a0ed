import { describe, expect, test } from 'vitest';
import { playCassette } from '../../src/cassette/playCassette.js';
import type { ConversationEvent, RecordedEvent } from '../../src/models/ConversationEvent.js';
import type { AgentMember, Team } from '../../src/models/Team.js';
import { stage } from '../coordinator/stage.js';
import { agent, person, team } from '../coordinator/teams.js';

function asking(parts: Partial<AgentMember> = {}): Team {
  return team([person('kim'), agent('max', { agentType: 'acp', command: ['any-agent'], ...parts })]);
}

const tools = [{ name: 'Bash', input: 'npm test', result: '3 passed', asks: true }];
const script = { max: [{ text: ['Let me see.', 'Done.'], tools }] };

type Answer = 'allow' | 'deny' | 'cancel' | 'nobody is there';

async function record(of: Team, answer: Answer, isProcess = false): Promise<RecordedEvent[]> {
  const interactive = answer !== 'nobody is there';
  const { conversation, log } = await stage(of, { script, interactive, isProcess });
  conversation.subscribe((event: ConversationEvent) => {
    if (event.type !== 'turn-activity' || event.event.type !== 'permission-request') return;
    if (!event.event.isOpen || answer === 'nobody is there') return;
    if (answer === 'cancel') void conversation.cancel();
    else void conversation.answerPermission(event.event.requestId, answer);
  });
  await conversation.send('Do the tests pass?');
  await conversation.settled();
  await conversation.close();
  return log();
}

describe('a recorded permission request', () => {
  test.each([
    ['allow', {}],
    ['deny', {}],
    ['cancel', {}],
    ['nobody is there', {}],
    ['nobody is there', { allow: ['Bash(npm *)'] }],
    ['nobody is there', { permission: 'full' }],
    ['allow', { deny: ['Bash'] }],
  ] as const)('answered with %s by a team with %j is decided so again', async (answer, parts) => {
    const events = await record(asking(parts), answer);
    expect(events.some(({ type }) => type === 'permission-decided')).toBe(true);
    expect(await playCassette({ team: asking(parts), events })).toEqual({
      events,
      differences: [],
      notes: [],
    });
  });

  test.each([
    ['allow', {}, { deny: ['Bash'] }, 'allowed', 'person', 'denied', 'team-file'],
    ['deny', {}, { permission: 'full' }, 'denied', 'person', 'allowed', 'permission'],
    ['nobody is there', { allow: ['Bash'] }, {}, 'allowed', 'team-file', 'denied', 'nobody'],
    ['allow', { permission: 'full' }, {}, 'allowed', 'permission', 'denied', 'nobody'],
  ] as const)(
    'answered with %s and %j is decided anew with %j',
    async (answer, then, now, was, by, is, byNow) => {
      const events = await record(asking(then), answer);
      const { differences } = await playCassette({ team: asking(now), events });
      expect(differences).toContainEqual(
        expect.objectContaining({
          kind: 'permission',
          name: 'Bash',
          before: { decision: was, by: expect.objectContaining({ kind: by }) },
          now: { decision: is, by: expect.objectContaining({ kind: byNow }) },
        }),
      );
    },
  );

  test('of an old recording, which does not say what was asked, is decided as it was', async () => {
    const events = (await record(asking(), 'allow', true)).map((event): RecordedEvent => {
      if (event.type !== 'turn-activity' || event.event.type !== 'permission-request') return event;
      const { type, requestId, name, input, isOpen } = event.event;
      return { ...event, event: { type, requestId, name, input, ...(isOpen && { isOpen }) } };
    });
    const { differences } = await playCassette({ team: asking({ deny: ['Bash'] }), events });
    expect(differences.map(({ kind }) => kind)).toEqual(['settings']);
  });
});
