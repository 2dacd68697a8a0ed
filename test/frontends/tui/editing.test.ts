import { describe, expect, it } from 'vitest';
import { hasTmux, TmuxScreen } from './TmuxScreen.js';

const SCRIPT = { max: [{ text: 'Done.' }] };

async function openEditor(columns = 80): Promise<TmuxScreen> {
  const screen = new TmuxScreen({ columns, order: { script: SCRIPT } });
  await screen.until('ready');
  return screen;
}

/** Presses a key and says where the cursor stands then, counted from the place it starts from. */
async function columnAfter(screen: TmuxScreen, key: string): Promise<number> {
  const before = screen.cursor();
  screen.press(key);
  await screen.until(() => screen.cursor() !== before);
  return Number(screen.cursor().split(',')[0]) - 2;
}

describe.skipIf(!hasTmux())('the editor', { timeout: 60_000 }, () => {
  it('keeps the column of the screen when the cursor goes up and down past wide characters', async () => {
    const screen = await openEditor();
    screen.paste('0123456789abcdefgh\n你好世界你好世界你\nshort\n你好👍👍你好世界你好世界');
    await screen.until('  你好👍👍你好世界你好世界');
    for (const key of ['Left', 'Left', 'Left', 'Left']) await columnAfter(screen, key);
    expect(await columnAfter(screen, 'Left')).toBe(14);
    expect(await columnAfter(screen, 'Up')).toBe(5);
    expect(await columnAfter(screen, 'Up')).toBe(14);
    expect(await columnAfter(screen, 'Left')).toBe(12);
    expect(await columnAfter(screen, 'Up')).toBe(12);
    expect(await columnAfter(screen, 'Right')).toBe(13);
    // In the middle of a wide character, the place before it.
    expect(await columnAfter(screen, 'Down')).toBe(12);
    expect(await columnAfter(screen, 'Down')).toBe(5);
    expect(await columnAfter(screen, 'Down')).toBe(12);
  });

  it('keeps it also on the rows of a wrapped line, and in a narrow window', async () => {
    const screen = await openEditor(20);
    screen.type('0123456789abcde你好世界你好世界你好');
    await screen.until('世界你好');
    const end = Number(screen.cursor().split(',')[0]) - 2;
    expect(await columnAfter(screen, 'Left')).toBe(end - 2);
    const above = await columnAfter(screen, 'Up');
    expect([end - 2, end - 3]).toContain(above);
  });

  it('goes into the history from the first row only, and back to the draft from the last', async () => {
    const screen = await openEditor();
    screen.type('earlier');
    screen.press('Enter');
    await screen.until('waiting for you');
    screen.paste('one\ntwo');
    await screen.until('  two');
    screen.press('Up');
    await screen.until((rows) => rows.at(-3) === '  two' && rows.at(-4) === '  one');
    screen.press('Up');
    await screen.until((rows) => rows.at(-3) === '  earlier');
    screen.press('Down');
    await screen.until((rows) => rows.at(-3) === '  two' && rows.at(-4) === '  one');
  });

  it.each([40, 120])('shows the search on one row at %i columns', async (columns) => {
    const screen = await openEditor(columns);
    screen.paste(`${'a long message 你好 '.repeat(9)}\nof two lines`);
    screen.press('Enter');
    await screen.until('waiting for you');
    screen.press('C-r');
    await screen.until('(search) :');
    screen.type('好');
    const rows = await screen.until('(search) 好: a long message 你好');
    expect(rows.at(-3)?.endsWith('…')).toBe(true);
    expect(rows.at(-4)).toBe('─'.repeat(columns));
    expect(screen.cursor()).toMatch(/^13,\d+,1$/u);
    screen.type('x');
    await screen.until('(search) 好x: no match');
    screen.press('Escape');
    await screen.until((shown) => shown.at(-3) === '  Type a message, or ? for keys');
  });
});
