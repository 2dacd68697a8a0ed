import type { Command } from 'commander';
import type { Catalogue } from '../../catalogue/words.js';
import type { CliContext } from './CliContext.js';

/** Does what a command is for, with its arguments and options by their names. Returns the exit code. */
type Perform = (given: never, context: CliContext, program: Command) => Promise<number>;
/** Loads what a command does, when it is called. */
export type Load = () => Promise<Perform>;

/**
 * The part of a command that every command has to name: one that writes what Huddle keeps is for people, so it is refused
 * inside a turn; one that starts agents sees to that itself, since a script of the user may be a member.
 */
export type Power = 'reads' | 'writes' | 'starts';

/** The commands that have examples in their help. */
export type Exemplified<Key = keyof Catalogue['help']> = Key extends `${infer Name}Examples` ? Name : never;

/** Adds a command with its help; without `command`, one of the program that is named as the key. */
export type AddCommand = (key: Exemplified, power: Power, load: Load, command?: Command) => Command;
