import { describe, expect, it } from 'vitest';
import { Semaphore } from '../../src/utils/Semaphore.js';

const { signal } = new AbortController();

describe('a semaphore', () => {
  it('lets as many in as it has places, and the others in order', async () => {
    const semaphore = new Semaphore(2);
    const entered: string[] = [];
    const enter = async (name: string) => {
      const leave = await semaphore.acquire(signal);
      entered.push(name);
      return leave;
    };
    const [first, second] = await Promise.all([enter('a'), enter('b')]);
    const third = enter('c');
    const fourth = enter('d');
    expect(entered).toEqual(['a', 'b']);
    first?.();
    first?.();
    await third;
    expect(entered).toEqual(['a', 'b', 'c']);
    second?.();
    await fourth;
    expect(entered).toEqual(['a', 'b', 'c', 'd']);
  });

  it('lets go of those who stop waiting', async () => {
    const semaphore = new Semaphore(1);
    const leave = await semaphore.acquire(signal);
    const impatient = new AbortController();
    const waiting = semaphore.acquire(impatient.signal);
    impatient.abort();
    expect(await waiting).toBeUndefined();
    leave?.();
    expect(await semaphore.acquire(signal)).toBeTypeOf('function');
  });
});
