import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { english } from '../../../src/catalogue/english.js';
import { PROGRAM } from '../../../src/cli/commands.js';
import type { CliCommand } from '../../../src/cli/start/command.js';
import { EXIT_CODE_OF_ERROR, EXIT_CODES } from '../../../src/cli/start/exitCodes.js';
import { formatHelp } from '../../../src/cli/start/help.js';
import { root } from '../runHuddle.js';

const folder = join(root, 'test', 'cli', 'golden', 'pages');
const pages = new Map(
  readdirSync(folder).map((file) => [basename(file, '.txt'), readFileSync(join(folder, file), 'utf8')]),
);
const text = [...pages.values()].join('\n');
const commands = endCommands(PROGRAM);

/** What no line on a quiet machine comes to, and the test that comes to it. */
const PLAYED_ELSEWHERE: Readonly<Record<string, string>> = {
  UNKNOWN_WORKER: 'test/machines/fleets.test.ts',
  NOT_YOURS: 'sharedSessions.test.ts',
  NOT_IN_CONVERSATION: 'test/machines/forgedEvents.test.ts',
  LEASE_LOST: 'test/conformance/store.ts',
  FILE_LOCKED: 'test/config/lockFile.test.ts',
  ENOSPC: 'store.test.ts, of a store that gets full',
  EDQUOT: 'as ENOSPC',
  EROFS: 'as ENOSPC',
  EIO: 'as ENOSPC',
};

/** Commands that go on until somebody stops them, and the test that does. */
const STOPPED_ELSEWHERE: Readonly<Record<string, string>> = { worker: 'worker.test.ts' };

/** Typed with each command in sharedSessions.test.ts and sharedServers.test.ts, on a real server. */
const SAME_EVERYWHERE = '--store';

describe.each(commands)('the page of huddle %s', (name, command) => {
  const page = pages.get(name.replace(' ', '-')) ?? '';

  test('has its help, a success and a mistake', () => {
    expect(page).toContain(`$ huddle ${name} --help\n`);
    if (!(name in STOPPED_ELSEWHERE))
      expect(page).toMatch(
        new RegExp(`^\\$ .*huddle ${name}(?!.*--help).*\\n(?:(?!exit).*\\n)*exit code 0$`, 'mu'),
      );
    expect(page).toMatch(/^exit code 2$/mu);
  });

  test('has every option', () => {
    const typed = page.match(/^\$ .*$/gmu)?.join('\n') ?? '';
    const options = Object.values(command.options)
      .flatMap(({ flags }) => /--[\w-]+/u.exec(flags) ?? [])
      .filter((long) => long !== SAME_EVERYWHERE);
    expect(options.filter((option) => !typed.includes(`${option}`))).toEqual([]);
  });

  test('has no line of help that is too long for most terminals', () => {
    expect(
      formatHelp(command, ['huddle', ...name.split(' ')], english)
        .split('\n')
        .filter((line) => line.length > 82),
    ).toEqual([]);
  });
});

describe('the page of huddle doctor', () => {
  test('has a cross exactly where it fails', () => {
    const results = [
      ...(pages.get('doctor') ?? '').matchAll(/^\$ huddle doctor\n([^$]*?)^exit code (\d+)$/gmu),
    ];
    expect(results.length).toBeGreaterThan(10);
    for (const [, said = '', code] of results)
      expect([said, said.includes('✗')]).toEqual([said, code !== '0']);
  });
});

describe('all pages', () => {
  test('are of a command, or of huddle alone, and none is left over', () => {
    const names = commands.map(([name]) => name.replace(' ', '-'));
    expect([...pages.keys()].sort()).toEqual(
      [
        ...names,
        'huddle',
        'config',
        'continue',
        'terminal',
        'chinese',
        'chinese-terminal',
        'company-en',
        'company-gone',
        'company-zh-CN',
        'store-away-en',
        'store-away-zh-CN',
      ].sort(),
    );
  });

  test.each(Object.entries(EXIT_CODES))('have a line that ends as %s', (_name, code) => {
    expect(text).toContain(`\nexit code ${code}\n`);
  });

  test('have every error that has an exit code of its own', () => {
    const missing = [...EXIT_CODE_OF_ERROR.keys()].filter((code) => !text.includes(`| error[${code}]: `));
    expect(missing).toEqual(Object.keys(PLAYED_ELSEWHERE));
  });

  test('have no stack trace, and no fault of ours', () => {
    expect(text).not.toMatch(/^(?:out|err)\| +at |UNEXPECTED/mu);
  });
});

/** What can be typed: `team check`, but not `team`. */
function endCommands({ commands }: CliCommand, path: readonly string[] = []): [string, CliCommand][] {
  return commands.flatMap((command): [string, CliCommand][] => {
    const words = [...path, command.name];
    return command.commands.length === 0 ? [[words.join(' '), command]] : endCommands(command, words);
  });
}
