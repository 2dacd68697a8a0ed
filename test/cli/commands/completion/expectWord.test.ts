import { describe, expect, test } from 'vitest';
import { english } from '../../../../src/catalogue/english.js';
import { expectWord } from '../../../../src/cli/commands/completion/expectWord.js';
import { PROGRAM } from '../../../../src/cli/commands.js';

/** What can follow `huddle …`: the words, or what is looked up. */
function following(...words: readonly string[]): string | readonly string[] {
  const expectation = expectWord(PROGRAM, words, english);
  return expectation.kind === 'words' ? expectation.words.map(({ value }) => value) : expectation.kind;
}

describe('expectWord', () => {
  test('knows every command, with what it does', () => {
    expect(following('')).toEqual([...PROGRAM.commands.map(({ name }) => name), 'help']);
    expect(expectWord(PROGRAM, [''], english)).toMatchObject({
      words: expect.arrayContaining([
        { value: 'run', description: 'run one conversation non-interactively' },
      ]),
    });
  });

  test.each([
    { typed: ['team', ''], can: ['check', 'help'] },
    { typed: ['help', ''], can: expect.arrayContaining(['run', 'why']) },
    { typed: ['run', '-'], can: expect.arrayContaining(['--output-format', '--continue', '--help']) },
    { typed: ['run', '--output-format', ''], can: ['text', 'json', 'stream-json'] },
    { typed: ['export', '9f3c', '--format', 'h'], can: ['md', 'json', 'jsonl', 'html'] },
    { typed: ['init', '--preset', ''], can: ['council', 'pair', 'review', 'debate', 'contest'] },
    { typed: ['completion', ''], can: ['bash', 'zsh', 'fish', 'powershell'] },
    { typed: ['run', '--team', ''], can: 'files' },
    { typed: ['run', '--max-turns', '4', '--file', 'no'], can: 'files' },
    { typed: ['team', 'check', ''], can: 'files' },
    { typed: ['import', ''], can: 'files' },
    { typed: ['trust', '--yes', ''], can: 'folders' },
    { typed: ['resume', ''], can: 'sessions' },
    { typed: ['why', '3', '--session', ''], can: 'sessions' },
    { typed: ['why', '3', '--compare', ''], can: 'agents' },
    { typed: ['run', ''], can: [] },
    { typed: ['run', '--max-turns', ''], can: [] },
    { typed: ['resume', '9f3c', ''], can: [] },
    { typed: ['no-such-command', ''], can: [] },
    { typed: ['doctor', 'run', ''], can: [] },
  ])('after $typed: $can', ({ typed, can }) => {
    expect(following(...typed)).toEqual(can);
  });
});
