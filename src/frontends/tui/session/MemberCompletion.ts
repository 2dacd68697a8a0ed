import type { AutocompleteItem, AutocompleteProvider, AutocompleteSuggestions } from '@earendil-works/pi-tui';
import { foldName } from '../../../utils/foldName.js';
import { FileCompletion } from './FileCompletion.js';

/** Names, paths and commands that can be completed. */
export interface Completion {
  /** Members the person who types may name, as things are now. */
  readonly listMembers: () => ReadonlyArray<{ readonly name: string; readonly description: string }>;
  /** Paths below the working folder. */
  readonly listFiles?: () => Promise<readonly string[]>;
  readonly commands: ReadonlyArray<{
    readonly name: string;
    readonly description: string;
    /** Words that may follow it, if they are known. */
    readonly listArguments?: () => readonly CommandArgument[];
  }>;
}

/** A word that may follow a command. */
export type CommandArgument = string | { readonly name: string; readonly description: string };

/** A name being typed after `@`, at the start of a word or after a script that has no spaces. */
const NAME = /(?:^|[\s\P{ASCII}])@([^\s@"]*)$/u;
/** The same for a path with spaces in it. */
const QUOTED_PATH = /(?:^|[\s\P{ASCII}])@"([^"]*)$/u;
/** The part of a path that could be taken for a name. */
const FIRST_WORD = /^[\p{L}\p{M}\p{N}_-]+/u;

/** Completes `@` to the name of a member or a path, `/` to a command, and names after commands; each only for the text it was asked for. */
export class MemberCompletion implements AutocompleteProvider {
  readonly #completion: Completion;
  /** The text and the place in it that the last suggestions are for. */
  #askedAt = '';
  readonly #files: FileCompletion | undefined;

  constructor(completion: Completion) {
    this.#completion = completion;
    this.#files = completion.listFiles && new FileCompletion(completion.listFiles);
  }

  async getSuggestions(
    lines: string[],
    cursorLine: number,
    cursorColumn: number,
  ): Promise<AutocompleteSuggestions | null> {
    this.#askedAt = JSON.stringify([lines, cursorLine, cursorColumn]);
    const line = lines[cursorLine] ?? '';
    // In the middle of a word, what follows the cursor would be left over.
    if (/^\S/u.test(line.slice(cursorColumn))) return null;
    const before = line.slice(0, cursorColumn);
    const named = (await this.#suggestNames(before)) ?? (await this.#suggestQuotedPaths(before));
    return named ?? (cursorLine === 0 ? this.#suggestCommands(before) : null);
  }

  /** Whether what was suggested last was suggested for this text, with the cursor here. */
  isFor({ lines, line, col }: { lines: string[]; line: number; col: number }): boolean {
    return this.#askedAt === JSON.stringify([lines, line, col]);
  }

  applyCompletion(
    lines: string[],
    cursorLine: number,
    cursorColumn: number,
    item: AutocompleteItem,
    prefix: string,
  ): ReturnType<AutocompleteProvider['applyCompletion']> {
    const line = lines[cursorLine] ?? '';
    const before = line.slice(0, cursorColumn);
    if (!before.endsWith(prefix)) return { lines, cursorLine, cursorCol: cursorColumn };
    const completed = before.slice(0, before.length - prefix.length) + item.value;
    const rest = line.slice(cursorColumn);
    const isFolder = item.value.startsWith('@') && item.value.endsWith('/');
    const gap = isFolder || rest.startsWith(' ') ? '' : ' ';
    return {
      lines: lines.with(cursorLine, completed + gap + rest),
      cursorLine,
      cursorCol: completed.length + (isFolder ? 0 : 1),
    };
  }

  /** Members, then paths. */
  async #suggestNames(before: string): Promise<AutocompleteSuggestions | null> {
    const typed = NAME.exec(before)?.[1];
    if (typed === undefined) return null;
    const wanted = foldName(typed);
    const members = this.#completion.listMembers().filter(({ name }) => foldName(name).startsWith(wanted));
    // A name that is whole needs no menu, which would take the Enter that sends it.
    if (members.some(({ name }) => foldName(name) === wanted)) return null;
    const named = members.map(({ name, description }) => ({ value: `@${name}`, label: name, description }));
    return suggest([...named, ...(await this.#listPaths(typed, members.length > 0))], `@${typed}`);
  }

  async #suggestQuotedPaths(before: string): Promise<AutocompleteSuggestions | null> {
    const typed = QUOTED_PATH.exec(before)?.[1];
    return typed === undefined ? null : suggest(await this.#listPaths(typed, false), `@"${typed}`);
  }

  /** `isUrgent`: there is something else to show, which does not wait for a list of files. */
  async #listPaths(typed: string, isUrgent: boolean): Promise<AutocompleteItem[]> {
    const ready = this.#files?.prepare();
    if (!isUrgent) await ready;
    const names = this.#completion.listMembers().map(({ name }) => foldName(name));
    const paths = this.#files?.find(typed) ?? [];
    return paths.map((path) => ({ value: writePath(path, names), label: path }));
  }

  #suggestCommands(before: string): AutocompleteSuggestions | null {
    const [, name = '', space, argument = ''] = /^[/／](\S*)(\s+)?(.*)$/u.exec(before) ?? [];
    if (!/^[/／]/u.test(before)) return null;
    const { commands } = this.#completion;
    if (space === undefined) {
      const offered = commands
        .filter((command) => command.name.startsWith(name.toLowerCase()))
        .map((command) => ({ ...command, value: `/${command.name}`, label: `/${command.name}` }));
      return suggest(offered, before);
    }
    const choices = commands.find((command) => command.name === name)?.listArguments?.() ?? [];
    const typed = foldName(argument);
    const items = choices.map((choice) =>
      typeof choice === 'string'
        ? { value: choice, label: choice }
        : { value: choice.name, label: choice.name, description: choice.description },
    );
    if (items.some(({ value }) => foldName(value) === typed)) return null;
    return suggest(
      items.filter(({ value }) => foldName(value).startsWith(typed)),
      argument,
    );
  }
}

/** A path as it is written in a message: in quotes if it has spaces, and never so that a member could be meant. */
function writePath(path: string, names: readonly string[]): string {
  const word = foldName(FIRST_WORD.exec(path)?.[0] ?? '');
  const isLikeName = names.some((name) => word.startsWith(name));
  const written = isLikeName ? `./${path}` : path;
  if (!/\s/u.test(path)) return `@${written}`;
  return path.endsWith('/') ? `@"${written}` : `@"${written}"`;
}

function suggest(items: AutocompleteItem[], prefix: string): AutocompleteSuggestions | null {
  return items.length === 0 ? null : { items, prefix };
}
