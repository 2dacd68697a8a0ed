#!/usr/bin/env node
// The entry loads next to nothing, so that it starts as fast as bare Node; everything else is loaded when it is needed.
import { existsSync, readFileSync, writeSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { OPENING } from '../../catalogue/opening.js';
import type { Language } from '../../models/Language.js';
import { FirstPrompt } from './FirstPrompt.js';
import { readLanguage } from './language.js';

/** The answers that need nothing loaded; the help texts are made at build from the program's own description of itself. */
const answers: Readonly<Record<string, () => string | undefined>> = {
  '--version': () =>
    `${JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8')).version}\n`,
  '--help': () => {
    const language = knownLanguage();
    return language && readFileSync(join(import.meta.dirname, `help.${language}.txt`), 'utf8');
  },
};
const aliases: Readonly<Record<string, string>> = {
  '-V': '--version',
  '-v': '--version',
  version: '--version',
  '-h': '--help',
  help: '--help',
};

/** The commands that open a chat, and how many words each has at most: a message or an id may follow. */
const chats: Readonly<Record<string, number>> = {
  '-c': 2,
  '--continue': 2,
  '--rehearse': 2,
  '--store': 2,
  demo: 1,
  resume: 2,
};

const { rest: args, wish } = readLanguage(process.argv.slice(2), process.env);
const [first = ''] = args;
const answer = args.length === 1 ? answers[aliases[first] ?? first]?.() : undefined;

if (answer === undefined) run();
else writeOut(answer);

/** Starts the program; before a chat, people can type while it is loaded. */
function run(): void {
  const prompt =
    isChat(args) && isPainted() ? new FirstPrompt(OPENING[wish.named?.language ?? wish.locale]) : undefined;
  prompt?.open();
  keepCompiled(process.env);
  void import('../main.js').then(({ main }) => main(args, wish, prompt));
}

/** The types that we compile with are those of Node 20. */
interface NewerModule {
  readonly enableCompileCache?: (folder: string) => unknown;
}

/** Has Node keep what it compiles in the user's cache, which it can since 22.8. */
function keepCompiled({ XDG_CACHE_HOME = '', HOME = '' }: NodeJS.ProcessEnv): void {
  const { enableCompileCache }: NewerModule = Object(process.getBuiltinModule('node:module'));
  const caches = isAbsolute(XDG_CACHE_HOME) ? XDG_CACHE_HOME : join(HOME, '.cache');
  if (isAbsolute(caches)) enableCompileCache?.(join(caches, 'huddle', 'compiled'));
}

function isChat([command, ...words]: readonly string[]): boolean {
  if (command === undefined) return true;
  // A text with spaces is a message, which is sent in a new conversation.
  const most = /^[^-].*\s/su.test(command) ? 1 : (chats[command] ?? 0);
  return words.length < most && !words.some((word) => word.startsWith('-'));
}

/** The language, unless only the settings of the user can tell; `chooseLanguage` reads those. */
function knownLanguage(): Language | undefined {
  if (wish.named !== undefined) return wish.named.language;
  const { XDG_CONFIG_HOME, HOME = '' } = process.env;
  return existsSync(join(XDG_CONFIG_HOME || join(HOME, '.config'), 'huddle')) ? undefined : wish.locale;
}

/** As `canChat` and `isPlain` see it once they are loaded. */
function isPainted(): boolean {
  const { stdin, stdout, env } = process;
  return stdin.isTTY && stdout.isTTY && env.TERM !== 'dumb' && !env.CI;
}

function writeOut(text: string): void {
  try {
    writeSync(1, text);
  } catch (error) {
    // A reader that has gone away, as in `huddle --help | true`, is no failure worth a word.
    process.exitCode = (error as NodeJS.ErrnoException).code === 'EPIPE' ? 141 : 74;
  }
}
