import { describe, expect, it } from 'vitest';
import type { ConversationSnapshot } from '../../../src/coordinator/Conversation.js';
import { EMPTY_LEDGER } from '../../../src/coordinator/ledger.js';
import { introduce } from '../../../src/frontends/tui/introduction.js';
import type { MessageId } from '../../../src/models/ids.js';
import { teamOf } from './events.js';

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
    queue: [],
    ledger: EMPTY_LEDGER,
  };
}

const KAILAI = { type: 'human', name: 'kailai' };

describe('introduce', () => {
  it('names the team and its members, what they run and what they may do', () => {
    expect(introduce(teamOf(), snapshotOf(0), ['A rehearsal.'])).toEqual([
      { kind: 'note', tone: 'plain', text: 'auth-squad' },
      { kind: 'member', speaker: KAILAI, description: 'person' },
      {
        kind: 'member',
        speaker: { type: 'ai', name: 'max', title: 'Architect', place: 0 },
        description: 'Claude Code · read',
      },
      { kind: 'member', speaker: { type: 'ai', name: 'sarah', place: 1 }, description: 'Claude Code · read' },
      { kind: 'note', tone: 'warning', text: 'A rehearsal.' },
      { kind: 'note', tone: 'quiet', text: 'Team task: Ship it' },
      {
        kind: 'note',
        tone: 'quiet',
        text: 'Say something to begin. @ names who is to answer, / lists commands.',
      },
    ]);
  });

  it('shows the end of a conversation that is taken up again, and says how much came before', () => {
    const blocks = introduce(teamOf(), snapshotOf(25), []);
    expect(blocks).toContainEqual({
      kind: 'note',
      tone: 'quiet',
      text: 'Earlier messages are not shown here; they still count.',
    });
    expect(blocks.filter(({ kind }) => kind === 'heading')).toHaveLength(20);
    expect(blocks.slice(-2)).toEqual([
      { kind: 'heading', speaker: KAILAI, addressees: ['max'] },
      { kind: 'text', text: 'Message 24', tone: 'plain' },
    ]);
  });
});
