import { beforeEach, expect, test, vi } from 'vitest';
import { type BrowserStorage, giveStorage } from './browserStorage.js';

let storage: BrowserStorage;

beforeEach(() => {
  storage = giveStorage();
});

/** The page as it is after a reload: nothing is left of it but what the browser keeps. */
async function reload() {
  vi.resetModules();
  return await import('../../../../src/frontends/web/page/state/composing.js');
}

test('a draft survives a reload, and each session has its own', async () => {
  const before = await reload();
  before.unsentText('one').value = 'Where is this weak?';
  before.unsentText('two').value = '另一个';
  const after = await reload();
  expect(after.unsentText('one').value).toBe('Where is this weak?');
  expect(after.unsentText('two').value).toBe('另一个');
  expect(after.unsentText('three').value).toBe('');
});

test('nothing is kept of a text that was sent', async () => {
  const { unsentText } = await reload();
  unsentText('one').value = 'Hello';
  unsentText('one').value = '';
  expect(storage.keys).toEqual([]);
});

test('a browser without room keeps the text on the screen', async () => {
  const { unsentText } = await reload();
  storage.isFull = true;
  unsentText('one').value = 'Hello';
  expect(unsentText('one').value).toBe('Hello');
});

test('the draft of a deleted session is forgotten', async () => {
  const { unsentText, dropUnsentText } = await reload();
  unsentText('one').value = 'Hello';
  dropUnsentText('one');
  expect(storage.keys).toEqual([]);
  expect(unsentText('one').value).toBe('');
});
