import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { LiveTextReader, LiveTextSender } from '../../src/machines/LiveText.js';
import type { ProgressEvent } from '../../src/models/AgentEvent.js';
import { EVENT_VERSION, type TurnProgress } from '../../src/models/ConversationEvent.js';
import type { MemberId, TurnId } from '../../src/models/ids.js';

function progress(event: ProgressEvent, turn = 'turn-1'): TurnProgress {
  const place = { turnId: turn as TurnId, memberId: 'max' as MemberId };
  return { type: 'turn-progress', v: EVENT_VERSION, at: 1, ...place, event };
}

/** A sender, all that it sent, and the events that a reader makes of it. */
function createWire() {
  const payloads: string[] = [];
  const sender = new LiveTextSender((payload) => payloads.push(payload));
  const reader = new LiveTextReader();
  const read = () => payloads.flatMap((payload) => reader.read(payload, 1) ?? []).map(({ event }) => event);
  return { sender, payloads, read };
}

describe('live text', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('goes at once, then at most ten times a second, and no word is lost', () => {
    const { sender, payloads, read } = createWire();
    for (let word = 0; word < 300; word++) {
      sender.add(progress({ type: 'text-delta', text: `${word} ` }));
      vi.advanceTimersByTime(10);
    }
    expect(payloads.length).toBeGreaterThan(25);
    expect(payloads.length).toBeLessThanOrEqual(31);
    vi.advanceTimersByTime(200);
    const said = read().map((event) => ('text' in event ? event.text : ''));
    expect(said[0]).toBe('0 ');
    expect(said.join('')).toBe(Array.from({ length: 300 }, (_, word) => `${word} `).join(''));
  });

  test('sends a block that is whole without waiting, as long as it is not the eleventh piece of a second', () => {
    const { sender, payloads } = createWire();
    for (let block = 0; block < 30; block++) sender.add(progress({ type: 'text', text: `Block ${block}` }));
    expect(payloads).toHaveLength(10);
    vi.advanceTimersByTime(1100);
    expect(payloads).toHaveLength(11);
  });

  test('carries every letter, however long a block is, in payloads that fit a notification', () => {
    const { sender, payloads, read } = createWire();
    const text = '你好 😀 \ud800 "\\ \n'.repeat(3000);
    sender.add(progress({ type: 'text', text }));
    expect(Math.max(...payloads.map((payload) => Buffer.byteLength(payload)))).toBeLessThan(8000);
    expect(read()).toEqual([{ type: 'text', text }]);
  });

  test('leaves out what is no words, and keeps turns apart', () => {
    const { sender, read } = createWire();
    sender.add(progress({ type: 'thinking', text: 'Hm' }));
    sender.add(progress({ type: 'usage', usage: { inputTokens: 1, cachedInputTokens: 0, outputTokens: 1 } }));
    sender.add(progress({ type: 'text-delta', text: 'a' }));
    sender.add(progress({ type: 'text-delta', text: 'b' }, 'turn-2'));
    sender.add(progress({ type: 'text-reset' }));
    vi.advanceTimersByTime(100);
    expect(read()).toEqual([
      { type: 'thinking', text: 'Hm' },
      { type: 'text-delta', text: 'a' },
      { type: 'text-delta', text: 'b' },
      { type: 'text-reset' },
    ]);
  });

  test('is not made of what somebody else sends', () => {
    const reader = new LiveTextReader();
    expect(reader.read('wish', 1)).toBeUndefined();
    for (const forged of [
      'live',
      'live 1 1 1 ',
      'live 1 1 1 {',
      'live 1 1 1 null',
      'live 1 1 1 [null, 1, {"turnId": 1}]',
      'live 1 2 2 [',
      'live 1 1 9999 [',
      'live 1 1 1 [{"turnId":"t","memberId":"m","event":{"type":"tool-detail","text":"x"}}]',
      `live ${'9'.repeat(500)} 1 1 []`,
    ])
      expect(reader.read(forged, 1) ?? []).toEqual([]);
    expect(
      reader.read('live 2 1 1 [{"turnId":"t","memberId":"m","event":{"type":"text","text":"x"}}]', 1),
    ).toHaveLength(1);
  });
});
