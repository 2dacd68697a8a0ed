import { realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { describeSystemError } from '../../catalogue/errors.js';
import { words } from '../../catalogue/words.js';
import { nearest } from '../../utils/nearest.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';
import { toHalfWidth } from '../../utils/toHalfWidth.js';
import { UsageError } from './reportError.js';

/** The words behind `huddle`. */
export interface TypedLine {
  readonly args: readonly string[];
  /** The words from the first one on that is no option of the program: a command with all that belongs to it, or a message. */
  readonly operands: readonly string[];
  /** The latest session is to be continued. */
  readonly isContinued: boolean;
  /** An option before them is none of the program, so that the word behind it may be its value. */
  readonly hasUnknownOption: boolean;
}

/** The option that every command has, also behind its name. */
export const FOLDER_FLAGS = '-C, --folder <folder>';

const FOLDER = /^(?:-C|--folder)$/u;
const FOLDER_WITH_VALUE = /^(?:-C|--folder=)(.+)$/su;
const PRINT = ['-p', '--print'];
const CONTINUE = ['-c', '--continue'];

/** Commands of other programs, and names that are guessed, by the command that does the same here. */
const SYNONYMS: ReadonlyMap<string, string> = new Map([
  ['exec', 'run'],
  ['ask', 'run'],
  ['prompt', 'run'],
  ['continue', '-c'],
  ['list', 'sessions'],
  ['ls', 'sessions'],
  ['history', 'sessions'],
  ['rm', 'delete'],
  ['remove', 'delete'],
  ['setup', 'init'],
  ['login', 'doctor'],
  ['status', 'doctor'],
  ['check', 'team check'],
  ['version', '--version'],
]);

/** A command line without the words that name its folder. */
interface PlacedLine {
  readonly args: readonly string[];
  readonly workingFolder: string;
}

/** Finds the folder that the command line names, so that all is as if the program had been started there. */
export function findFolder(args: readonly string[], workingFolder: string): PlacedLine {
  // It goes there itself, later: a client shows a server that ends without the reason.
  if (args[0] === 'mcp') return { args, workingFolder };
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  const at = args.slice(0, end).findIndex((word) => FOLDER.test(word) || FOLDER_WITH_VALUE.test(word));
  const [, inWord] = FOLDER_WITH_VALUE.exec(args[at] ?? '') ?? [];
  const folder = inWord ?? args[at + 1];
  // Without a value it is left where it is, and refused there.
  if (at < 0 || folder === undefined) return { args, workingFolder };
  const rest = args.toSpliced(at, inWord === undefined ? 2 : 1);
  return findFolder(rest, openFolder(folder, workingFolder));
}

/** The folder behind links, as a process that is started there has it. */
function openFolder(folder: string, from: string): string {
  try {
    const found = realpathSync(resolve(from, folder));
    // A file would be accepted without the slash, and a folder that may not be entered as well.
    statSync(`${found}/.`);
    return found;
  } catch (error) {
    throw new UsageError(words.cli.noFolder(sanitizeToOneLine(folder), describeSystemError(error)));
  }
}

/** Reads which command is meant. `-p`, as other programs have it, is `run`, wherever it stands among the options. */
export function readCommandLine(args: readonly string[], program: Command): TypedLine {
  const commands = commandNames(program);
  const valued = program.options.filter(({ required }) => required);
  let first = args.length;
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? '';
    if (word === '--') break;
    if (PRINT.includes(word)) return printed(args, at);
    if (valued.some(({ short, long }) => word === short || word === long)) at++;
    else if (!isOption(word)) {
      first = Math.min(first, at);
      if (commands.includes(word)) break;
    }
  }
  const isContinued = args.slice(0, first).some((word) => CONTINUE.includes(word));
  const known = program.options.flatMap(({ short, long }) => [short, long]);
  const hasUnknownOption = args
    .slice(0, first)
    .some((word) => isOption(word) && !known.includes(nameOf(word)));
  return { args, operands: args.slice(first), isContinued, hasUnknownOption };
}

/** Text with spaces, or in a script that has none: no command is named so. */
const MESSAGE = /\s|[^\p{ASCII}]/u;

/** Refuses a single word that is no command: it is a slip, or a message that lost its quotes. */
export function requireKnownCommand(
  { operands, isContinued, hasUnknownOption }: TypedLine,
  program: Command,
): void {
  // Refused by Commander, which names the option.
  if (hasUnknownOption) return;
  const names = commandNames(program);
  const [first = '', second] = operands;
  const word = first === 'help' && second !== undefined ? second : first;
  if (isContinued && names.includes(word)) throw new UsageError(words.cli.continueAlone);
  const plain = toHalfWidth(word);
  if (word === '' || names.includes(word) || (word === first && MESSAGE.test(plain))) return;
  const meant = SYNONYMS.get(plain.toLowerCase()) ?? nearest(plain, names);
  if (meant !== undefined || word !== first) throw new UsageError(words.cli.unknownCommand(word, meant));
  if (isContinued) return;
  throw new UsageError(
    words.cli.messageAsCommand(word, operands.filter((part) => !isOption(part)).join(' ')),
  );
}

function printed(args: readonly string[], at: number): TypedLine {
  const operands = ['run', ...args.slice(0, at), ...args.slice(at + 1)];
  return { args: operands, operands, isContinued: false, hasUnknownOption: false };
}

function commandNames(program: Command): readonly string[] {
  return [...program.commands.map((command) => command.name()), 'help'];
}

/** An option without the value that may stand in the same word: `--model=opus`, `-mopus`. */
function nameOf(option: string): string {
  return /^--[^=]+|^-./u.exec(option)?.[0] ?? option;
}

function isOption(word: string): boolean {
  return word.startsWith('-') && word !== '-';
}
