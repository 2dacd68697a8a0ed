import type { SessionUpdate } from '@agentclientprotocol/sdk/unstable';
import { expect } from 'vitest';

/** The rules that clients rely on. */
export function expectOrder(updates: readonly SessionUpdate[]): void {
  const closed = new Set<string>();
  const cards = new Map<string, boolean>();
  let open: string | undefined;
  const leave = (next?: string): void => {
    if (open !== undefined && open !== next) closed.add(open);
    open = next;
  };
  for (const update of updates) {
    switch (update.sessionUpdate) {
      case 'user_message_chunk':
      case 'agent_message_chunk':
      case 'agent_thought_chunk': {
        const id = `${update.sessionUpdate} ${update.messageId}`;
        expect(closed, 'the text of a block is in one place').not.toContain(id);
        leave(id);
        break;
      }
      case 'tool_call':
        expect(cards.has(update.toolCallId), 'a card begins once').toBe(false);
        cards.set(update.toolCallId, hasEnded(update));
        leave();
        break;
      case 'tool_call_update':
        expect(cards.get(update.toolCallId), 'a card changes between its begin and its end').toBe(false);
        cards.set(update.toolCallId, hasEnded(update));
        break;
      default:
    }
  }
}

function hasEnded({ status }: { status?: string | null }): boolean {
  return status === 'completed' || status === 'failed';
}

/** Words of each turn alone: without headers, lines of ours, and what was given up. */
export function wordsOf(updates: readonly SessionUpdate[]): Map<string, string> {
  const texts = new Map<string, string>();
  for (const update of updates) {
    if (update.sessionUpdate !== 'agent_message_chunk' || update.content.type !== 'text') continue;
    const { turn: turnId = '', isNote } = (update._meta?.huddle ?? {}) as { turn?: string; isNote?: boolean };
    if (!isNote) texts.set(turnId, (texts.get(turnId) ?? '') + update.content.text);
  }
  for (const [turnId, text] of texts) texts.set(turnId, text.replace(/^(?:\n\n)?\*\*\w+\*\*\n\n/u, ''));
  return texts;
}
