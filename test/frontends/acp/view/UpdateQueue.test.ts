import type { SessionUpdate } from '@agentclientprotocol/sdk/unstable';
import { describe, expect, test } from 'vitest';
import { UpdateQueue } from '../../../../src/frontends/acp/view/UpdateQueue.js';
import { defer } from '../../../../src/utils/defer.js';
import { outline, readThread } from './wire.js';

const says = (text: string, messageId = 'turn-1.1'): SessionUpdate => ({
  sessionUpdate: 'agent_message_chunk',
  messageId,
  content: { type: 'text', text },
});
const thinks = (text: string, messageId = 'turn-1.2'): SessionUpdate => ({
  sessionUpdate: 'agent_thought_chunk',
  messageId,
  content: { type: 'text', text },
});
const calls = (toolCallId: string): SessionUpdate => ({
  sessionUpdate: 'tool_call',
  toolCallId,
  title: 'max · Read',
  status: 'in_progress',
});
const ends = (toolCallId: string, text: string): SessionUpdate => ({
  sessionUpdate: 'tool_call_update',
  toolCallId,
  status: 'completed',
  content: [{ type: 'content', content: { type: 'text', text } }],
});
const plans = (content: string): SessionUpdate => ({
  sessionUpdate: 'plan',
  entries: [{ content, priority: 'medium', status: 'pending' }],
});

/** A client that takes an update only when it is told to. */
function slowClient() {
  const sent: SessionUpdate[] = [];
  let taken = defer<void>();
  const queue = new UpdateQueue((update) => {
    sent.push(update);
    return taken.promise;
  });
  queue.release();
  const drain = async (): Promise<void> => {
    taken.resolve();
    taken = { ...taken, promise: Promise.resolve() };
    await queue.drained();
  };
  return { queue, sent, drain, gone: () => taken.reject(new Error('gone')) };
}

describe('updates to a client that is slow', () => {
  test('the first is sent at once, and the text that comes meanwhile is one chunk', async () => {
    const { queue, sent, drain } = slowClient();
    for (const text of ['a', 'b', 'c']) queue.add(says(text));
    expect(outline(sent)).toEqual(['agent turn-1.1: a']);
    await drain();
    expect(outline(sent)).toEqual(['agent turn-1.1: a', 'agent turn-1.1: bc']);
  });

  test('another block, thought or card is not mixed with the text before', async () => {
    const { queue, sent, drain } = slowClient();
    for (const update of [says('a'), says('b'), says('c', '2'), thinks('d'), says('e', '3')])
      queue.add(update);
    await drain();
    expect(outline(sent)).toEqual([
      'agent turn-1.1: a',
      'agent turn-1.1: b',
      'agent 2: c',
      'thought turn-1.2: d',
      'agent 3: e',
    ]);
  });

  test('newer states replace older ones, and a card that ended is sent once', async () => {
    const { queue, sent, drain } = slowClient();
    const updates = [says('a'), plans('x'), calls('t'), says('b', '2'), ends('t', 'ok'), plans('y')];
    for (const update of updates) queue.add(update);
    await drain();
    expect(outline(sent)).toEqual([
      'agent turn-1.1: a',
      'plan y [pending]',
      'tool_call t completed: max · Read',
      'agent 2: b',
    ]);
    expect(sent[2]).toMatchObject({ content: [{ content: { text: 'ok' } }] });
  });

  test('long text is cut between characters', async () => {
    const { queue, sent, drain } = slowClient();
    const text = `a${'😀'.repeat(70_000)}`;
    queue.add(says('-'));
    queue.add(says(text));
    await drain();
    expect(sent.length).toBeGreaterThan(3);
    expect(readThread(sent.slice(1))).toBe(text);
    expect(sent.every((update) => readThread([update]).isWellFormed())).toBe(true);
  });

  test('does something in its place', async () => {
    const { queue, sent, drain } = slowClient();
    const seen: number[] = [];
    queue.add(calls('t'));
    queue.after(() => seen.push(sent.length));
    queue.add(says('a'));
    expect(seen).toEqual([]);
    await drain();
    expect(seen).toEqual([1]);
  });

  test('thoughts and output of tools are dropped, the oldest first, and answers never', async () => {
    const { queue, sent, drain } = slowClient();
    const mega = 'x'.repeat(1024 ** 2);
    queue.add(says('-', '0'));
    for (let number = 1; number <= 20; number += 1) {
      queue.add(says(`${number} ${mega}`, `answer ${number}`));
      queue.add(thinks(mega, `thought ${number}`));
      queue.add(calls(`tool ${number}`));
      queue.add(ends(`tool ${number}`, mega));
    }
    await drain();
    expect(readThread(sent).length).toBeGreaterThan(20 * mega.length);
    const thoughts = new Set(
      sent.flatMap((update) => (update.sessionUpdate === 'agent_thought_chunk' ? [update.messageId] : [])),
    );
    expect(thoughts.size).toBeLessThanOrEqual(8);
    expect([...thoughts]).toEqual(
      Array.from({ length: thoughts.size }, (_, index) => `thought ${21 - thoughts.size + index}`),
    );
    const cards = sent.filter((update) => update.sessionUpdate === 'tool_call');
    expect(cards).toHaveLength(20);
    expect(cards.filter(({ content }) => content !== undefined).length).toBeLessThanOrEqual(8);
  });
});

describe('a client that is gone', () => {
  test('gets nothing more, and no one waits for it', async () => {
    const { queue, sent, gone } = slowClient();
    let isDone = false;
    queue.add(says('a'));
    queue.add(says('b', '2'));
    queue.after(() => {
      isDone = true;
    });
    gone();
    await queue.drained();
    queue.add(says('c'));
    expect(outline(sent)).toEqual(['agent turn-1.1: a']);
    expect(isDone).toBe(true);
  });
});
