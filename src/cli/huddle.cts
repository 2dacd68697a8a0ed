#!/usr/bin/env node
// The entry is CommonJS because that starts as fast as bare Node; everything else is loaded when it is needed.
import fs = require('node:fs');
import path = require('node:path');

import type { EarlyTerminal } from '../frontends/tui/EarlyTerminal.js' with { 'resolution-mode': 'import' };

/** What is answered at once; the help text is made at build from the program's own description of itself. */
const answers: Readonly<Record<string, () => string>> = {
  '--version': () =>
    `${JSON.parse(fs.readFileSync(path.join(__dirname, '..', '..', 'package.json'), 'utf8')).version}\n`,
  '--help': () => fs.readFileSync(path.join(__dirname, 'help.txt'), 'utf8'),
};
const aliases: Readonly<Record<string, string>> = { '-V': '--version', '-h': '--help', help: '--help' };

/** What people type to talk, and how many words it has at most: an id may follow the last. */
const talks: Readonly<Record<string, number>> = { '-c': 1, '--continue': 1, demo: 1, resume: 2 };

const args = process.argv.slice(2);
const [first = ''] = args;
const answer = args.length === 1 ? answers[aliases[first] ?? first] : undefined;

if (answer === undefined) run();
else writeOut(answer());

/** Where somebody is going to talk, they can type before the program is there. */
function run(): void {
  const terminal = isTalk(args) && isPainted() ? openTerminal() : undefined;
  void import('./main.js').then(({ main }) => main(args, terminal));
}

function isTalk([command, ...words]: readonly string[]): boolean {
  if (command === undefined) return true;
  return words.length < (talks[command] ?? 0) && !words.some((word) => word.startsWith('-'));
}

/** As `canTalk` and `isPlain` see it once they are loaded. */
function isPainted(): boolean {
  const { stdin, stdout, env } = process;
  return stdin.isTTY && stdout.isTTY && env.TERM !== 'dumb' && !env.CI;
}

function openTerminal(): EarlyTerminal {
  const early: { readonly EarlyTerminal: new () => EarlyTerminal } = require(
    path.join(__dirname, 'EarlyTerminal.cjs'),
  );
  const terminal = new early.EarlyTerminal();
  terminal.open();
  return terminal;
}

function writeOut(text: string): void {
  try {
    fs.writeSync(1, text);
  } catch (error) {
    // A reader that has gone away, as in `huddle --help | true`, is no failure worth a word.
    process.exitCode = (error as NodeJS.ErrnoException).code === 'EPIPE' ? 141 : 74;
  }
}
