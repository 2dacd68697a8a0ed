import { expect, test } from 'vitest';
import { formatPlace, type PagePlace, parsePlace } from '../../../../src/frontends/web/page/state/place.js';

test.each<[string, PagePlace]>([
  ['/', {}],
  ['/c/20261115-0336-9f3c', { conversation: '20261115-0336-9f3c' }],
  ['/c/9f3c/why/turn-3', { conversation: '9f3c', panel: 'why', turn: 'turn-3' }],
  ['/c/9f3c/changes', { conversation: '9f3c', panel: 'changes' }],
  ['/c/9f3c/cost', { conversation: '9f3c', panel: 'cost' }],
  ['/c/9f3c/members', { conversation: '9f3c', panel: 'members' }],
  ['/c/a%2Fb', { conversation: 'a/b' }],
])('%s is a place, and the place has that address', (address, place) => {
  expect(parsePlace(address)).toEqual(place);
  expect(formatPlace(place)).toBe(address);
});

test.each<[string, PagePlace]>([
  ['/c/', {}],
  ['/elsewhere', {}],
  ['/c/9f3c/why/turn-3/more', {}],
  ['/c/9f3c/secrets', { conversation: '9f3c' }],
  ['/c/100%', { conversation: '100%' }],
])('%s was typed by hand and still leads somewhere', (address, place) => {
  expect(parsePlace(address)).toEqual(place);
});
