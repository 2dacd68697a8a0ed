import { describe, expect, test } from 'vitest';
import { MOMENT_MILLISECONDS, Rest } from '../../../../src/frontends/web/page/state/requests.js';

const TICK = 200;

describe('security 8: a yes is for what was read, so a part of the page', () => {
  test('is ready once it has been in its place for a moment', () => {
    const { look } = watch();
    expect(look('here', MOMENT_MILLISECONDS)).toBe(false);
    expect(look('here', TICK)).toBe(true);
    expect(look('here', 60_000)).toBe(true);
  });

  test.each([
    ['moved', 'there'],
    ['was out of sight', undefined],
  ])('begins anew when it %s, also if it comes back', (_, place) => {
    const { look } = watch();
    expect(look('here', 5000)).toBe(true);
    expect(look(place, TICK)).toBe(false);
    expect(look('here', MOMENT_MILLISECONDS)).toBe(false);
    expect(look('here', TICK)).toBe(true);
  });

  test('begins anew when nobody looked for a while', () => {
    const { look, sleep } = watch();
    expect(look('here', 5000)).toBe(true);
    sleep(MOMENT_MILLISECONDS + 1);
    expect(look('here', TICK)).toBe(false);
  });

  test('what cannot be seen is never ready', () => {
    expect(watch().look(undefined, 60_000)).toBe(false);
  });
});

/** A part that is looked at in every tick, for as long as it is told; the answer is that of the last look. */
function watch() {
  const rest = new Rest();
  let now = 0;
  return {
    look(place: string | undefined, milliseconds: number): boolean {
      let isReady = false;
      for (const end = now + milliseconds; now < end; now += TICK) isReady = rest.look(place, now);
      return isReady;
    },
    sleep(milliseconds: number): void {
      now += milliseconds;
    },
  };
}
