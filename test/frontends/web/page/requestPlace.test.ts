import { expect, test } from 'vitest';
import {
  MOMENT_MILLISECONDS,
  type RequestPlace,
  settlePlace,
} from '../../../../src/frontends/web/page/state/requests.js';

const FREE: RequestPlace = { freeAt: 0 };

test('a free place shows the oldest request, and keeps it while others come', () => {
  const place = settlePlace(FREE, ['one'], 10);
  expect(place.shown).toBe('one');
  expect(settlePlace(place, ['one', 'two'], 20)).toBe(place);
});

test('the next request does not take the place of the last by itself, however long it waits', () => {
  const place = follow([
    [0, ['one', 'two']],
    [10, ['two']],
    [60_000, ['two']],
    [60_010, ['two', 'three']],
  ]);
  expect(place.shown).toBeUndefined();
});

test('nor does one that comes right after it', () => {
  const gone = follow([
    [0, ['one']],
    [10, []],
  ]);
  expect(settlePlace(gone, ['two'], 10 + MOMENT_MILLISECONDS - 1).shown).toBeUndefined();
  expect(settlePlace(gone, ['two'], 10 + MOMENT_MILLISECONDS).shown).toBe('two');
});

test('the place is free again a moment after all that waited are gone', () => {
  const empty = follow([
    [0, ['one', 'two']],
    [10, ['two']],
    [500, []],
    [600, []],
  ]);
  expect(settlePlace(empty, ['three'], 500 + MOMENT_MILLISECONDS - 1).shown).toBeUndefined();
  expect(settlePlace(empty, ['three'], 500 + MOMENT_MILLISECONDS).shown).toBe('three');
});

/** The place after these requests were open at these times. */
function follow(steps: ReadonlyArray<readonly [now: number, open: readonly string[]]>): RequestPlace {
  return steps.reduce((place, [now, open]) => settlePlace(place, open, now), FREE);
}
