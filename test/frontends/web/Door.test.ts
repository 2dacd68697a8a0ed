import { describe, expect, it } from 'vitest';
import { Door } from '../../../src/frontends/web/Door.js';

const MINUTE = 60_000;

/** A door and the clock that it looks at. */
function createDoor(options: { readonly isWatchOnly?: boolean } = {}) {
  const clock = { at: 1000 };
  return { clock, door: new Door({ ...options, now: () => clock.at }) };
}

describe('a code', () => {
  it('has 128 bits or more, in letters that are not mistaken for each other, and is never the same', () => {
    const { door } = createDoor();
    const codes = Array.from({ length: 50 }, () => door.invite().code);
    expect(new Set(codes).size).toBe(50);
    for (const code of codes) expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{26}$/u);
    expect(26 * Math.log2(32)).toBeGreaterThanOrEqual(128);
    // Every letter comes up, so none of the bits is lost.
    expect(new Set(codes.join('')).size).toBe(32);
  });

  it('lets one browser in, and no second one', () => {
    const { door } = createDoor();
    const { code } = door.invite();
    expect(door.letIn(code).kind).toBe('let-in');
    expect(door.letIn(code).kind).toBe('wrong');
    expect(door.browsers).toBe(1);
  });

  it('may be typed in capitals, with blanks around it', () => {
    const { door } = createDoor();
    expect(door.letIn(` ${door.invite().code.toUpperCase()}\n`).kind).toBe('let-in');
  });

  it('works for 10 minutes and no longer', () => {
    const { door, clock } = createDoor();
    const [one, two] = [door.invite(), door.invite()];
    clock.at += 10 * MINUTE - 1;
    expect(door.letIn(one.code).kind).toBe('let-in');
    clock.at += 1;
    expect(door.letIn(two.code).kind).toBe('wrong');
  });

  it('stays good when a newer one is made, until there are a hundred', () => {
    const { door } = createDoor();
    const codes = Array.from({ length: 101 }, () => door.invite().code);
    expect(codes.slice(0, 2).map((code) => door.letIn(code).kind)).toEqual(['wrong', 'let-in']);
  });

  it('is of the role it was made for; where all only watch, of that one', () => {
    expect(createDoor().door.invite('watch').role).toBe('watch');
    expect(createDoor({ isWatchOnly: true }).door.invite('full').role).toBe('watch');
  });
});

describe('wrong codes', () => {
  it('are counted: after ten in a minute, more get another answer', () => {
    const { door, clock } = createDoor();
    const knocks = Array.from({ length: 12 }, () => door.letIn('wrong').kind);
    expect(knocks).toEqual([...Array(10).fill('wrong'), 'too-many', 'too-many']);
    clock.at += MINUTE;
    expect(door.letIn('wrong').kind).toBe('wrong');
  });

  it('never keep the right one out', () => {
    const { door } = createDoor();
    const { code } = door.invite();
    for (let knock = 0; knock < 1000; knock++) door.letIn('wrong');
    expect(door.letIn(code).kind).toBe('let-in');
  });
});

describe('a browser', () => {
  it('is known by both halves of what it got, and by nothing less', () => {
    const { door } = createDoor();
    const [one, two] = [letIn(door), letIn(door)];
    expect(door.identify(one.credentials)).toEqual(one.browser);
    expect(door.identify({ cookie: one.credentials.cookie, key: two.credentials.key })).toBeUndefined();
    expect(door.identify({ cookie: one.credentials.cookie })).toBeUndefined();
    expect(door.identify({ key: one.credentials.key })).toBeUndefined();
    expect(door.identify({ cookie: '', key: '' })).toBeUndefined();
    expect(new Door().identify(one.credentials)).toBeUndefined();
  });

  it('that comes again with a new code takes the place of its old self', () => {
    const { door } = createDoor();
    const { browser, credentials } = letIn(door);
    door.letIn(door.invite().code, browser);
    expect(door.browsers).toBe(1);
    expect(door.identify(credentials)).toBeUndefined();
  });

  function letIn(door: Door) {
    const knock = door.letIn(door.invite().code);
    if (knock.kind !== 'let-in') throw new Error(knock.kind);
    return knock;
  }
});
