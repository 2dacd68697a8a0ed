import { describe, expect, test } from 'vitest';
import { resolveAddressees } from '../../src/routing/addressees.js';
import { agent, person } from '../coordinator/teams.js';

const kailai = person();
const bob = person('bob');
const max = agent('max');
const sarah = agent('Sarah-Jane_2');
const ming = agent('小明');
const members = [kailai, bob, max, sarah, ming];

const resolve = (names: readonly string[], parts: Partial<Parameters<typeof resolveAddressees>[1]> = {}) =>
  resolveAddressees(names, { members, speaker: kailai, lastHuman: kailai, maxAddressees: 8, ...parts });

describe('the names of a hand-over', () => {
  test.each([
    'sarah-jane_2',
    'SARAH-JANE_2',
    'sarahjane2',
    'Sarah Jane 2',
    ' sarah _ jane - 2 ',
    'Ｓａｒａｈ－Ｊａｎｅ＿２',
  ])('%j is Sarah-Jane_2: case, spaces, - and _ and width do not matter', (name) => {
    expect(resolve([name])).toEqual({ members: [sarah], unknown: [], namesSelf: false, refused: [] });
  });

  test('keep the order in which they were written, each member once', () => {
    expect(resolve(['小明', 'max', 'MAX', 'sarahjane2', '小明']).members).toEqual([ming, max, sarah]);
  });

  test('all is every other agent and no person', () => {
    expect(resolve(['all']).members).toEqual([max, sarah, ming]);
    expect(resolve(['ALL'], { speaker: max }).members).toEqual([sarah, ming]);
    expect(resolve(['max', 'all', 'bob']).members).toEqual([max, sarah, ming, bob]);
  });

  test('human is the person who spoke last', () => {
    expect(resolve(['human'], { speaker: max, lastHuman: bob }).members).toEqual([bob]);
    expect(resolve(['Human'], { speaker: max, lastHuman: undefined }).unknown).toEqual([{ name: 'Human' }]);
  });

  test('the speaker itself is left out, and that is said', () => {
    expect(resolve(['max', 'sarahjane2'], { speaker: max })).toMatchObject({
      members: [sarah],
      namesSelf: true,
    });
    expect(resolve(['human'])).toMatchObject({ members: [], namesSelf: true });
  });

  test('an unknown name does not keep the known ones from being asked', () => {
    expect(resolve(['maxx', 'sarahjane2', 'zebra', 'Zebra'])).toEqual({
      members: [sarah],
      unknown: [{ name: 'maxx', nearest: 'max' }, { name: 'zebra' }],
      namesSelf: false,
      refused: [],
    });
  });

  test.each(['__proto__', 'constructor', 'toString', ''])('%j is nobody', (name) => {
    expect(resolve([name])).toMatchObject({ members: [], unknown: [{ name }] });
  });

  test('beyond the limit members are refused, duplicates and unknown names do not count', () => {
    const names = ['max', 'max', 'nobody', 'MAX', 'sarahjane2', 'ming', '小明'];
    expect(resolve(names, { maxAddressees: 2 })).toMatchObject({ members: [max, sarah], refused: [ming] });
  });

  test('ten thousand strangers are listed, and only the first few get a suggestion', () => {
    const names = Array.from({ length: 10_000 }, (_, index) => `maxx${index}`);
    const { members: found, unknown } = resolve([...names.slice(0, 9999), 'max', 'maxx']);
    expect(found).toEqual([max]);
    expect(unknown).toHaveLength(10_000);
    expect(unknown.filter(({ nearest }) => nearest !== undefined).length).toBeLessThanOrEqual(5);
  });

  test('a member whose name reads like a word of the routing is the member', () => {
    const all = agent('all');
    expect(resolve(['all'], { members: [...members, all] }).members).toEqual([all]);
  });
});
