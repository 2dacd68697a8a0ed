import { describe, expect, it } from 'vitest';
import { PROGRAM } from '../../src/cli/commands.js';
import type { CliCommand } from '../../src/cli/start/command.js';
import { EXIT_CODES } from '../../src/cli/start/exitCodes.js';
import { visibleOptions } from '../../src/cli/start/help.js';
import { codeIn, page, pages, sectionOf, tableRows } from './pages.js';
import { playPage } from './playPage.js';

const commandsPage = page('docs/commands.md');

describe.concurrent('the commands that the pages show', () => {
  const played = pages.filter(({ fences }) =>
    fences.some(({ words }) => words.includes('run') && !words.includes('agents')),
  );

  it.each(played)('do in $path what the page says', async (shownPage) => {
    const misfits = (await playPage(shownPage)).filter(({ fits }) => !fits);
    expect(misfits).toEqual([]);
  });
});

/** The same for every command that has them, so they are said once. */
const SAID_ONCE = ['-h', '--help', '--store <store>'];

describe('docs/commands.md', () => {
  it.each(endCommands(PROGRAM))('has a section on huddle %s with all its options', (name, command) => {
    const section = sectionOf(commandsPage, `## huddle ${name}`);
    const inherited = name === 'rehearse' ? sectionOf(commandsPage, '## huddle run') : '';
    expect(codeIn(section + inherited)).toEqual(
      expect.arrayContaining(flagsOf(command).filter((flag) => !SAID_ONCE.includes(flag))),
    );
  });

  it('has the options of the program itself', () => {
    expect(codeIn(commandsPage.prose)).toEqual(expect.arrayContaining(flagsOf(PROGRAM)));
  });

  it('has every exit code and no other', () => {
    const codes = tableRows(sectionOf(commandsPage, '## Exit codes')).map(([code]) => Number(code));
    expect(codes.filter(Number.isInteger)).toEqual(Object.values(EXIT_CODES));
  });
});

describe('all pages', () => {
  const known = new Set([PROGRAM, ...allCommands(PROGRAM)].flatMap(flagsOf).map(flagOf));

  it.each(pages.filter(({ path }) => path !== 'docs/agents.md'))(
    'name no option in $path that the program does not have',
    (shown) => {
      const options = codeIn(shown.prose).filter((code) => code.startsWith('--'));
      expect(options.map(flagOf).filter((option) => !known.has(option))).toEqual([]);
    },
  );

  it.each(pages)('name no command in $path that the program does not have', ({ prose, fences }) => {
    const lines = fences.filter(({ language }) => /^(?:console|sh)$/u.test(language)).map(({ text }) => text);
    const named = [...codeIn(prose), ...lines].flatMap((code) => [...code.matchAll(/\bhuddle ([a-z]+)/gu)]);
    const names = PROGRAM.commands.map((command) => command.name);
    expect(named.map(([, name = '']) => name).filter((name) => ![...names, 'help'].includes(name))).toEqual(
      [],
    );
  });
});

/** What can be typed: `team check`, but not `team`. */
function endCommands(
  command: CliCommand,
  path: readonly string[] = [],
): readonly (readonly [string, CliCommand])[] {
  if (command.commands.length === 0) return [[path.join(' '), command]];
  return command.commands.flatMap((sub) => endCommands(sub, [...path, sub.name]));
}

function allCommands(command: CliCommand): readonly CliCommand[] {
  return command.commands.flatMap((sub) => [sub, ...allCommands(sub)]);
}

/** As help shows them: `--file <file>`, `-V`, `--version`. */
function flagsOf(command: CliCommand): string[] {
  // Those that help does not name are for these pages to name.
  const hidden = Object.values(command.options).filter(({ help }) => help === undefined);
  return [...visibleOptions(command), ...hidden].flatMap(({ flags }) => flags.split(', '));
}

function flagOf(code: string): string {
  return code.split(' ')[0] ?? '';
}
