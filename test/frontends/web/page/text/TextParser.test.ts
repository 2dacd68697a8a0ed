import { beforeEach, describe, expect, test, vi } from 'vitest';
import {
  type OpenWorker,
  type ParsedText,
  type ParseNews,
  type ParseOrder,
  TextParser,
} from '../../../../../src/frontends/web/page/text/TextParser.js';

const LIMIT = 2000;
const PARSED: ParsedText = { blocks: [], colours: new Map() };

/** A worker that the test plays. */
class PlayedWorker {
  readonly orders: ParseOrder[] = [];
  isEnded = false;
  readonly say: (news: ParseNews) => void;
  readonly fail: () => void;

  constructor(say: (news: ParseNews) => void, fail: () => void) {
    this.say = say;
    this.fail = fail;
  }

  postMessage(order: ParseOrder): void {
    this.orders.push(order);
  }

  terminate(): void {
    this.isEnded = true;
  }

  get latest(): ParseOrder {
    const order = this.orders.at(-1);
    if (order === undefined) throw new Error('The worker was asked nothing');
    return order;
  }

  begin(): void {
    this.say({ kind: 'begun', id: this.latest.id });
  }

  finish(): void {
    this.say({ kind: 'parsed', id: this.latest.id, parsed: PARSED });
  }
}

describe('security 5: a parser of texts', () => {
  let workers: PlayedWorker[];
  let parser: TextParser;
  const open: OpenWorker = (take, fail) => {
    const worker = new PlayedWorker(take, fail);
    workers.push(worker);
    return worker;
  };
  const worker = (): PlayedWorker => {
    const latest = workers.at(-1);
    if (latest === undefined) throw new Error('No worker was opened');
    return latest;
  };

  beforeEach(() => {
    vi.useFakeTimers();
    workers = [];
    parser = new TextParser(open, LIMIT);
    return () => vi.useRealTimers();
  });

  test('opens its worker for the first text, asks it when it is ready, and keeps the form', () => {
    const known = vi.fn();
    expect(workers).toEqual([]);
    parser.read('a', known);
    expect(worker().orders).toEqual([]);
    worker().say({ kind: 'ready' });
    worker().begin();
    worker().finish();
    expect(known).toHaveBeenCalledExactlyOnceWith(PARSED);
    expect(parser.known('a')).toBe(PARSED);
  });

  test('reads the latest text first, and none that nobody waits for any more', () => {
    const forget = parser.read('gone', () => undefined);
    parser.read('first', () => undefined);
    parser.read('latest', () => undefined);
    forget();
    worker().say({ kind: 'ready' });
    worker().finish();
    worker().finish();
    expect(worker().orders.map(({ text }) => text)).toEqual(['latest', 'first']);
  });

  test('does not count the time until the worker begins: a busy machine is no reason to give up', () => {
    parser.read('a', () => undefined);
    vi.advanceTimersByTime(10 * LIMIT);
    worker().say({ kind: 'ready' });
    vi.advanceTimersByTime(10 * LIMIT);
    expect(worker().isEnded).toBe(false);
    worker().begin();
    vi.advanceTimersByTime(LIMIT - 1);
    expect(worker().isEnded).toBe(false);
  });

  test('gives a slow text up with its worker, tries without colours in a new one, then shows it as it is', () => {
    const known = vi.fn();
    parser.read('slow', known);
    worker().say({ kind: 'ready' });
    worker().begin();
    vi.advanceTimersByTime(LIMIT + 1);
    expect(workers.map(({ isEnded }) => isEnded)).toEqual([true, false]);
    worker().say({ kind: 'ready' });
    expect(worker().latest).toMatchObject({ text: 'slow', hasColours: false });
    worker().begin();
    vi.advanceTimersByTime(LIMIT + 1);
    expect(known).toHaveBeenCalledExactlyOnceWith('plain');
    expect(parser.known('slow')).toBe('plain');
    expect(workers.map(({ isEnded }) => isEnded)).toEqual([true, true]);
    parser.read('next', known);
    worker().say({ kind: 'ready' });
    worker().finish();
    expect(known).toHaveBeenLastCalledWith(PARSED);
  });

  test('shows texts as they are if there is no worker to be had, and does not try again and again', () => {
    const known = vi.fn();
    parser.read('a', known);
    parser.read('b', known);
    worker().fail();
    parser.read('c', known);
    expect(known.mock.calls).toEqual([['plain'], ['plain'], ['plain']]);
    expect(workers.length).toBe(1);
  });

  test('does not keep the forms of a text that still grows, and keeps no more than a million characters', () => {
    parser.read('grow', () => undefined, { isGrowing: true });
    worker().say({ kind: 'ready' });
    worker().finish();
    expect(parser.known('grow')).toBeUndefined();
    for (const sign of ['a', 'b', 'c']) {
      parser.read(sign.repeat(400_000), () => undefined);
      worker().finish();
    }
    expect(['a', 'b', 'c'].map((sign) => parser.known(sign.repeat(400_000)) !== undefined)).toEqual([
      false,
      true,
      true,
    ]);
  });
});
