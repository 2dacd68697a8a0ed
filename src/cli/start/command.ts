import type { Catalogue } from '../../catalogue/words.js';
import type { CliContext } from './CliContext.js';

type Help = Catalogue['help'];

/** Refuses a text as a value, with the reason. */
type Refuse = (text: string, reason: (words: Catalogue) => string) => never;

/** An option of a command, and the value that its texts on a command line are for what the command does. */
export interface Option<Value> {
  /** As help shows it: `-m, --message <text>`. */
  readonly flags: string;
  /** The sentence about it in the catalogue; without one it is in no help. */
  readonly help?: keyof Help['options'] | 'help' | 'session' | 'version';
  readonly choices?: readonly string[];
  /** The value without it, if help shows that. */
  readonly default?: unknown;
  /** Options by their names that cannot be given beside it. */
  readonly conflicts?: readonly string[];
  /** Values of other options if they are not given. */
  readonly implies?: Readonly<Record<string, unknown>>;
  /** No texts: it was not given. */
  readonly read: (texts: readonly string[], refuse: Refuse) => Value;
}

/** An argument: the words that are no option, in the order of the table. */
export interface CliArgument<Value> {
  readonly help?: keyof Help;
  readonly isRequired: boolean;
  /** `list`: all words that are left. `paths`: those, and everything behind `--`. */
  readonly takes: 'word' | 'list' | 'paths';
  readonly choices?: readonly string[];
  readonly read: (texts: readonly string[], refuse: Refuse) => Value;
}

export type Options = Readonly<Record<string, Option<unknown>>>;
export type Arguments = Readonly<Record<string, CliArgument<unknown>>>;

/** The values of arguments and options, by their names in the table. */
type Given<Taken extends Arguments, Chosen extends Options> = {
  readonly [Name in keyof Taken]: Taken[Name] extends CliArgument<infer Value> ? Value : never;
} & { readonly [Name in keyof Chosen]: Chosen[Name] extends Option<infer Value> ? Value : never };

/**
 * The part of a command that every command has to name: one that writes what Huddle keeps is for people, so it is refused
 * inside a turn; one that starts agents sees to that itself, since a script of the user may be a member.
 */
type Power = 'reads' | 'writes' | 'starts';

/** The commands that have examples in their help. */
type Exemplified<Key = keyof Help> = Key extends `${infer Name}Examples` ? Name : never;

/** The work of a command with its arguments and options. Returns the exit code. */
type Perform<Values> = (values: Values, context: CliContext, program: CliCommand) => Promise<number>;

interface CommandParts<Taken extends Arguments, Chosen extends Options> {
  /** Default: the last word of its key in the help. */
  readonly name?: string;
  readonly arguments?: Taken;
  readonly options?: Chosen;
  /** Commands of its own. */
  readonly commands?: readonly CliCommand[];
  /** Lines of its help before the examples. */
  readonly notes?: (words: Catalogue) => readonly string[];
  /** Runs whatever is wrong with the settings of the user. */
  readonly isTolerant?: boolean;
}

/** A command, whatever its values are. */
export interface CliCommand extends Required<Omit<CommandParts<Arguments, Options>, 'notes' | 'isTolerant'>> {
  /** The key of its sentence in the help. */
  readonly help: Exemplified | 'program' | 'demo' | 'team' | 'store';
  readonly power: Power;
  readonly notes?: CommandParts<Arguments, Options>['notes'];
  readonly isTolerant?: boolean;
  /** Loads what it does, when it is called; absent of a command that only has commands of its own. */
  readonly load?: () => Promise<Perform<Readonly<Record<string, unknown>>>>;
}

type None = Readonly<Record<never, never>>;

/** A command for the table. What it does takes exactly what its arguments and options give. */
export function command<const Taken extends Arguments = None, const Chosen extends Options = None>(
  help: CliCommand['help'],
  power: Power,
  load: () => Promise<Perform<Given<Taken, Chosen>>>,
  parts: CommandParts<Taken, Chosen> = {},
): CliCommand {
  // `readLine` reads the values by these very arguments and options.
  return { ...EMPTY, name: lastWord(help), ...parts, help, power, load: load as CliCommand['load'] };
}

/** A command that only has commands of its own. */
export function group(help: CliCommand['help'], commands: readonly CliCommand[]): CliCommand {
  return { ...EMPTY, name: help, help, power: 'reads', commands };
}

const EMPTY = { arguments: {}, options: {}, commands: [] };

/** `storeInit` → `init` */
function lastWord(key: string): string {
  return key.replace(/^[a-z]+(?=[A-Z])/u, '').toLowerCase();
}

type Rules = Pick<Option<unknown>, 'conflicts' | 'implies'>;

export function flag(
  flags: string,
  help?: Option<unknown>['help'],
  rules?: Rules,
): Option<boolean | undefined> {
  return { flags, help, ...rules, read: (texts) => texts.length > 0 || undefined };
}

export function textOption(
  flags: string,
  help: Option<unknown>['help'],
  rules?: Rules,
): Option<string | undefined> {
  return { flags, help, ...rules, read: (texts) => texts.at(-1) };
}

/** Can be given several times. */
export function texts(flags: string, help: Option<unknown>['help']): Option<readonly string[] | undefined> {
  return { flags, help, read: (given) => (given.length > 0 ? given : undefined) };
}

/** A text that means something else; `read` gives undefined for one that does not, and `reason` says why. */
export function parsed<Value>(
  flags: string,
  help: Option<unknown>['help'],
  [read, reason]: readonly [read: (text: string) => Value | undefined, reason: (words: Catalogue) => string],
): Option<Value | undefined> {
  return {
    flags,
    help,
    read: (texts, refuse) => {
      const values = texts.map((text) => read(text) ?? refuse(text, reason));
      return values.at(-1);
    },
  };
}

export function choiceOption<const Value extends string>(
  flags: string,
  help: Option<unknown>['help'],
  choices: readonly Value[],
): Option<Value | undefined> {
  return { flags, help, choices, read: (texts, refuse) => choose(texts, choices, refuse) };
}

/** The option with a value where it is not given. */
export function withDefault<Value>(option: Option<Value | undefined>, value: NoInfer<Value>): Option<Value> {
  return { ...option, default: value, read: (texts, refuse) => option.read(texts, refuse) ?? value };
}

export function optional(help?: keyof Help): CliArgument<string | undefined> {
  return { help, isRequired: false, takes: 'word', read: ([word]) => word };
}

export function required(help: keyof Help): CliArgument<string> {
  return { help, isRequired: true, takes: 'word', read: ([word = '']) => word };
}

export function requiredOneOf<const Value extends string>(
  help: keyof Help,
  choices: readonly Value[],
): CliArgument<Value> {
  const read: CliArgument<Value>['read'] = (texts, refuse) =>
    choose(texts, choices, refuse) ?? refuse('', ({ cli }) => cli.syntax.choices(choices));
  return { help, isRequired: true, takes: 'word', choices, read };
}

export function list(
  help: keyof Help,
  { isRequired = false, takes = 'list' }: Partial<Pick<CliArgument<unknown>, 'isRequired' | 'takes'>> = {},
): CliArgument<readonly string[]> {
  return { help, isRequired, takes, read: (words) => words };
}

function choose<Value extends string>(
  texts: readonly string[],
  choices: readonly Value[],
  refuse: Refuse,
): Value | undefined {
  const chosen = texts.map(
    (text) =>
      choices.find((choice) => choice === text) ?? refuse(text, ({ cli }) => cli.syntax.choices(choices)),
  );
  return chosen.at(-1);
}

type Rule<Value> = readonly [read: (text: string) => Value | undefined, reason: (words: Catalogue) => string];

const MOST_PORT = 65_535;
const HOUR = 3_600_000;
const UNITS: Readonly<Record<string, number>> = { h: HOUR, d: 24 * HOUR, w: 7 * 24 * HOUR };

/** A span of time as it was typed: `30d`. */
export interface Age {
  readonly text: string;
  readonly milliseconds: number;
}

export const WHOLE_NUMBER: Rule<number> = [
  (text) => wholeNumber(text, 1, Number.MAX_SAFE_INTEGER),
  ({ cli }) => cli.wholeNumber,
];

export const REPEAT: Rule<number> = [(text) => wholeNumber(text, 2, 10), ({ replay }) => replay.badRepeat];

export const PORT: Rule<number> = [
  (text) => (/^\d{1,5}$/u.test(text) ? wholeNumber(text, 0, MOST_PORT) : undefined),
  ({ webDoor }) => webDoor.badPort,
];

export const AMOUNT: Rule<number> = [
  (text) => {
    const number = Number(text);
    return Number.isFinite(number) && number > 0 ? number : undefined;
  },
  ({ cli }) => cli.money,
];

/** A number of hours, days or weeks. */
export const AGE: Rule<Age> = [
  (text) => {
    const [, count = '', unit = ''] = /^(\d{1,6})([hdw])$/iu.exec(text.trim()) ?? [];
    const milliseconds = Number(count) * (UNITS[unit.toLowerCase()] ?? 0);
    return milliseconds === 0 ? undefined : { text, milliseconds };
  },
  ({ cli }) => cli.age,
];

/** Seconds that a call waits. */
export function waitOf(most: number): Rule<number> {
  return [(text) => wholeNumber(text, 1, most), ({ mcp }) => mcp.badWait(most)];
}

function wholeNumber(text: string, least: number, most: number): number | undefined {
  const number = Number(text);
  return Number.isInteger(number) && number >= least && number <= most ? number : undefined;
}
