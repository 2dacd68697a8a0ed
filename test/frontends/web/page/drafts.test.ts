import { beforeEach, expect, test, vi } from 'vitest';
import { type BrowserStorage, giveStorage } from './browserStorage.js';

let storage: BrowserStorage;

beforeEach(() => {
  storage = giveStorage();
});

/** The page as it is after a reload: nothing is left of it but what the browser keeps. */
async function reload() {
  vi.resetModules();
  return await import('../../../../src/frontends/web/page/state/drafts.js');
}

test('a draft survives a reload, and each session has its own', async () => {
  const before = await reload();
  before.draftOf('one').value = 'Where is this weak?';
  before.draftOf('two').value = '另一个';
  const after = await reload();
  expect(after.draftOf('one').value).toBe('Where is this weak?');
  expect(after.draftOf('two').value).toBe('另一个');
  expect(after.draftOf('three').value).toBe('');
});

test('nothing is kept of a text that was sent', async () => {
  const { draftOf } = await reload();
  draftOf('one').value = 'Hello';
  draftOf('one').value = '';
  expect(storage.keys).toEqual([]);
});

test('a browser without room keeps the text on the screen', async () => {
  const { draftOf } = await reload();
  storage.isFull = true;
  draftOf('one').value = 'Hello';
  expect(draftOf('one').value).toBe('Hello');
});

test('the draft of a deleted session is forgotten', async () => {
  const { draftOf, dropDraft } = await reload();
  draftOf('one').value = 'Hello';
  dropDraft('one');
  expect(storage.keys).toEqual([]);
  expect(draftOf('one').value).toBe('');
});
