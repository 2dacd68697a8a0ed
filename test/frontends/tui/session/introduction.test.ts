import { describe, expect, it } from 'vitest';
import { english } from '../../../../src/catalogue/english.js';
import { INITIAL_STATE } from '../../../../src/conversation/ConversationState.js';
import type { ConversationSnapshot } from '../../../../src/coordinator/Conversation.js';
import { introduce } from '../../../../src/frontends/tui/session/introduction.js';
import type { MessageId } from '../../../../src/models/ids.js';
import { showMembers } from '../../../../src/presentation/Telling.js';
import { teamOf } from '../events.js';

function snapshotOf(messageCount: number): ConversationSnapshot {
  return {
    phase: { kind: 'idle' },
    messages: Array.from({ length: messageCount }, (_, index) => ({
      id: `msg-${index + 1}` as MessageId,
      content: `[NEXT: max] Message ${index}`,
      speaker: { roleId: 'kailai', roleName: 'kailai', type: 'human' },
      timestamp: 0,
      routing: { resolvedAddressees: ['max'] },
    })),
    teamTask: 'Ship it',
    state: INITIAL_STATE,
  };
}

const [KAILAI, MAX, SARAH] = showMembers(teamOf().members);

describe('introduce', () => {
  it('names the team and its members, what they run and what they may do', () => {
    expect(introduce({ team: teamOf() }, snapshotOf(0), { words: english })).toEqual([
      { kind: 'note', tone: 'strong', text: 'auth-squad' },
      { kind: 'member', member: KAILAI, description: 'human' },
      { kind: 'member', member: MAX, description: 'Claude Code · read-only' },
      { kind: 'member', member: SARAH, description: 'Claude Code · read-only' },
      { kind: 'note', tone: 'quiet', text: 'Team task: Ship it' },
      {
        kind: 'note',
        tone: 'quiet',
        text: 'Type a message. @ to pick a member, / for commands.',
      },
    ]);
  });

  it('shows the end of a conversation that is taken up again, and says how much came before', () => {
    const resumed = { messageCount: 124, status: [], canRetry: false };
    const blocks = introduce({ team: teamOf() }, snapshotOf(25), { words: english, resumed });
    expect(blocks).toContainEqual({
      kind: 'note',
      tone: 'quiet',
      text: '104 earlier messages not shown here; huddle show prints all of them.',
    });
    expect(blocks.filter(({ kind }) => kind === 'heading')).toHaveLength(20);
    expect(blocks.slice(-2)).toEqual([
      { kind: 'heading', member: KAILAI, addressees: ['max'] },
      { kind: 'text', text: 'Message 24', tone: 'plain' },
    ]);
  });

  it('says last where a conversation stands that is taken up again, and how it goes on', () => {
    const status = ["max's turn-3 did not finish.", 'Queued: sarah.'];
    const snapshot = { ...snapshotOf(1), state: { ...INITIAL_STATE, pause: { kind: 'reopened' } } } as const;
    const resumed = { messageCount: 1, status, canRetry: true };
    const blocks = introduce({ team: teamOf() }, snapshot, { words: english, resumed });
    expect(blocks.slice(-4)).toEqual(
      [...status, 'Enter to continue, or type a message.', '/retry reruns unfinished turns.'].map((text) => ({
        kind: 'note',
        tone: 'warning',
        text,
      })),
    );
  });

  it('does not ask for a beginning where a demonstration is about to begin', () => {
    const blocks = introduce({ team: teamOf() }, snapshotOf(0), {
      words: english,
      demonstration: 'How would you build it?',
    });
    expect(blocks.at(-1)).toEqual({ kind: 'note', tone: 'quiet', text: 'Team task: Ship it' });
  });
});
