import type { Catalogue } from '../../../catalogue/words.js';
import type { CliCommand, Option } from '../../start/command.js';
import { FOLDER_FLAGS, namesOf, takesValue } from '../../start/commandLine.js';
import { describeOption, HELP_COMMAND, hasHelpCommand, visibleOptions } from '../../start/help.js';

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

/** Finds by the table of commands what can stand behind `huddle` as the last of these words. */
export function expectWord(program: CliCommand, typed: readonly string[], words: Catalogue): Expectation {
  const before = typed.slice(0, -1);
  const { command, operands, option } = findPlace(program, before);
  const taken = Object.entries(command.arguments);
  if (option !== undefined) return expectValue(option, operands[0]);
  if (before.includes('--')) return expectNamed(taken.at(-1));
  if (typed.at(-1)?.startsWith('-'))
    return { kind: 'words', words: optionsOf(command, program).map((each) => suggestOption(each, words)) };
  if (operands[0] === HELP_COMMAND && hasHelpCommand(command)) return suggestCommands(program, words);
  if (operands.length === 0 && command.commands.length > 0) return suggestCommands(command, words);
  return expectNamed(taken[operands.length]);
}

interface Place {
  readonly command: CliCommand;
  /** Words that were neither a command nor an option. */
  readonly operands: readonly string[];
  /** The word before the cursor, where that still needs a value. */
  readonly option?: Option<unknown>;
}

function findPlace(program: CliCommand, words: readonly string[]): Place {
  let place: Place = { command: program, operands: [] };
  for (const word of words) {
    const { command, operands, option } = place;
    if (option !== undefined) place = { command, operands };
    else if (word.startsWith('-'))
      place = { ...place, option: optionsOf(command, program).find((each) => isValued(each, word)) };
    else {
      const next = operands.length === 0 ? command.commands.find(({ name }) => name === word) : undefined;
      place = next === undefined ? { command, operands: [...operands, word] } : { command: next, operands };
    }
  }
  return place;
}

/** `session` is the first word behind the command, where that takes one. */
function expectValue({ flags, choices }: Option<unknown>, session: string | undefined): Expectation {
  const name = /<(.+)>/u.exec(flags)?.[1] ?? '';
  return name === 'message' ? { kind: 'messages', session } : expectNamed([name, { choices }]);
}

function expectNamed(
  named: readonly [name: string, { readonly choices?: readonly string[] }] | undefined,
): Expectation {
  const [name = '', { choices } = {}] = named ?? [];
  if (choices !== undefined)
    return { kind: 'words', words: choices.map((value) => ({ value, description: '' })) };
  return EXPECTATION_OF_NAME.get(name) ?? NOTHING;
}

function suggestCommands(command: CliCommand, { help }: Catalogue): Expectation {
  const commands = command.commands.map((sub) => ({ value: sub.name, description: help[sub.help] }));
  const own = { value: HELP_COMMAND, description: help.helpCommand };
  return { kind: 'words', words: hasHelpCommand(command) ? [...commands, own] : commands };
}

function suggestOption(option: Option<unknown>, words: Catalogue): Suggestion {
  return { value: namesOf(option.flags).at(-1) ?? '', description: describeOption(option, words) };
}

/** Whether a word is an option that needs a value behind it. */
function isValued(option: Option<unknown>, word: string): boolean {
  return takesValue(option) && namesOf(option.flags).includes(word);
}

/** The options of a command, and the one of the program that its commands have as well. */
function optionsOf(command: CliCommand, program: CliCommand): readonly Option<unknown>[] {
  const everywhere = visibleOptions(program).filter(({ flags }) => flags === FOLDER_FLAGS);
  return command === program ? visibleOptions(command) : [...visibleOptions(command), ...everywhere];
}
