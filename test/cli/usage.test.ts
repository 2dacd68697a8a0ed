import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createMachine } from './runHuddle.js';

const mistakes: ReadonlyArray<readonly [string, readonly string[], string]> = [
  ['an unknown command', ['rnu'], 'There is no command "rnu". Did you mean huddle run? See: huddle --help'],
  ['a command like none', ['xyzzy'], 'There is no command "xyzzy". See: huddle --help'],
  [
    'a message without run',
    ['hello there'],
    'To say that to the team: huddle run "hello there" See: huddle --help',
  ],
  [
    'an unknown option',
    ['run', '--maxturns', '3', 'hi'],
    "unknown option '--maxturns' (Did you mean --max-turns?). See: huddle run --help",
  ],
  ['an unknown option of the program', ['--tema'], "unknown option '--tema'. See: huddle --help"],
  [
    'an unknown part of a command',
    ['team', 'chekc'],
    "unknown command 'chekc' (Did you mean check?). See: huddle team --help",
  ],
  [
    'turns that are no number',
    ['run', '--max-turns', 'many', 'hi'],
    "option '--max-turns <number>' argument 'many' is invalid. It must be a whole number of at least 1. See: huddle run --help",
  ],
  [
    'no money at all',
    ['run', '--max-usd', '0', 'hi'],
    "option '--max-usd <amount>' argument '0' is invalid. It must be an amount in US dollars above 0. See: huddle run --help",
  ],
  [
    'an unknown format',
    ['run', '--output-format', 'xml', 'hi'],
    "option '--output-format <format>' argument 'xml' is invalid. Allowed choices are text, json, stream-json. See: huddle run --help",
  ],
  [
    'an empty standard input',
    ['run'],
    'The message on standard input is empty; nothing was started. See: huddle run --help',
  ],
  [
    'an empty message',
    ['run', ' '],
    'The message in the argument is empty; nothing was started. See: huddle run --help',
  ],
  [
    'two messages',
    ['run', 'hi', '--file', 'hi.txt'],
    'Give the message either in quotes or with --file, not both. See: huddle run --help',
  ],
  [
    'a message file that is not there',
    ['run', '--file', 'no.txt'],
    'no.txt cannot be read: there is no such file or folder (ENOENT). See: huddle run --help',
  ],
  [
    'the same with another command',
    ['resume', '9f3c', '--file', 'no.txt'],
    'no.txt cannot be read: there is no such file or folder (ENOENT). See: huddle resume --help',
  ],
  [
    'a script that is not there',
    ['rehearse', '--script', 'no.json'],
    'no.json cannot be read: there is no such file or folder (ENOENT). See: huddle rehearse --help',
  ],
];

test.each(mistakes)(
  '%s is said on one line with what to do, and ends with 2',
  async (_title, args, message) => {
    const machine = createMachine();
    machine.install('claude');
    expect(await machine.run(args)).toEqual({
      code: 2,
      signal: null,
      stdout: '',
      stderr: `error[USAGE]: ${message}\n`,
    });
  },
);

test('a mistake full of escapes cannot move the cursor', async () => {
  const { stderr } = await createMachine().run(['\u001b[2Jrun']);
  expect(stderr).toContain('␛[2Jrun');
  expect(stderr).not.toContain('\u001b');
});

test('a group without a command shows its help on stderr', async () => {
  const { code, stdout, stderr } = await createMachine().run(['team']);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain('Usage: huddle team');
});

test('a message in UTF-16 is refused, and the mark before one in UTF-8 is not part of it', async () => {
  const machine = createMachine();
  machine.install('claude');
  writeFileSync(machine.write('utf16.txt', ''), '\ufeffhi', 'utf16le');
  const refused = await machine.run(['run', '--file', 'utf16.txt']);
  expect({ code: refused.code, stderr: refused.stderr }).toEqual({
    code: 2,
    stderr: expect.stringMatching(
      /^error\[USAGE\]: The message in utf16\.txt is not UTF-8 text; save it as UTF-8\./u,
    ),
  });
  machine.write('marked.txt', '\ufeffhi\r\n');
  const { stdout } = await machine.run(['rehearse', '--file', 'marked.txt', '--no-prompts']);
  expect(stdout).toMatch(/^\S+:\nhi\n/u);
});
