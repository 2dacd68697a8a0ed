import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createMachine, teamFile } from './runHuddle.js';
import { answering } from './storedSessions.js';

const NONE = { en: /^No saved sessions yet/u, 'zh-CN': /^还没有保存的会话/u };

describe('the language', { timeout: 60_000 }, () => {
  test.each([
    ['en', [], {}],
    ['en', [], { LANG: 'C.UTF-8' }],
    ['en', [], { LC_ALL: 'POSIX', LANG: 'zh_CN.UTF-8' }],
    ['en', [], { LANG: 'de_DE.UTF-8' }],
    ['zh-CN', [], { LANG: 'zh_CN.UTF-8' }],
    ['zh-CN', [], { LC_MESSAGES: 'zh_TW', LANG: 'en_GB' }],
    ['en', [], { HUDDLE_LANG: 'en', LANG: 'zh_CN.UTF-8' }],
    ['zh-CN', [], { HUDDLE_LANG: 'zh_CN' }],
    ['zh-CN', [], { HUDDLE_LANG: '', LANG: 'zh' }],
    ['zh-CN', ['--lang', 'zh'], { HUDDLE_LANG: 'en' }],
    ['en', ['--lang=EN'], { HUDDLE_LANG: 'zh', LANG: 'zh_CN.UTF-8' }],
  ] as const)('is %s with %j and %j', async (language, options, env) => {
    const { stderr } = await createMachine().run(['sessions', ...options], { env });
    expect(stderr).toMatch(NONE[language]);
  });

  test('of --help is known without settings, and found out with them', async () => {
    const machine = createMachine();
    const env = { LANG: 'zh_CN.UTF-8' };
    const fast = await machine.run(['--help'], { env });
    mkdirSync(join(machine.folder, '.config', 'huddle'), { recursive: true });
    const slow = await machine.run(['--help'], { env });
    expect(fast.stdout).toMatch(/^用法：huddle/u);
    expect(slow.stdout).toBe(fast.stdout);
    expect((await machine.run(['--lang', 'en', '--help'], { env })).stdout).toMatch(/^Usage: huddle/u);
  });

  test.each([
    [['sessions', '--lang', 'fr'], {}, '--lang must be one of en, zh-CN, not "fr".'],
    [['sessions', '--lang'], {}, '--lang must be one of en, zh-CN, not "".'],
    [['sessions'], { HUDDLE_LANG: 'fr' }, 'HUDDLE_LANG must be one of en, zh-CN, not "fr".'],
    [['sessions', '--lang', 'fr'], { LANG: 'zh_CN' }, '--lang 只能是 en 或 zh-CN，不能是 "fr"。'],
  ])('that Huddle does not speak is refused: %j %j', async (args, env, message) => {
    const { code, stderr } = await createMachine().run(args, { env });
    expect({ code, stderr }).toEqual({ code: 2, stderr: `error[USAGE]: ${message}\n` });
  });

  test('of a message is its own: what comes after -- is not an option', async () => {
    const machine = createMachine();
    machine.write('huddle.jsonc', teamFile({ max: { agentType: 'claude' } }));
    const { stdout } = await machine.run(['rehearse', '--no-prompts', '--', '--lang zh'], {});
    expect(stdout).toContain('kim:\n  --lang zh\n');
  });

  test('changes no JSON and no prompt', async () => {
    const machine = createMachine();
    machine.install('claude');
    machine.write('huddle.jsonc', teamFile({ max: { agentType: 'claude' } }));
    const results = await Promise.all(
      ['en', 'zh-CN'].flatMap((language) =>
        [
          ['team', 'check', '--json'],
          ['doctor', '--json'],
          ['rehearse', 'Go.', '--output-format', 'json'],
        ].map((args) => machine.run([...args, '--lang', language], { env: answering })),
      ),
    );
    const texts = results.map(({ stdout }) =>
      stdout
        .replaceAll(/"(?:milliseconds|timestamp|conversationId|at)": ?[^,\n]*/gu, '')
        .replaceAll(/\d{8}-\d{4}-[0-9a-f]{4}/gu, ''),
    );
    expect(texts.slice(3)).toEqual(texts.slice(0, 3));
  });
});

test('times are those of the reader, and an export names the zone', { timeout: 60_000 }, async () => {
  const machine = createMachine();
  machine.write('huddle.jsonc', teamFile({ max: { agentType: 'claude' } }));
  machine.install('claude');
  await machine.run(['run', 'Go.', '--trust'], { env: answering });
  const timeIn = async (TZ: string) => {
    const { stdout } = await machine.run(['export'], { env: { TZ } });
    const [, from = '', zone = ''] = /^- From (\S+ \S+) to \S+ \S+ \((.*)\)$/mu.exec(stdout) ?? [];
    return { from: Date.parse(`${from.replace(' ', 'T')}Z`), zone };
  };
  const [london, shanghai, newfoundland] = [
    await timeIn('UTC'),
    await timeIn('Asia/Shanghai'),
    await timeIn('America/St_Johns'),
  ];
  expect(shanghai).toEqual({ from: london.from + 8 * 3_600_000, zone: 'UTC+08:00' });
  expect(london.zone).toBe('UTC');
  expect(newfoundland.zone).toMatch(/^UTC-0[23]:30$/u);
});
