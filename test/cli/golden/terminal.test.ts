import { stripVTControlCharacters } from 'node:util';
import { describe } from 'vitest';
import { hasTerminal, runInTerminal } from '../pty.js';
import type { Finished, Machine } from '../runHuddle.js';
import { playTable } from './playTable.js';

const KEYS: Readonly<Record<string, string>> = { '^C': '\u0003', '^D': '\u0004', '⏎': '\n' };

/** `huddle trust <<< yes` answers `yes` when it is asked. */
async function typeInTerminal(line: string, machine: Machine): Promise<Finished> {
  const [command = '', answer = ''] = line.split(' <<< ');
  const args = command.split(' ').slice(1);
  const { code, screen } = await runInTerminal(machine, {
    args,
    env: { NO_COLOR: '1' },
    input: KEYS[answer] ?? `${answer}\n`,
  });
  return { code, signal: null, stdout: stripVTControlCharacters(screen), stderr: '' };
}

describe.runIf(hasTerminal)('in a terminal', () => {
  playTable(
    {
      terminal: {
        'the team has an architect and its tests': {
          'huddle run': 2,
          'huddle run Go. <<< no': 77,
          'huddle trust <<< ⏎': 77,
          'huddle trust <<< n': 77,
          'huddle trust <<< no': 77,
          'huddle trust <<< ^D': 77,
          'huddle trust <<< ^C': 130,
          'huddle trust <<< ｎ': 77,
          'huddle trust <<< Ｙ': 0,
        },
        'there is a team': { 'huddle trust <<< yes': 0 },
        'two sessions are kept': {
          'huddle delete wiki-1 <<< ⏎': 1,
          'huddle delete wiki-1 <<< n': 1,
          'huddle delete wiki-1 <<< no': 1,
          'huddle delete wiki-1 <<< ^D': 1,
          'huddle delete wiki-1 <<< ^C': 130,
          'huddle delete wiki-1 <<< y': 0,
          'huddle delete wiki-2 <<< yes': 0,
        },
      },
    },
    typeInTerminal,
  );
});
