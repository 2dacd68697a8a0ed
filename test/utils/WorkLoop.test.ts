import { expect, test } from 'vitest';
import { WorkLoop } from '../../src/utils/WorkLoop.js';

/** A loop that takes one piece after the other off a list. */
function loopOver(pieces: string[], work: (piece: string) => void | Promise<void>): WorkLoop {
  return new WorkLoop(
    () => pieces.length > 0,
    async () => work(pieces.shift() ?? ''),
  );
}

test('does one piece after the other, and rests when none is left', async () => {
  const done: string[] = [];
  const pieces = ['one', 'two'];
  const loop = loopOver(pieces, async (piece) => {
    await Promise.resolve();
    done.push(piece);
    if (piece === 'two') pieces.push('three');
  });
  await loop.atRest();
  expect(done).toEqual([]);
  loop.wake();
  await loop.atRest();
  expect(done).toEqual(['one', 'two', 'three']);
});

test('is woken again after a rest, and never runs twice at once', async () => {
  const done: string[] = [];
  const pieces = ['one'];
  let running = 0;
  const loop = loopOver(pieces, async (piece) => {
    expect(++running).toBe(1);
    loop.wake();
    await Promise.resolve();
    done.push(piece);
    running--;
  });
  loop.wake();
  await loop.atRest();
  pieces.push('two', 'three');
  loop.wake();
  await loop.atRest();
  expect(done).toEqual(['one', 'two', 'three']);
  loop.throwFailure();
});

test('is not at rest for who asks while the first piece is being started', async () => {
  const done: string[] = [];
  let rest: Promise<unknown> = Promise.resolve();
  const loop = loopOver(['one', 'two'], async (piece) => {
    if (piece === 'one') rest = loop.atRest().then(() => done.push('rest'));
    await Promise.resolve();
    done.push(piece);
  });
  loop.wake();
  await rest;
  expect(done).toEqual(['one', 'two', 'rest']);
});

test('stops at the first piece that fails, and says why to those who ask', async () => {
  const pieces = ['one', 'two'];
  const loop = loopOver(pieces, () => {
    throw new Error('no disk');
  });
  loop.wake();
  await loop.atRest();
  expect(pieces).toEqual(['two']);
  expect(() => loop.throwFailure()).toThrow('no disk');
});
