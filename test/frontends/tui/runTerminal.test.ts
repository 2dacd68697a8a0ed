import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { hasTmux, TmuxScreen } from './TmuxScreen.js';

const RULE_80 = '─'.repeat(80);
const RULE_120 = '─'.repeat(120);

const SCRIPT = {
  max: [
    {
      text: ['I read the code.', 'Use **Redis**:\n\n```ts\nconst ttl = 86_400;\n```'],
      tools: [{ name: 'Bash', input: 'npm test', result: '12 passed' }],
      next: ['sarah'],
      usd: 0.02,
    },
  ],
  sarah: [{ text: '我同意 👍' }],
};

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'huddle-tui-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
});

/** What differs from run to run. */
function steady(rows: readonly string[]): string[] {
  return rows.map((row) => row.replace(/\s+[\d.]+ s · .*turn-(\d+)$/, ' … turn-$1'));
}

describe.skipIf(!hasTmux())('the terminal program', { timeout: 60_000 }, () => {
  it('paints the team, an editor and a status line', async () => {
    const screen = new TmuxScreen({ order: { script: SCRIPT, limits: { usd: 5 }, task: 'Design a login' } });
    await screen.until('ready');
    expect(screen.rows()).toEqual([
      '  auth-squad',
      '',
      '› kailai  human',
      '● max  Architect · Claude Code · read-only',
      '● sarah  Codex · can edit files',
      '',
      '  Team task: Design a login',
      '  Type a message. @ to pick a member, / for commands.',
      '',
      RULE_80,
      '  Type a message, or ? for keys',
      RULE_80,
      '  ready · $0.00 of $5.00',
    ]);
    expect(screen.cursor()).toBe('2,10,1');
  });

  it('shows a whole conversation on a larger screen', async () => {
    const screen = new TmuxScreen({ columns: 120, rows: 40, order: { script: SCRIPT } });
    await screen.until('ready');
    screen.type('How do we store sessions?');
    screen.press('Enter');
    await screen.until('waiting for you');
    expect(steady(screen.rows()).slice(6)).toEqual([
      '  Type a message. @ to pick a member, / for commands.',
      '',
      '› kailai',
      '  How do we store sessions?',
      '',
      '● max  Architect',
      '  I read the code.',
      '',
      `${'  ✓ Bash npm test · 12 passed'.padEnd(118)}#1`,
      '',
      '  Use Redis:',
      '',
      '    const ttl = 86_400;',
      '  → sarah … turn-1',
      '',
      '● sarah',
      '  我同意 👍',
      ' … turn-2',
      '',
      RULE_120,
      '  Type a message, or ? for keys',
      RULE_120,
      expect.stringMatching(
        /^ {2}waiting for you · \$0\.02 · no price for sarah \(\/cost\) · \d+ tokens · 2 of 20 turns in a row$/,
      ),
    ]);
  });

  it('aligns tables, wraps a long cell in its column, and colours the first code it shows', async () => {
    const text = [
      '| file | 行数 | what |\n|:-|-:|:-:|\n| `a.ts` | 1 | reads |\n| 文档.md | 1204 | ',
      'explains at length what the program does '.repeat(3),
      '|\n\n```ts\nconst ttl = "1d";\n```',
    ];
    const screen = new TmuxScreen({ order: { script: { max: [{ text: text.join('') }] } } });
    await screen.until('ready');
    screen.type('@max Go.');
    screen.press('Enter');
    const rows = await screen.until('turn-1');
    const start = rows.findIndex((row) => row.startsWith('  file'));
    expect(rows.slice(start, rows.indexOf('    const ttl = "1d";') + 1)).toEqual([
      '  file    │ 行数 │                             what',
      '  ────────┼──────┼──────────────────────────────────────────────────────────────',
      '  a.ts    │    1 │                             reads',
      '  ────────┼──────┼──────────────────────────────────────────────────────────────',
      '  文档.md │ 1204 │  explains at length what the program does explains at length',
      '          │      │   what the program does explains at length what the program',
      '          │      │                             does',
      '',
      '    const ttl = "1d";',
    ]);
    expect(screen.bytes()).toContain('\x1b[35mconst\x1b[39m ttl = \x1b[32m"1d"\x1b[39m;');
  });

  it('takes Chinese, emoji, several lines and a paste, with the cursor where an input method looks for it', async () => {
    const screen = new TmuxScreen({ order: { script: SCRIPT } });
    await screen.until('ready');
    screen.type('你好👍');
    await screen.until('  你好👍');
    expect(screen.cursor()).toMatch(/^8,\d+,1$/);
    screen.type('\\');
    screen.press('Enter');
    screen.paste('one\ntwo');
    const rows = await screen.until('  two');
    expect(rows.slice(rows.indexOf('  你好👍'), -2)).toEqual(['  你好👍', '  one', '  two']);
    screen.press('Enter');
    await screen.until((shown) => shown.includes('› kailai') && shown.includes('  two'));
    screen.press('Up');
    await screen.until((shown) => shown.at(-3) === '  two');
  });

  it('completes the names of members', async () => {
    const screen = new TmuxScreen({ order: { script: SCRIPT, members: ['kailai', '小明', 'max', 'sarah'] } });
    await screen.until('ready');
    screen.type('@s');
    await screen.until('→ sarah');
    screen.press('Tab');
    await screen.until('  @sarah');
    screen.type('@小');
    await screen.until('→ 小明');
    screen.press('Enter');
    await screen.until('  @sarah @小明');
  });

  it('lists commands, completes them, and offers only what can be done', async () => {
    const screen = new TmuxScreen({ order: { script: SCRIPT } });
    await screen.until('ready');
    screen.type('/');
    const rows = await screen.until('/pause');
    expect(rows.join('\n')).not.toMatch(/\/why|\/as|\/allow/);
    screen.type('me');
    await screen.until((shown) => !shown.join('\n').includes('/pause'));
    screen.press('Enter');
    await screen.until((shown) => shown.filter((row) => row.startsWith('● max')).length === 2);
    screen.type('/qit');
    screen.press('Enter');
    await screen.until('Unknown command /qit. Did you mean /quit?');
  });

  it('expands a tool call, sums up what was spent, and asks the caller why', async () => {
    const screen = new TmuxScreen({ order: { script: SCRIPT, why: 'It was sent' } });
    await screen.until('ready');
    screen.type('Go');
    screen.press('Enter');
    await screen.until('waiting for you');
    for (const [command, shown] of [
      ['/expand 1', '#1 Bash'],
      ['/why turn-1', 'It was sent turn-1'],
      ['/cost', 'total       2'],
      ['/task', 'No team task.'],
    ] as const) {
      screen.type(command);
      screen.press('Enter');
      await screen.until(shown);
    }
  });

  it('lets several people speak at one terminal', async () => {
    const screen = new TmuxScreen({ order: { script: SCRIPT, members: ['kailai', '小明', 'max', 'sarah'] } });
    await screen.until('as kailai');
    screen.type('/as ');
    await screen.until('→ kailai');
    screen.type('小');
    await screen.until('→ 小明');
    screen.press('Enter');
    await screen.until((rows) => rows.at(-3) === '  /as 小明');
    screen.press('Enter');
    await screen.until('You now speak as 小明.');
    screen.type('[NEXT: sarah] 好吗？');
    screen.press('Enter');
    await screen.until('› 小明  → sarah');
    await screen.until('as 小明');
  });

  it('shows an answer while it is written, and prints it when it is done', async () => {
    const gate = join(folder, 'gate');
    const screen = slowScreen(gate);
    await screen.until('ready');
    screen.type('Answer me');
    screen.press('Enter');
    const rows = await screen.until('slow is replying');
    expect(rows).toContain('  The first half of the answer');
    expect(rows.at(-1)).toContain('Esc to stop');
    writeFileSync(gate, '');
    const after = await screen.until('waiting for you');
    expect(after).toContain('  The first half of the answer, and the second half.');
    expect(after).not.toContain('  The first half of the answer');
  });

  it('stops the running turn with Esc and keeps the draft and what was being typed', async () => {
    const screen = slowScreen(join(folder, 'gate'));
    await screen.until('ready');
    screen.type('Answer me');
    screen.press('Enter');
    await screen.until('slow is replying');
    screen.type('half a thou');
    screen.press('Escape');
    await screen.until('slow was stopped.');
    const rows = await screen.until('/retry to rerun');
    expect(rows).toContain('  The first half of the answer');
    expect(rows).toContain('  The partial reply is kept as a draft; it was not sent to the team.');
    expect(rows.at(-3)).toBe('  half a thou');
  });

  it('pauses at a limit with the reason, and goes on with Enter on an empty line', async () => {
    const pingPong = { max: [{ text: 'ping', next: ['sarah'] }], sarah: [{ text: 'pong', next: ['max'] }] };
    const screen = new TmuxScreen({ order: { script: pingPong, limits: { agentTurns: 3, sameAnswer: 99 } } });
    await screen.until('ready');
    screen.type('Go');
    screen.press('Enter');
    await screen.until('Paused: 3 agent turns in a row. Enter to continue');
    await screen.until('next sarah');
    expect(screen.everything().filter((row) => /turn-\d+$/.test(row))).toHaveLength(3);
    screen.press('Enter');
    await screen.until('turn-6');
    await screen.until('Enter to continue');
    expect(screen.everything().filter((row) => /turn-\d+$/.test(row))).toHaveLength(6);
  });

  it('keeps the whole scrollback through every resize', async () => {
    const long = Array.from({ length: 60 }, (_, index) => `Paragraph ${index}.`).join('\n\n');
    const screen = new TmuxScreen({ order: { script: { max: [{ text: long }] } } });
    await screen.until('ready');
    screen.type('Go');
    screen.press('Enter');
    await screen.until('waiting for you');
    for (const [columns, rows] of [
      [60, 24],
      [100, 30],
      [100, 12],
      [40, 12],
      [80, 24],
    ] as const) {
      screen.resize(columns, rows);
      await screen.until((shown) => shown.at(-2) === '─'.repeat(columns) && shown.length <= rows);
    }
    const everything = screen.everything();
    const missing = Array.from({ length: 60 }, (_, index) => `  Paragraph ${index}.`).filter(
      (line) => !everything.includes(line),
    );
    expect(missing).toEqual([]);
    expect(everything[0]).toBe('  auth-squad');
    expect(screen.rows().at(-1)).toContain('waiting for you');
    expect(screen.bytes()).not.toContain('\x1b[3J');
  });

  it('leaves with Ctrl-C twice, and the terminal is as it was', async () => {
    const screen = new TmuxScreen({ order: { script: SCRIPT } });
    await screen.until('ready');
    screen.type('not sent');
    screen.press('C-c');
    await screen.until('Ctrl-C again to exit');
    expect(screen.rows().join('\n')).not.toContain('not sent');
    screen.press('C-c');
    const rows = await screen.until('icanon');
    expect(rows).toContain('exit: {"reason":"quit"}');
    expect(rows).toContain('code: 0');
    expect(rows).toContain('icanon');
    expect(rows).not.toContain(RULE_80);
    expect(screen.cursor()).toMatch(/,1$/);
    expect(lastModes(screen.bytes())).toEqual({ '2004': 'l', '25': 'h' });
  });

  it.each(['C-d', '/quit'])('leaves with %s', async (way) => {
    const screen = new TmuxScreen({ order: { script: SCRIPT } });
    await screen.until('ready');
    if (way === 'C-d') screen.press('C-d');
    else {
      screen.type(way);
      screen.press('Enter');
    }
    await screen.until('exit: {"reason":"quit"}');
  });

  it.each(['SIGTERM', 'SIGHUP'] as const)('gives the terminal back on %s', async (signal) => {
    const screen = new TmuxScreen({ order: { script: SCRIPT } });
    await screen.until('ready');
    process.kill(screen.programPid(), signal);
    const rows = await screen.until('icanon');
    expect(rows).toContain(`exit: {"reason":"signal","signal":"${signal}"}`);
    expect(rows).toContain('icanon');
    expect(lastModes(screen.bytes())).toEqual({ '2004': 'l', '25': 'h' });
  });

  it('ends by itself when its terminal is gone', async () => {
    const screen = new TmuxScreen({ order: { script: SCRIPT } });
    await screen.until('ready');
    const pid = screen.programPid();
    await screen.close();
    await expect.poll(() => isAlive(pid), { timeout: 10_000 }).toBe(false);
  });

  it('gives the terminal back after a crash, with what was said still there', async () => {
    const screen = new TmuxScreen({ order: { script: SCRIPT, crashOn: 'turn-start' } });
    await screen.until('ready');
    screen.type('Go');
    screen.press('Enter');
    const rows = await screen.until('icanon');
    expect(rows).toContain('  Go');
    expect(rows).toContain('crashed: a crash for the test');
    expect(rows).toContain('code: 1');
    expect(rows).toContain('icanon');
    expect(lastModes(screen.bytes())).toEqual({ '2004': 'l', '25': 'h' });
  });

  it('shows what an agent tries to do to the terminal instead of doing it', async () => {
    // Whole sequences are taken out before; what is none, and what the terminal would act on all the same, is left.
    const attack = 'before \x1b]0;owned\x07\x1b[2J\x1b[3J\x1b]52;c;aGk=\x07\x08\x07\x1b after';
    const screen = new TmuxScreen({ columns: 120, order: { script: { max: [{ text: attack }] } } });
    await screen.until('ready');
    screen.type('Go');
    screen.press('Enter');
    await screen.until('before ␈␇␛ after');
    const titles = ['auth-squad', '✳ auth-squad', '✳ max · auth-squad'].map(
      (title) => `\x1b]0;${title} — huddle\x07`,
    );
    const foreign = titles.reduce((bytes, title) => bytes.replaceAll(title, ''), screen.bytes());
    expect(foreign).not.toMatch(/\x1b\]|\x1b\[3J/);
  });

  it('does not write the screen into files, whatever the environment says, which agents are given whole', async () => {
    const log = join(folder, 'log');
    const screen = new TmuxScreen({
      columns: 160,
      order: { members: ['kailai', 'echo'], echo: 'cat >/dev/null; env | grep ^PI_ | sort | tr "\\n" " "' },
      env: { PI_TUI_WRITE_LOG: log, PI_TUI_DEBUG: '1', PI_HOLE: 'here' },
    });
    await screen.until('ready');
    screen.type('Go');
    screen.press('Enter');
    const rows = await screen.until('waiting for you');
    expect(rows.join('\n')).toContain(`PI_HOLE=here PI_TUI_DEBUG=1 PI_TUI_WRITE_LOG=${log}`);
    expect(existsSync(log)).toBe(false);
  });

  it('sets the task without asking an agent', async () => {
    const screen = new TmuxScreen({ order: { script: SCRIPT } });
    await screen.until('ready');
    screen.type('/task Ship it with @max');
    screen.press('Enter');
    const rows = await screen.until('Team task');
    expect(rows.slice(8)).toEqual([
      '› kailai',
      '  Team task: Ship it with @max',
      '',
      RULE_80,
      '  Type a message, or ? for keys',
      RULE_80,
      '  waiting for you',
    ]);
  });

  it('uses no colour where none is wanted', async () => {
    const screen = new TmuxScreen({ order: { script: SCRIPT }, env: { NO_COLOR: '1' } });
    await screen.until('ready');
    screen.type('Go');
    screen.press('Enter');
    await screen.until('waiting for you');
    expect(screen.bytes()).not.toMatch(/\x1b\[[39]\dm/);
  });
});

function slowScreen(gate: string): TmuxScreen {
  return new TmuxScreen({ order: { members: ['kailai', 'slow'], gate } });
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false; // ESRCH: there is no such process any more.
  }
}

/** The last word on each of these terminal modes. */
function lastModes(bytes: string): Record<string, string> {
  const modes = [...bytes.matchAll(/\x1b\[\?(25|2004)([hl])/g)].map(([, mode, value]) => [mode, value]);
  return Object.fromEntries(modes);
}
