import { expect, test } from 'vitest';
import { page } from './pages.js';
import { playPage } from './playPage.js';

test('files are recorded, undone, checked, copied and committed as their page says', async () => {
  const played = await playPage(page('docs/files.md'));
  expect(played.filter(({ fits }) => !fits)).toEqual([]);
}, 60_000);
