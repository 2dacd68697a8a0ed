import type { Catalogue } from '../../catalogue/words.js';
import { widthOf } from '../../utils/widthOf.js';
import { type CliArgument, type CliCommand, flag, type Option } from './command.js';

const WIDTH = 80;
/** Fewer columns than this are not worth a line of their own. */
const NARROWEST = 40;

/** Every command has it, last. */
export const HELP_OPTION = flag('-h, --help', 'help');

/** The command that every command with commands of its own has, unless it does something itself. */
export const HELP_COMMAND = 'help';

/** The text of `huddle why --help`. `path`: the words that lead to the command, `huddle` first. */
export function formatHelp(command: CliCommand, path: readonly string[], words: Catalogue): string {
  const { help } = words;
  const { usage, ...sections } = layOut(command, path, words);
  const width = Math.max(...Object.values(sections).flatMap((rows) => rows.map(([term]) => widthOf(term))));
  const parts = [
    `${help.titles.Usage} ${usage}`.replace('： ', '：'),
    wrap(help[command.help], WIDTH),
    ...(['Arguments', 'Options', 'Commands'] as const)
      .filter((title) => sections[title].length > 0)
      .map((title) =>
        [help.titles[title], ...sections[title].map((row) => formatRow(row, width))].join('\n'),
      ),
    ...notesOf(command, words).map((lines) => lines.join('\n')),
  ];
  return `${parts.join('\n\n')}\n`;
}

type Row = readonly [term: string, description: string];

function layOut(command: CliCommand, path: readonly string[], words: Catalogue) {
  const { help } = words;
  const terms = Object.entries(command.arguments).map(termOf);
  const options = visibleOptions(command);
  const usage =
    command.help === 'program'
      ? [help.usage]
      : ['[options]', ...(command.commands.length > 0 ? ['[command]'] : []), ...usageOf(command, terms)];
  return {
    usage: [...path, ...usage].join(' '),
    Arguments: Object.entries(command.arguments).flatMap(([name, argument]): Row[] =>
      argument.help === undefined
        ? []
        : [[name, describeValue(String(help[argument.help]), argument, words)]],
    ),
    Options: options.map((option): Row => [option.flags, describeOption(option, words)]),
    Commands: listCommands(command, words),
  };
}

/** Paths stand behind `--`, or they would be taken for something else. */
function usageOf({ arguments: taken }: CliCommand, terms: readonly string[]): readonly string[] {
  const hasPaths = Object.values(taken).some(({ takes }) => takes === 'paths');
  return hasPaths ? [...terms.slice(0, -1), '[-- paths...]'] : terms;
}

function termOf([name, { isRequired, takes }]: readonly [string, CliArgument<unknown>]): string {
  const word = takes === 'word' ? name : `${name}...`;
  return isRequired ? `<${word}>` : `[${word}]`;
}

/** The commands of a command with their single arguments; what only a script passes is left out. */
function listCommands(command: CliCommand, { help }: Catalogue): readonly Row[] {
  const rows = command.commands.map((sub): Row => {
    const words = Object.entries(sub.arguments).filter(([, { takes }]) => takes === 'word');
    return [[sub.name, ...words.map(termOf)].join(' '), help[sub.help]];
  });
  return hasHelpCommand(command) ? [...rows, [`${HELP_COMMAND} [command]`, help.helpCommand]] : rows;
}

export function hasHelpCommand({ help, commands, load }: CliCommand): boolean {
  return help === 'program' || (commands.length > 0 && load === undefined);
}

/** The options that help shows. */
export function visibleOptions({ options }: CliCommand): readonly Option<unknown>[] {
  return [...Object.values(options).filter(({ help }) => help !== undefined), HELP_OPTION];
}

export function describeOption(option: Option<unknown>, words: Catalogue): string {
  const { help } = option;
  const { options } = words.help;
  if (help === undefined) return '';
  const description =
    help === 'session' || help === 'version' || help === 'help' ? words.help[help] : options[help];
  return describeValue(description, option, words);
}

function describeValue(
  description: string,
  { choices, default: byDefault }: Pick<Option<unknown>, 'choices' | 'default'>,
  { help }: Catalogue,
): string {
  const facts = [
    ...(choices === undefined ? [] : [help.choices(choices.map((choice) => JSON.stringify(choice)))]),
    ...(byDefault === undefined ? [] : [help.default(JSON.stringify(byDefault))]),
  ];
  return facts.length > 0 ? help.details(description, facts) : description;
}

function notesOf(command: CliCommand, words: Catalogue): readonly (readonly string[])[] {
  const { help } = words;
  const examples = `${command.help}Examples`;
  return [
    ...(command.notes === undefined ? [] : [command.notes(words)]),
    ...(hasExamples(help, examples) ? [help.examples(help[examples])] : []),
  ];
}

function hasExamples<Help extends object>(
  help: Help,
  key: string,
): key is Extract<keyof Help, `${string}Examples`> {
  return key in help;
}

function formatRow([term, description]: Row, width: number): string {
  const padded = `  ${term}${' '.repeat(width - widthOf(term))}  `;
  const room = WIDTH - width - 4;
  return padded + wrap(description, room).replaceAll('\n', `\n${' '.repeat(width + 4)}`);
}

/** Breaks a text between words so that no line is wider, if there is room worth it. */
function wrap(text: string, width: number): string {
  if (width < NARROWEST) return text;
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line === undefined || widthOf(`${line} ${word}`) > width) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines.join('\n');
}
