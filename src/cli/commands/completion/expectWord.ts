import type { Command, Option } from 'commander';
import { FOLDER_FLAGS } from '../../start/commandLine.js';

/** A word that could stand where the cursor is. */
export interface Suggestion {
  readonly value: string;
  readonly description: string;
}

/** The words that can stand at the cursor: one of these, or something that has to be looked up. */
export type Expectation =
  | { readonly kind: 'words'; readonly words: readonly Suggestion[] }
  | { readonly kind: 'files' | 'folders' | 'sessions' | 'agents' | 'changes' | 'stores' }
  /** Messages of a session; by default of the latest. */
  | { readonly kind: 'messages'; readonly session: string | undefined };

/** The expectation for a value, by the name it has in the help. */
const EXPECTATION_OF_NAME: ReadonlyMap<string, Expectation> = new Map([
  ['file', { kind: 'files' }],
  ['folder', { kind: 'folders' }],
  ['id', { kind: 'sessions' }],
  ['session', { kind: 'sessions' }],
  ['recording', { kind: 'sessions' }],
  ['member', { kind: 'agents' }],
  ['what', { kind: 'changes' }],
  ['paths', { kind: 'files' }],
  ['store', { kind: 'stores' }],
]);

const NOTHING: Expectation = { kind: 'words', words: [] };

/** Finds by the tree of commands what can stand behind `huddle` as the last of these words. */
export function expectWord(program: Command, words: readonly string[]): Expectation {
  const { command, operands, option } = findPlace(program, words.slice(0, -1));
  if (option !== undefined) return expectValue(option, operands[0]);
  if (words.slice(0, -1).includes('--'))
    return expectArgument(command, command.registeredArguments.length - 1);
  if (words.at(-1)?.startsWith('-'))
    return { kind: 'words', words: optionsOf(command).flatMap(suggestOption) };
  if (command.name() === 'help') return suggestCommands(subcommandsOf(program));
  const commands = operands.length === 0 ? subcommandsOf(command) : [];
  return commands.length > 0 ? suggestCommands(commands) : expectArgument(command, operands.length);
}

interface Place {
  readonly command: Command;
  /** Words that were neither a command nor an option. */
  readonly operands: readonly string[];
  /** The word before the cursor, where that still needs a value. */
  readonly option?: Option;
}

function findPlace(program: Command, words: readonly string[]): Place {
  let place: Place = { command: program, operands: [] };
  for (const word of words) {
    const { command, operands, option } = place;
    if (option !== undefined) place = { command, operands };
    else if (word.startsWith('-')) place = { ...place, option: findValued(command, word) };
    else {
      const commands = operands.length === 0 ? subcommandsOf(command) : [];
      const next = commands.find((sub) => sub.name() === word);
      place = next === undefined ? { command, operands: [...operands, word] } : { command: next, operands };
    }
  }
  return place;
}

function expectArgument(command: Command, index: number): Expectation {
  const argument = command.registeredArguments[index];
  if (argument === undefined) return NOTHING;
  return expectNamed(argument.name(), argument.argChoices);
}

/** `session` is the first word behind the command, where that takes one. */
function expectValue({ flags, argChoices }: Option, session: string | undefined): Expectation {
  const name = /<(.+)>/u.exec(flags)?.[1] ?? '';
  return name === 'message' ? { kind: 'messages', session } : expectNamed(name, argChoices);
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

/** An option that needs a value behind it. */
function findValued(command: Command, word: string): Option | undefined {
  return optionsOf(command).find(
    ({ short, long, required }) => required && (word === short || word === long),
  );
}

function optionsOf(command: Command): readonly Option[] {
  const own = command.createHelp().visibleOptions(command);
  return command.parent === null ? own : [...own, ...optionsEverywhere(command)];
}

/** The options of the program that its commands have as well. */
function optionsEverywhere({ parent, options }: Command): readonly Option[] {
  return parent === null ? options.filter(({ flags }) => flags === FOLDER_FLAGS) : optionsEverywhere(parent);
}

function subcommandsOf(command: Command): readonly Command[] {
  return command.createHelp().visibleCommands(command);
}
