import { setImmediate } from 'node:timers/promises';

/** Items after which others have their turn: a few milliseconds of work. */
const SLICE = 32;

/** Goes through items whose work is synchronous, without keeping everybody else waiting when they are many. */
export async function* inSlices<Item>(items: Iterable<Item>): AsyncGenerator<Item> {
  let count = 0;
  for (const item of items) {
    count += 1;
    if (count % SLICE === 0) await setImmediate();
    yield item;
  }
}
