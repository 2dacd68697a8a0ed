import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { HistoryFile } from '../../src/cli/typing/HistoryFile.js';
import { createMachine } from './runHuddle.js';

function openHistory(folder = '/project') {
  const { env } = createMachine();
  const dataFolder = String(env.HUDDLE_HOME);
  const open = (place: string) => new HistoryFile({ dataFolder, folder: place, env: {} });
  return { open, history: open(folder), file: join(dataFolder, 'history.jsonl'), dataFolder };
}

describe('the saved history', () => {
  test('is empty before anything was typed, and makes no folder', () => {
    const { history, dataFolder } = openHistory();
    expect(history.load()).toEqual([]);
    expect(statSync(dataFolder, { throwIfNoEntry: false })).toBeUndefined();
  });

  test('is read newest first, for its folder, in a file of the user alone', async () => {
    const { open, history, file } = openHistory();
    await history.add('one');
    await history.add('two\nlines');
    await open('/elsewhere').add('three');
    expect(history.load()).toEqual(['two\nlines', 'one']);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('skips damaged lines, and adds none to an unfinished one', async () => {
    const { history, file } = openHistory();
    await history.add('one');
    writeFileSync(file, '[]\nnull\n{"folder":1}\n{"folder":"/project","te', { flag: 'a' });
    await history.add('two');
    expect(history.load()).toEqual(['two', 'one']);
  });

  test('loses nothing when many write at once, and stays small', async () => {
    const { open, history, file } = openHistory();
    const line = (index: number) => `${JSON.stringify({ folder: '/project', text: `old ${index}` })}\n`;
    await history.add('first');
    writeFileSync(file, Array.from({ length: 1980 }, (_, index) => line(index)).join(''));
    const texts = Array.from({ length: 40 }, (_, index) => `new ${index}`);
    await Promise.all(texts.map((text) => open('/project').add(text)));
    const loaded = history.load();
    expect(loaded).toEqual(expect.arrayContaining(texts));
    expect(readFileSync(file, 'utf8').split('\n').length).toBeLessThan(1100);
    expect(loaded).toContain('old 1979');
  });

  test('keeps no giant', async () => {
    const { history } = openHistory();
    await history.add('x'.repeat(100_000));
    expect(history.load()).toEqual([]);
  });

  test('is not written through a link, and says why', async () => {
    const { history, file, dataFolder } = openHistory();
    mkdirSync(dataFolder, { mode: 0o700 });
    const target = join(dataFolder, 'target');
    writeFileSync(target, '');
    symlinkSync(target, file);
    await expect(history.add('one')).rejects.toThrow(`${file}: link`);
    expect(readFileSync(target, 'utf8')).toBe('');
  });
});
