import { realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { describeSystemError } from '../../catalogue/errors.js';
import type { Catalogue } from '../../catalogue/words.js';
import { nearest } from '../../utils/nearest.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';
import { toHalfWidth } from '../../utils/toHalfWidth.js';
import type { CliArgument, CliCommand, Option, Options } from './command.js';
import { HELP_COMMAND, HELP_OPTION, hasHelpCommand, visibleOptions } from './help.js';
import { UsageError } from './reportError.js';

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

/** Options of other programs, by what does the same here. */
const COMMANDS_FOR_OPTIONS: ReadonlyMap<string, string> = new Map([
  ['-r', 'huddle resume'],
  ['--resume', 'huddle resume'],
]);

/** Options of other programs that say what an agent may do. */
const PERMISSION_OPTIONS: ReadonlySet<string> = new Set([
  ...['--dangerously-skip-permissions', '--permission-mode', '--allowedTools'],
  ...['--yolo', '-y', '--approval-mode', '--full-auto', '--sandbox', '-s'],
]);

/** A command line without the words that name its folder. */
interface PlacedLine {
  readonly args: readonly string[];
  readonly workingFolder: string;
}

/** Finds the folder that the command line names, so that all is as if the program had been started there. */
export function findFolder(args: readonly string[], workingFolder: string, words: Catalogue): PlacedLine {
  // It goes there itself, later: a client shows a server that ends without the reason.
  if (args[0] === 'mcp') return { args, workingFolder };
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  const at = args.slice(0, end).findIndex((word) => FOLDER.test(word) || FOLDER_WITH_VALUE.test(word));
  const [, inWord] = FOLDER_WITH_VALUE.exec(args[at] ?? '') ?? [];
  const folder = inWord ?? args[at + 1];
  // Without a value it is left where it is, and refused there.
  if (at < 0 || folder === undefined) return { args, workingFolder };
  const rest = args.toSpliced(at, inWord === undefined ? 2 : 1);
  return findFolder(rest, openFolder(folder, workingFolder, words), words);
}

/** The folder behind links, as a process that is started there has it. */
function openFolder(folder: string, from: string, words: Catalogue): string {
  try {
    const found = realpathSync(resolve(from, folder));
    // A file would be accepted without the slash, and a folder that may not be entered as well.
    statSync(`${found}/.`);
    return found;
  } catch (error) {
    throw new UsageError(words.cli.noFolder(sanitizeToOneLine(folder), describeSystemError(error)));
  }
}

/** The meaning of a command line: a command with its values, or a question about one. */
export type MeantLine = { readonly path: readonly string[] } & (
  | { readonly kind: 'version' }
  /** `incomplete`: the command needs one of its own commands. */
  | { readonly kind: 'help' | 'incomplete'; readonly command: CliCommand }
  | {
      readonly kind: 'command';
      readonly command: CliCommand;
      readonly values: Values;
      /** The values of the options before the name of the command. */
      readonly before: Values;
    }
);

type Values = Readonly<Record<string, unknown>>;

/** Reads a command line by the table of commands. Throws UsageError, with the command whose help says more. */
export function readLine(typed: readonly string[], program: CliCommand, words: Catalogue): MeantLine {
  const args = printed(typed, program) ?? typed;
  const path = pathIn(args, program);
  return orSeeHelp(path, words, () => {
    requireKnownCommand(args, program, words);
    return readCommand(args, program, { path, before: {} }, words);
  });
}

/** Adds the command whose help says more to a refusal. */
export function orSeeHelp<Value>(path: readonly string[], words: Catalogue, work: () => Value): Value {
  const explain = (error: unknown): unknown =>
    error instanceof UsageError
      ? new UsageError(words.joining.sentences([error.message, words.cli.seeHelp(path.join(' '))]))
      : error;
  try {
    const done = work();
    if (!(done instanceof Promise)) return done;
    return done.catch((error) => {
      throw explain(error);
    }) as Value;
  } catch (error) {
    throw explain(error);
  }
}

/** The words that name a command: `huddle`, `team`, `check`. */
function pathIn(args: readonly string[], command: CliCommand): readonly string[] {
  const { first } = findFirst(args, command);
  const sub = command.commands.find(({ name }) => name === args[first]);
  return sub === undefined ? [command.name] : [command.name, ...pathIn(args.slice(first + 1), sub)];
}

/** `-p`, as other programs have it, is `run`, wherever it stands among the options. */
function printed(args: readonly string[], program: CliCommand): readonly string[] | undefined {
  const { at } = findFirst(args, program, (word) => PRINT.includes(word));
  return at === undefined ? undefined : ['run', ...args.slice(0, at), ...args.slice(at + 1)];
}

/** Finds the first word that is no option of a command, or no value of one, and before it or a command a word that is looked for. */
function findFirst(
  args: readonly string[],
  { options, commands }: CliCommand,
  isWanted = (_: string) => false,
) {
  const valued = Object.values(options).filter(takesValue);
  let first = args.length;
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? '';
    if (word === '--') break;
    if (isWanted(word)) return { first, at };
    if (valued.some(({ flags }) => namesOf(flags).includes(word))) at++;
    else if (!isOption(word)) {
      first = Math.min(first, at);
      if (commands.some(({ name }) => name === word)) break;
    }
  }
  return { first };
}

/** Text with spaces, or in a script that has none: no command is named so. */
const MESSAGE = /\s|[^\p{ASCII}]/u;

/** Refuses a single word that is no command: it is a slip, or a message that lost its quotes. */
function requireKnownCommand(args: readonly string[], program: CliCommand, words: Catalogue): void {
  const { first: at } = findFirst(args, program);
  const [before, operands] = [args.slice(0, at), args.slice(at)];
  const known = Object.values(program.options).flatMap(({ flags }) => namesOf(flags));
  // It is refused as an option.
  if (before.some((word) => isOption(word) && !known.includes(optionIn(word)))) return;
  const isContinued = before.some((word) => CONTINUE.includes(word));
  const names = [...program.commands.map(({ name }) => name), HELP_COMMAND];
  const [first = '', second] = operands;
  const word = first === HELP_COMMAND && second !== undefined ? second : first;
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

interface Place {
  readonly path: readonly string[];
  readonly before: Values;
}

function readCommand(
  args: readonly string[],
  command: CliCommand,
  { path, before }: Place,
  words: Catalogue,
): MeantLine {
  const { first } = findFirst(args, command);
  const sub = command.commands.find(({ name }) => name === args[first]);
  const line = parseWords(sub === undefined ? args : args.slice(0, first), command);
  if (line.isHelp) return { kind: 'help', command, path: path.slice(0, path.indexOf(command.name) + 1) };
  if (line.texts.has('version')) return { kind: 'version', path };
  const options = readOptions(line, command.options, words);
  if (sub !== undefined)
    return readCommand(args.slice(first + 1), sub, { path, before: { ...before, ...options } }, words);
  const [word, next] = line.operands;
  if (word === HELP_COMMAND && hasHelpCommand(command)) {
    const asked = command.commands.find(({ name }) => name === next);
    return { kind: 'help', command: asked ?? command, path: asked ? [...path, asked.name] : path };
  }
  if (command.load === undefined) {
    if (word === undefined) return { kind: 'incomplete', command, path };
    const near = nearest(word, [...command.commands.map(({ name }) => name), HELP_COMMAND]);
    throw new UsageError(words.cli.syntax.unknownSubcommand(word, near));
  }
  const name = path.length > 1 ? command.name : undefined;
  const values = { ...options, ...readArguments(line, command.arguments, name, words) };
  return { kind: 'command', command, path, values, before };
}

interface ParsedWords {
  /** The texts of each option by the name in the table; of one that takes none, `''`. */
  readonly texts: ReadonlyMap<string, readonly string[]>;
  /** Options with a value that is missing. */
  readonly lacking: readonly Option<unknown>[];
  /** The first option that the command does not have, as it was typed, and what is near it. */
  readonly unknown?: { readonly word: string; readonly near: string | undefined };
  readonly operands: readonly string[];
  /** The number of operands before `--`. */
  readonly dashes: number;
  readonly isHelp: boolean;
}

const NEGATIVE_NUMBER = /^-\d*\.?\d+$/u;

function parseWords(args: readonly string[], command: CliCommand): ParsedWords {
  const named = Object.entries(command.options).map(([key, option]) => ({ key, option, ...partsOf(option) }));
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(
      // Node takes no `short` that is undefined.
      [...named, partsOf(HELP_OPTION)].map(({ long, short, type }) => [
        long,
        short === undefined ? { type } : { type, short },
      ]),
    ),
    strict: false,
    tokens: true,
  });
  const texts = new Map<string, readonly string[]>();
  const lacking: Option<unknown>[] = [];
  const operands: string[] = [];
  let [dashes, isHelp, unknownAt]: [number | undefined, boolean, number | undefined] = [
    undefined,
    false,
    undefined,
  ];
  for (const token of tokens) {
    if (token.kind === 'positional') operands.push(token.value);
    if (token.kind === 'option-terminator') dashes = operands.length;
    if (token.kind !== 'option') continue;
    const found = named.find(({ long }) => long === token.name);
    const takesNone = found === undefined || !takesValue(found.option);
    if (takesNone && token.name === 'help' && token.value === undefined) isHelp = true;
    else if (found === undefined || (takesNone && token.value !== undefined)) {
      if (NEGATIVE_NUMBER.test(args[token.index] ?? '')) operands.push(args[token.index] ?? '');
      else unknownAt ??= token.index;
    } else if (!takesNone && token.value === undefined) lacking.push(found.option);
    else texts.set(found.key, [...(texts.get(found.key) ?? []), token.value ?? '']);
  }
  const word = unknownAt === undefined ? undefined : args[unknownAt];
  return {
    texts,
    lacking,
    unknown: word === undefined ? undefined : { word, near: nearOption(word, command) },
    operands,
    dashes: dashes ?? operands.length,
    isHelp,
  };
}

function nearOption(word: string, command: CliCommand): string | undefined {
  if (!word.startsWith('--')) return undefined;
  const known = visibleOptions(command).map((option) => partsOf(option).long);
  const near = nearest(optionIn(word).slice(2), known);
  return near && `--${near}`;
}

/** The values of options. Refuses what cannot be: a missing or wrong value, two that exclude each other, one that is not known. */
function readOptions({ texts, lacking, unknown }: ParsedWords, options: Options, words: Catalogue): Values {
  const { missingValue, badValue, conflict, permissionOption, unknownOption } = words.cli.syntax;
  for (const { flags } of lacking) throw new UsageError(missingValue(flags));
  const values = Object.entries(options).map(([key, option]) => {
    const value = option.read(texts.get(key) ?? [], (text, reason) => {
      throw new UsageError(badValue(option.flags, text, reason(words)));
    });
    return [key, value] as const;
  });
  const given = Object.entries(options).filter(([key]) => texts.has(key));
  const implied: Values = Object.assign({}, ...given.map(([, { implies }]) => implies));
  const set = (key: string): boolean => texts.has(key) || key in implied;
  for (const [, { flags, conflicts = [] }] of given) {
    const [, other] = Object.entries(options).find(([key]) => conflicts.includes(key) && set(key)) ?? [];
    if (other !== undefined) throw new UsageError(conflict(flags, other.flags));
  }
  if (unknown !== undefined) {
    const { word, near } = unknown;
    throw new UsageError(
      PERMISSION_OPTIONS.has(word)
        ? permissionOption(word)
        : unknownOption(word, COMMANDS_FOR_OPTIONS.get(word) ?? near),
    );
  }
  return Object.fromEntries(
    values.map(([key, value]) => [key, texts.has(key) ? value : (implied[key] ?? value)]),
  );
}

/** The values of arguments. `name`: that of the command, unless it is the program itself. */
function readArguments(
  { operands, dashes }: ParsedWords,
  taken: Readonly<Record<string, CliArgument<unknown>>>,
  name: string | undefined,
  words: Catalogue,
): Values {
  const { missingArgument, tooMany, badArgument } = words.cli.syntax;
  const entries = Object.entries(taken);
  const hasPaths = entries.some(([, { takes }]) => takes === 'paths');
  const single = hasPaths ? operands.slice(0, dashes) : operands;
  const most = entries.filter(([, { takes }]) => takes === 'word').length;
  const rest = [...single.slice(most), ...operands.slice(single.length)];
  const values = entries.map(([key, argument], at): readonly [string, unknown] => {
    const typed = argument.takes === 'word' ? single.slice(at, at + 1) : rest;
    if (argument.isRequired && typed.length === 0) throw new UsageError(missingArgument(key));
    const value = argument.read(typed, (text, reason) => {
      throw new UsageError(badArgument(key, text, reason(words)));
    });
    return [key, value];
  });
  if (most === entries.length && rest.length > 0) throw new UsageError(tooMany(name, most, operands.length));
  return Object.fromEntries(values);
}

/** `-m, --message <text>` → its names and whether a value follows. */
function partsOf({ flags }: Pick<Option<unknown>, 'flags'>) {
  const [, short, long = ''] = /^(?:-(\w), )?--([\w-]+)/u.exec(flags) ?? [];
  const type = takesValue({ flags }) ? ('string' as const) : ('boolean' as const);
  return { long, short, type };
}

export function takesValue({ flags }: Pick<Option<unknown>, 'flags'>): boolean {
  return flags.endsWith('>');
}

/** `-m, --message <text>` → `-m` and `--message`. */
export function namesOf(flags: string): readonly string[] {
  return flags.replace(/ <.*$/u, '').split(', ');
}

/** An option without the value that may stand in the same word: `--model=opus`, `-mopus`. */
function optionIn(word: string): string {
  return /^--[^=]+|^-./u.exec(word)?.[0] ?? word;
}

function isOption(word: string): boolean {
  return word.startsWith('-') && word !== '-';
}
