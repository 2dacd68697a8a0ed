import { type Argument, type CommanderError, Help, type HelpConfiguration, type Option } from 'commander';
import { words } from '../../catalogue/words.js';
import { widthOf } from '../../utils/widthOf.js';

/** Help of Commander in the words of the catalogue. */
export function inChosenLanguage(): HelpConfiguration {
  return {
    // After a full-width colon Commander's blank is one too many.
    formatHelp: (command, helper) =>
      Help.prototype.formatHelp.call(helper, command, helper).replace('： ', '：'),
    styleTitle: (title) => titleOf(title),
    optionDescription: (option) => describe(option, option.required || option.optional),
    argumentDescription: (argument) => describe(argument, true),
    displayWidth: widthOf,
  };
}

function titleOf(title: string): string {
  const titles: Readonly<Record<string, string>> = words.help.titles;
  return titles[title.replace(/:$/u, '')] ?? title;
}

function describe(subject: Argument | Option, hasValue: boolean): string {
  const { description, argChoices, defaultValue } = subject;
  const { choices, default: byDefault, details } = words.help;
  const facts = [
    ...(argChoices ? [choices(argChoices.map((choice) => JSON.stringify(choice)))] : []),
    ...(hasValue && defaultValue !== undefined ? [byDefault(JSON.stringify(defaultValue))] : []),
  ];
  return facts.length > 0 ? details(description, facts) : description;
}

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

/** Refusals of Commander, by its code: how to find the facts in its sentence, and the sentence of ours. */
const REFUSALS: Readonly<
  Record<string, ReadonlyArray<readonly [pattern: RegExp, word: (facts: readonly string[]) => string]>>
> = {
  'commander.missingArgument': [
    [/argument '(.+)'/su, ([name = '']) => words.cli.syntax.missingArgument(name)],
  ],
  'commander.optionMissingArgument': [
    [/option '(.+)' argument/su, ([option = '']) => words.cli.syntax.missingValue(option)],
  ],
  'commander.unknownOption': [
    [
      /option '(.+?)'(?:\s*\(Did you mean (?:one of )?(.+)\?\))?$/su,
      ([option = '', near]) =>
        PERMISSION_OPTIONS.has(option)
          ? words.cli.syntax.permissionOption(option)
          : words.cli.syntax.unknownOption(option, COMMANDS_FOR_OPTIONS.get(option) ?? near),
    ],
  ],
  'commander.excessArguments': [
    [
      /(?: for '(\w+)')?\. Expected (\d+) arguments? but got (\d+)/su,
      ([command, most = '', given = '']) => words.cli.syntax.tooMany(command, Number(most), Number(given)),
    ],
  ],
  'commander.conflictingOption': [
    [
      /option '(.+)' cannot be used with option '(.+)'/su,
      ([one = '', other = '']) => words.cli.syntax.conflict(one, other),
    ],
  ],
  'commander.invalidArgument': [
    [
      /option '(.+?)' argument '(.*)' is invalid\. (.*)/su,
      ([option = '', value = '', why = '']) => words.cli.syntax.badValue(option, value, reasonOf(why)),
    ],
    [
      /value '(.*)' is invalid for argument '(.+?)'\. (.*)/su,
      ([value = '', name = '', why = '']) => words.cli.syntax.badArgument(name, value, reasonOf(why)),
    ],
  ],
};

/** The refusal of a command line in one line, in the chosen language; the words of Commander where there are no others. */
export function describeRefusal({ code, message }: CommanderError): string {
  const line = message.replace(/^error: /u, '').replaceAll(/\s*\n\s*/gu, ' ');
  for (const [pattern, word] of REFUSALS[code] ?? []) {
    const [, ...facts] = pattern.exec(line) ?? [];
    if (facts.length > 0) return word(facts);
  }
  return line.replace(/[^.]$/u, '$&.');
}

/** Commander words only the choices; every other reason is ours. */
function reasonOf(text: string): string {
  const [, choices] = /^Allowed choices are (.+)\.$/su.exec(text) ?? [];
  return choices === undefined ? text : words.cli.syntax.choices(choices.split(', '));
}
