import { describe, expect, it } from 'vitest';
import { type Clock, type Expiry, TurnTimers } from '../../../src/agents/process/turnTimers.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const limits = { idleMilliseconds: 10 * MINUTE, totalMilliseconds: 30 * MINUTE };

/** Time that passes when it is told to. */
class FakeClock implements Clock {
  #now = 5000;
  #due = Number.POSITIVE_INFINITY;
  #callback: () => void = () => {};

  now(): number {
    return this.#now;
  }

  schedule(callback: () => void, milliseconds: number): () => void {
    this.#callback = callback;
    this.#due = this.#now + milliseconds;
    return () => {
      this.#due = Number.POSITIVE_INFINITY;
    };
  }

  /** The machine is awake: timers fire when they are due. */
  run(milliseconds: number): void {
    const end = this.#now + milliseconds;
    while (this.#due <= end) {
      this.#now = this.#due;
      this.#fire();
    }
    this.#now = end;
  }

  /** The machine sleeps, or its clock is set: one timer fires late. */
  jump(milliseconds: number): void {
    this.#now += milliseconds;
    this.#fire();
  }

  #fire(): void {
    this.#due = Number.POSITIVE_INFINITY;
    this.#callback();
  }
}

function start() {
  const clock = new FakeClock();
  const expiries: Expiry[] = [];
  const timers = new TurnTimers(limits, (expiry) => expiries.push(expiry), clock);
  return { clock, expiries, timers, names: () => [...new Set(expiries.map(({ limit }) => limit))] };
}

describe('the time limits of a turn', () => {
  it('expire when nothing was said for the idle limit', () => {
    const { clock, expiries } = start();
    clock.run(10 * MINUTE - 1);
    expect(expiries).toEqual([]);
    clock.run(1);
    expect(expiries).toEqual([{ limit: 'idle', milliseconds: 10 * MINUTE }]);
  });

  it('count from the last output', () => {
    const { clock, timers, names } = start();
    for (let minute = 0; minute < 29; minute += 1) {
      clock.run(MINUTE);
      timers.noteOutput();
    }
    expect(names()).toEqual([]);
  });

  it('expire at the total limit whatever was said', () => {
    const { clock, timers, names } = start();
    for (let minute = 0; minute < 30; minute += 1) {
      timers.noteOutput();
      clock.run(MINUTE);
    }
    expect(names()).toEqual(['total']);
  });

  it('expire when only retry notices came for two minutes', () => {
    const { clock, timers, expiries } = start();
    for (let notice = 0; notice < 24; notice += 1) {
      timers.noteOutput();
      timers.noteRetry();
      clock.run(5 * SECOND);
    }
    expect(expiries).toEqual([{ limit: 'progress', milliseconds: 2 * MINUTE }]);
  });

  it('forget the retries once there was progress', () => {
    const { clock, timers, names } = start();
    timers.noteRetry();
    clock.run(MINUTE);
    timers.noteProgress();
    clock.run(5 * MINUTE);
    expect(names()).toEqual([]);
  });

  it.each([
    ['eight hours of sleep', 8 * HOUR],
    ['a clock set back by an hour', -HOUR],
  ])('do not count %s', (_title, gap) => {
    const { clock, timers, names } = start();
    timers.noteRetry();
    clock.run(MINUTE);
    clock.jump(gap);
    clock.run(59 * SECOND);
    expect(names()).toEqual([]);
    clock.run(SECOND);
    expect(names()).toEqual(['progress']);
    timers.noteProgress();
    clock.run(8 * MINUTE);
    expect(names()).toEqual(['progress', 'idle']);
  });

  it('are silent after they were stopped', () => {
    const { clock, timers, names } = start();
    timers.stop();
    clock.run(HOUR);
    expect(names()).toEqual([]);
  });

  it('count the total while the agent works on beside its question, and the idle limit not', () => {
    const { clock, timers, names } = start();
    clock.run(9 * MINUTE);
    timers.hold();
    for (let second = 0; second < 21 * 60; second += 10) {
      expect(names()).toEqual([]);
      timers.noteOutput();
      clock.run(10 * SECOND);
    }
    expect(names()).toEqual(['total']);
  });

  it('stand still again when the agent has fallen silent beside its question', () => {
    const { clock, timers, names } = start();
    const release = timers.hold();
    clock.run(HOUR);
    timers.noteOutput();
    clock.run(HOUR);
    release();
    expect(names()).toEqual([]);
    for (let second = 0; second < 29 * 60; second += 60) {
      clock.run(MINUTE);
      timers.noteOutput();
    }
    expect(names()).toEqual([]);
    clock.run(MINUTE);
    expect(names()).toEqual(['total']);
  });

  it('stand still while somebody else is to act', () => {
    const { clock, timers, names } = start();
    clock.run(9 * MINUTE);
    const release = [timers.hold(), timers.hold()];
    clock.run(HOUR);
    release[0]?.();
    clock.run(HOUR);
    release[1]?.();
    release[1]?.();
    clock.run(MINUTE - 1);
    expect(names()).toEqual([]);
    clock.run(1);
    expect(names()).toEqual(['idle']);
    clock.run(20 * MINUTE);
    expect(names()).toEqual(['idle', 'total']);
  });
});
