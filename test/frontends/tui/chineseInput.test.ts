import { describe, expect, test } from 'vitest';
import { createMachine } from '../../cli/runHuddle.js';
import { hasTmux, TmuxScreen } from './TmuxScreen.js';

const LINES = Array.from({ length: 12 }, (_, index) => `第 ${index + 1} 行`);

async function openChinese(columns = 80): Promise<TmuxScreen> {
  const machine = createMachine();
  const screen = new TmuxScreen({
    columns,
    program: '../../../dist/cli/huddle.js',
    args: ['demo', '--lang', 'zh-CN'],
    folder: machine.project,
    env: { ...machine.env, TERM: 'xterm-256color' },
  });
  await screen.until('演示结束');
  await screen.until('输入消息，? 查看按键');
  return screen;
}

describe.skipIf(!hasTmux())('a Chinese keyboard', { timeout: 60_000 }, () => {
  test('opens the help, the members and the commands with full-width signs', async () => {
    const screen = await openChinese();
    screen.type('？');
    await screen.until('/quit');
    screen.type('＠');
    await screen.until('→ claude');
    screen.press('Escape', 'BSpace');
    screen.type('／');
    await screen.until('→ /task');
  });

  test('writes them in the middle of a text as they are', async () => {
    const screen = await openChinese();
    screen.type('真的？a＠b ／');
    await screen.until('  真的？a＠b ／');
  });

  test.each([40, 80])(
    'a long paste and what is out of sight are told in Chinese at %i columns',
    async (columns) => {
      const screen = await openChinese(columns);
      screen.paste(LINES.join('\n'));
      await screen.until((rows) => rows.at(-3) === '  [粘贴 #1，12 行]');
      expect(screen.cursor()).toMatch(/^18,/u);
      screen.type('好');
      await screen.until((rows) => rows.at(-3) === '  [粘贴 #1，12 行]好');
      screen.press('Enter');
      await screen.until('我是 gemini，正在试跑。收到的问题：');
      screen.paste('字'.repeat(1001));
      await screen.until('[粘贴 #1，1001 字符]');
      screen.press('C-u');
      for (const line of LINES) {
        screen.type(line);
        screen.press('C-j');
      }
      const isRule = (row: string) => /^─── ↑ 还有 \d+ 行 ─+$/u.test(row);
      const rows = await screen.until((shown) => shown.some(isRule));
      // Three characters take two columns each.
      expect(rows.find(isRule)).toHaveLength(columns - 3);
    },
  );
});
