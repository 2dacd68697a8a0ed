import type { Command, Option } from 'commander';

/** A word that could stand where the cursor is. */
export interface Suggestion {
  readonly value: string;
  readonly description: string;
}

/** What the word at the cursor can be: one of these, or something that has to be looked up. */
export type Expectation =
  | { readonly kind: 'words'; readonly words: readonly Suggestion[] }
  | { readonly kind: 'files' }
  | { readonly kind: 'folders' }
  | { readonly kind: 'sessions' }
  | { readonly kind: 'members' };

/** What help calls a value says what it is. */
const EXPECTATION_OF_NAME: ReadonlyMap<string, Expectation> = new Map([
  ['file', { kind: 'files' }],
  ['folder', { kind: 'folders' }],
  ['id', { kind: 'sessions' }],
  ['member', { kind: 'members' }],
]);

const NOTHING: Expectation = { kind: 'words', words: [] };

/** Follows the words behind `huddle` down the tree of commands; the last one is to be completed. */
export function expectWord(program: Command, words: readonly string[]): Expectation {
  const before = words.slice(0, -1);
  const current = words.at(-1) ?? '';
  let command = program;
  let operands = 0;
  for (let index = 0; index < before.length; index++) {
    const word = before[index] ?? '';
    const option = word.startsWith('-') ? findOption(command, word) : undefined;
    if (option?.required) {
      if (index === before.length - 1) return expectValue(option);
      index++;
    } else if (!word.startsWith('-')) {
      const next = operands === 0 ? subcommandsOf(command).find((sub) => sub.name() === word) : undefined;
      if (next === undefined) operands++;
      else command = next;
    }
  }
  if (current.startsWith('-')) return { kind: 'words', words: optionsOf(command).flatMap(suggestOption) };
  const commands = operands === 0 ? subcommandsOf(command) : [];
  if (commands.length > 0) return suggestCommands(commands);
  if (command.name() === 'help') return suggestCommands(subcommandsOf(program));
  return expectArgument(command, operands);
}

function expectArgument(command: Command, index: number): Expectation {
  const argument = command.registeredArguments[index];
  if (argument === undefined) return NOTHING;
  return expectNamed(argument.name(), argument.argChoices);
}

function expectValue({ flags, argChoices }: Option): Expectation {
  return expectNamed(/<(.+)>/u.exec(flags)?.[1] ?? '', argChoices);
}

function expectNamed(name: string, choices: readonly string[] | undefined): Expectation {
  if (choices !== undefined)
    return { kind: 'words', words: choices.map((value) => ({ value, description: '' })) };
  return EXPECTATION_OF_NAME.get(name) ?? NOTHING;
}

function suggestCommands(commands: readonly Command[]): Expectation {
  return {
    kind: 'words',
    words: commands.map((command) => ({ value: command.name(), description: command.description() })),
  };
}

function suggestOption({ long, description }: Option): readonly Suggestion[] {
  return long === undefined ? [] : [{ value: long, description }];
}

function findOption(command: Command, word: string): Option | undefined {
  return optionsOf(command).find(({ short, long }) => word === short || word === long);
}

function optionsOf(command: Command): readonly Option[] {
  return command.createHelp().visibleOptions(command);
}

function subcommandsOf(command: Command): readonly Command[] {
  return command.createHelp().visibleCommands(command);
}
