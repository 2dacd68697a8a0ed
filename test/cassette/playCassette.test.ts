import { describe, expect, test } from 'vitest';
import { assertPlays, CassetteDiffersError, playCassette } from '../../src/cassette/playCassette.js';
import type { RecordedEvent } from '../../src/models/ConversationEvent.js';
import type { AgentMember, Team } from '../../src/models/Team.js';
import { formatTaskMessage } from '../../src/presentation/readTypedLine.js';
import { answers, stageInProcess } from '../coordinator/stage.js';
import { agent, person, team } from '../coordinator/teams.js';

/** Max hands over to Sarah, who hands back. */
const SAID: Readonly<Record<string, string>> = {
  max: 'A token in a cookie. [NEXT: sarah]',
  sarah: 'It lives too long. [NEXT: human]',
};

function squad(max: Partial<AgentMember> = {}, parts: Partial<Team> = {}): Team {
  const members = [
    person(),
    agent('max', { systemInstruction: 'You design.\nKeep it short.', ...max }),
    agent('sarah'),
  ];
  return team(members, parts);
}

async function record(of: Team, ...messages: readonly string[]): Promise<RecordedEvent[]> {
  const { conversation, log } = await stageInProcess(of, (name) => answers(SAID[name] ?? ''));
  for (const message of messages) {
    await conversation.send(message);
    await conversation.settled();
  }
  await conversation.close();
  return log();
}

describe('a recorded conversation', () => {
  test('is played as it was, times included, and differs nowhere', async () => {
    const events = await record(squad(), 'How do we sign in? [NEXT: max]', 'And then? [NEXT: sarah]');
    const played = await playCassette({ team: squad(), events });
    expect(played).toEqual({ events, differences: [], notes: [] });
  });

  test('keeps the speakers of what came through other programs', async () => {
    const { conversation, log } = await stageInProcess(squad(), (name) => answers(SAID[name] ?? ''));
    await conversation.send('[TEAM_TASK] Deploy. [NEXT: max]', { via: { kind: 'mcp', name: 'codex' } });
    await conversation.settled();
    await conversation.send('Stop. [NEXT: sarah]', { via: { kind: 'acp', name: 'zed' } });
    await conversation.settled();
    await conversation.close();
    const events = await log();
    expect(await playCassette({ team: squad(), events })).toEqual({ events, differences: [], notes: [] });
    expect(
      events.flatMap((event) => (event.type === 'message-added' ? (event.message.via ?? []) : [])),
    ).toEqual([
      { kind: 'mcp', name: 'codex' },
      { kind: 'acp', name: 'zed' },
    ]);
  });

  test('has its pauses where they were, though a person set the task in them', async () => {
    const { conversation, log } = await stageInProcess(squad(), (name) => answers(SAID[name] ?? ''));
    await conversation.send('How? [NEXT: max]');
    await conversation.settled();
    for (const task of ['Ship it.', 'Ship it today.']) {
      await conversation.pause();
      await conversation.send(formatTaskMessage(task, 'kailai'));
      await conversation.resume();
      await conversation.send(formatTaskMessage(`${task} Soon.`, 'kailai'));
    }
    await conversation.close();
    const events = await log();
    expect(events.filter(({ type }) => type === 'conversation-resume')).toHaveLength(2);
    expect(await playCassette({ team: squad(), events })).toEqual({ events, differences: [], notes: [] });
  });

  test('shows a changed role as a diff of the prompts, once for all turns', async () => {
    const events = await record(squad(), 'How? [NEXT: max]', 'Again? [NEXT: max]');
    const changed = squad({ systemInstruction: 'You design.\nKeep it very short.' });
    const error = await assertPlays({ team: changed, events }).catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(CassetteDiffersError);
    expect((error as CassetteDiffersError).message).toBe(
      [
        '2 differences from the recording.',
        'The prompt of max changed (turn-1, turn-3):',
        '  @@ line 7, now 7 @@',
        '   You design.',
        '  -Keep it short.',
        '  +Keep it very short.',
      ].join('\n'),
    );
  });

  test('ends where another member is asked', async () => {
    const events = await record(squad(), 'How? [NEXT: all]');
    const members = squad().members;
    const turned = { ...squad(), members: [members[0], members[2], members[1]] as Team['members'] };
    const { differences } = await playCassette({ team: turned, events });
    expect(differences).toContainEqual({
      kind: 'other-member',
      turnId: 'turn-1',
      memberId: 'max',
      now: 'sarah',
    });
  });
});
