#!/usr/bin/env node
// The entry is CommonJS because that starts as fast as bare Node; everything else is loaded when it is needed.
import fs = require('node:fs');
import path = require('node:path');

/** What is answered at once; the help text is made at build from the program's own description of itself. */
const answers: Readonly<Record<string, () => string>> = {
  '--version': () =>
    `${JSON.parse(fs.readFileSync(path.join(__dirname, '..', '..', 'package.json'), 'utf8')).version}\n`,
  '--help': () => fs.readFileSync(path.join(__dirname, 'help.txt'), 'utf8'),
};
const aliases: Readonly<Record<string, string>> = { '-V': '--version', '-h': '--help', help: '--help' };

const args = process.argv.slice(2);
const [first = ''] = args;
const answer = args.length === 1 ? answers[aliases[first] ?? first] : undefined;

if (answer === undefined) void import('./main.js').then(({ main }) => main(args));
else writeOut(answer());

function writeOut(text: string): void {
  try {
    fs.writeSync(1, text);
  } catch (error) {
    // A reader that has gone away, as in `huddle --help | true`, is no failure worth a word.
    process.exitCode = (error as NodeJS.ErrnoException).code === 'EPIPE' ? 141 : 74;
  }
}
