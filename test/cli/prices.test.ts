import { describe, expect, test } from 'vitest';
import { hasTerminal, openTerminal } from './pty.js';
import { createMachine, teamFile } from './runHuddle.js';
import { createSquad } from './squad.js';

const ASK_SARAH = 'Where does it break? [NEXT: sarah]';
const TURNS = ['--max-turns', '1'];

describe('a price that nobody has set', { timeout: 60_000 }, () => {
  test('is named at the end of a run and by cost, with the line that adds it', async () => {
    const { machine } = await createSquad();
    const { stderr } = await machine.run(['run', ASK_SARAH, ...TURNS]);
    expect(stderr).toMatch(/^1 turn in .* · no price for codex \(sarah\)$/mu);
    const advice = 'Set it (USD per 1M tokens): huddle config set prices.codex <input> <output>';
    expect(stderr).toContain(advice);
    const cost = await machine.run(['cost']);
    expect(cost).toMatchObject({
      code: 0,
      stderr: `No price for codex (sarah): cost not counted.\n${advice}\n`,
    });
    expect(JSON.parse((await machine.run(['cost', '--json'])).stdout).total.prices.unknown).toBe(1);
  });

  test('counts once it is in the configuration of the user, without a new question of trust', async () => {
    const { machine } = await createSquad({ limits: { usd: 5 } });
    const before = await machine.run(['run', ASK_SARAH, ...TURNS]);
    expect(before.stderr).toMatch(/members\[2\] "sarah" has no known price, .*set limits\.tokens as well/u);
    // Two members have none: each is a warning of its own, whole on its line.
    const lines = before.stderr.split('\n').filter((line) => line.includes('has no known price'));
    expect(lines.map((line) => /^warning: huddle\.jsonc:\d+:\d+ .*\]$/u.test(line))).toEqual([true, true]);
    await machine.run(['config', 'set', 'prices.codex', '1000', '2000']);
    await machine.run(['config', 'set', 'prices.gemini', '1000', '2000']);
    const { stderr } = await machine.run(['run', ASK_SARAH, ...TURNS]);
    expect(stderr).toMatch(/^1 turn in .* · \$\d+\.\d\d \(estimated\)$/mu);
    expect(stderr).not.toMatch(/price|warning/u);
    expect((await machine.run(['team', 'check'])).stderr).not.toContain('price');
  });

  test('comes after the price of the team file', async () => {
    const free = { input: 0, output: 0 };
    const { machine } = await createSquad({ prices: { codex: free } });
    await machine.run(['config', 'set', 'prices.codex', '1000', '2000']);
    const { stdout } = await machine.run(['run', ASK_SARAH, ...TURNS, '--output-format', 'json']);
    expect(JSON.parse(stdout).totals).toMatchObject({ usd: 0, isEstimated: true, unpriced: [] });
  });

  test('is asked for by --max-usd, unless tokens are limited', async () => {
    const { machine } = await createSquad();
    const { stderr } = await machine.run(['run', ASK_SARAH, ...TURNS, '--max-usd', '1']);
    expect(stderr).toContain('The limit on dollars cannot count codex (sarah), gemini (carol): no price.');
    expect(stderr).toContain('huddle config set prices.gemini <input> <output>');
    machine.write('other.jsonc', teamFile({ sarah: { agentType: 'codex' } }, { limits: { tokens: 10_000 } }));
    const limited = await machine.run([
      ...['run', 'Go.', '--team', 'other.jsonc', '--trust', ...TURNS],
      ...['--max-usd', '1'],
    ]);
    expect(limited.stderr).not.toContain('cannot count');
  });

  test.each([
    [
      { model: 'gpt-5.3' },
      'No price for gpt-5.3 (sarah): cost not counted.',
      'prices.gpt-5.3 <input> <output>',
    ],
    [{ model: "it's $5" }, "No price for it's $5 (sarah): cost not counted.", "prices.'it'\\''s $5' <input>"],
    [{}, 'No price for codex (sarah): cost not counted.', 'prices.codex <input> <output>'],
    [
      { agentType: 'acp', command: ['opencode', 'acp'] },
      'No price for sarah: cost not counted.',
      'name the "model" of sarah in the team file, then set the price of that model.',
    ],
  ])('is named by team check: %j', async (more, said, advice) => {
    const machine = createMachine();
    machine.write('huddle.jsonc', teamFile({ sarah: { agentType: 'codex', ...more } }));
    const { code, stderr } = await machine.run(['team', 'check']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining(said) });
    expect(stderr).toContain(advice);
  });

  test.skipIf(!hasTerminal)('is named in the status line, and /cost has the line that adds it', async () => {
    const { machine } = await createSquad({ limits: { usd: 5, tokens: 100_000, agentTurns: 1 } });
    const terminal = openTerminal(machine, { env: { COLUMNS: '120' } });
    await terminal.until('ready');
    terminal.type(`${ASK_SARAH}\r`);
    await terminal.until('no price for sarah (/cost)');
    terminal.type('/cost\r');
    await terminal.until('huddle config set prices.codex <input> <output>');
    terminal.type('\x04');
    expect(await terminal.ended).toBe(0);
  });
});

describe('the choice of colours', () => {
  const ESC = '\x1b[';

  test.each([
    [{ colours: 'always' }, {}, true],
    [{ colours: 'always' }, { NO_COLOR: '1' }, false],
    [{ colours: 'never' }, { FORCE_COLOR: '1' }, true],
    [{ colours: 'never' }, {}, false],
    [{}, {}, false],
  ])('%j with %j in a pipe', async (settings, env, isPainted) => {
    const machine = createMachine();
    machine.write('../.config/huddle/config.jsonc', settings);
    expect((await machine.run(['doctor'], { env })).stdout.includes(ESC)).toBe(isPainted);
    expect((await machine.run(['show'], { env })).stderr.includes(ESC)).toBe(isPainted);
  });

  test.skipIf(!hasTerminal).each([
    ['never', false],
    ['auto', true],
  ])('%s in the terminal', async (colours, isPainted) => {
    const { machine } = await createSquad({ limits: { agentTurns: 1 } });
    machine.write('../.config/huddle/config.jsonc', { colours });
    const terminal = openTerminal(machine);
    await terminal.until('ready');
    terminal.type('Go.\r');
    await terminal.until('max');
    terminal.type('\x04');
    await terminal.ended;
    expect(/\x1b\[3[1-6]m/u.test(terminal.shown())).toBe(isPainted);
  });
});
