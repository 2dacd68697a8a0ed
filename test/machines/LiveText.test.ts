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
  const sender = new LiveTextSender(
    (payload) => payloads.push(payload),
    () => true,
  );
  const reader = new LiveTextReader(() => sender.sendWhole());
  const read = () => payloads.splice(0).flatMap((payload) => showIn(reader, payload));
  return { sender, payloads, read };
}

function showIn(reader: LiveTextReader, payload: string, isRunning = true) {
  const piece = reader.read(payload);
  if (piece === undefined) return [];
  return reader.show(piece, 1, () => isRunning).map(({ event }) => event);
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
    const reader = new LiveTextReader(() => undefined);
    expect(reader.read('wish')).toBeUndefined();
    for (const forged of [
      'live',
      'live 1 1 1 ',
      'live 1 1 1 {',
      'live 1 1 1 null',
      'live 1 1 1 {"sender":"s","steps":[null, 1, {"turnId": 1}]}',
      'live 1 1 1 {"steps":[]}',
      'live 1 1 1 {"sender":"s","steps":[{"turnId":"t","memberId":"m","number":-1,"event":{"type":"text","text":"x"}}]}',
      'live 1 1 1 {"sender":"s","steps":[{"turnId":"t","memberId":"m","number":9,"event":{"type":"whole","blocks":[1],"draft":""}}]}',
      'live 1 2 2 [',
      'live 1 1 9999 [',
      'live 1 1 1 {"sender":"s","steps":[{"turnId":"t","memberId":"m","number":0,"event":{"type":"tool-detail","text":"x"}}]}',
      `live ${'9'.repeat(500)} 1 1 {"sender":"s","steps":[]}`,
    ])
      expect(showIn(reader, forged)).toEqual([]);
    const real =
      'live 2 1 1 {"sender":"s","steps":[{"turnId":"t","memberId":"m","number":0,"event":{"type":"text","text":"x"}}]}';
    expect(showIn(reader, real, false)).toEqual([]);
    expect(showIn(reader, real)).toEqual([{ type: 'text', text: 'x' }]);
    expect(showIn(reader, real)).toEqual([]);
  });

  const say = ({ sender }: ReturnType<typeof createWire>, ...events: readonly ProgressEvent[]) => {
    for (const event of events) {
      sender.add(progress(event));
      vi.advanceTimersByTime(100);
    }
  };
  const delta = (text: string): ProgressEvent => ({ type: 'text-delta', text });
  const block = (text: string): ProgressEvent => ({ type: 'text', text });

  test('comes from its start to whoever missed it, and each word once', () => {
    const wire = createWire();
    say(wire, delta('One'), block('One.'), delta('Two'), delta(' and'));
    wire.payloads.length = 0;
    say(wire, delta(' a half'));
    expect(wire.read()).toEqual([]);
    vi.advanceTimersByTime(1000);
    expect(wire.read()).toEqual([block('One.'), delta('Two and a half')]);
    say(wire, delta('.'), block('Two and a half.'));
    expect(wire.read()).toEqual([delta('.'), block('Two and a half.')]);
  });

  test('that has a hole is mended: what was shown stays, what was begun is shown again', () => {
    const wire = createWire();
    say(wire, block('One.'), delta('Tw'));
    expect(wire.read()).toEqual([block('One.'), delta('Tw')]);
    say(wire, delta('o'));
    wire.payloads.length = 0;
    say(wire, delta('!'));
    expect(wire.read()).toEqual([]);
    vi.advanceTimersByTime(1000);
    expect(wire.read()).toEqual([{ type: 'text-reset' }, delta('Two!')]);
  });

  test('of the next holder continues where that of the one before ended', () => {
    const wire = createWire();
    say(wire, block('One.'), delta('Tw'));
    const reader = new LiveTextReader(() => undefined);
    const show = () => wire.payloads.splice(0).flatMap((payload) => showIn(reader, payload));
    show();
    wire.sender.close();
    const payloads: string[] = [];
    const next = new LiveTextSender(
      (payload) => payloads.push(payload),
      () => true,
    );
    for (const event of [block('One.'), block('Two.')]) next.add(progress(event));
    expect(payloads.splice(0).flatMap((payload) => showIn(reader, payload))).toEqual([]);
    next.sendWhole();
    vi.advanceTimersByTime(1000);
    expect(payloads.splice(0).flatMap((payload) => showIn(reader, payload))).toEqual([block('Two.')]);
  });

  test('is sent from its start once a second, however many ask, and no more when its turn is over', () => {
    const { sender, payloads } = createWire();
    sender.add(progress(block('One.')));
    payloads.length = 0;
    for (let time = 0; time < 99; time++) {
      sender.sendWhole();
      vi.advanceTimersByTime(50);
    }
    expect(payloads).toHaveLength(5);
    sender.end('turn-1' as TurnId);
    sender.sendWhole();
    vi.advanceTimersByTime(1000);
    expect(payloads).toHaveLength(5);
  });

  test('is for nobody when nobody is here', () => {
    const payloads: string[] = [];
    const sender = new LiveTextSender(
      (payload) => payloads.push(payload),
      () => false,
    );
    sender.add(progress(block('One.')));
    expect(payloads).toEqual([]);
  });
});
