import { setTimeout as delay, setImmediate as yieldToKeys } from 'node:timers/promises';
import type { AutocompleteItem, AutocompleteProvider, AutocompleteSuggestions } from '@earendil-works/pi-tui';
import { foldName } from '../../../utils/foldName.js';

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

const MOST_OFFERED = 30;
/** Age at which a list of files is made again, while the old one is used. */
const STALE_MILLISECONDS = 5000;
/** A menu waits no longer for its first list; the next key finds it. */
const PATIENCE_MILLISECONDS = 200;
/** Paths that are worked on before keys are taken again. */
const BATCH = 1000;

/** A path that can be named: a file, or a folder with `/` at its end. */
interface Candidate {
  readonly path: string;
  readonly folded: string;
}

/** Lists of paths, by the number of folders they are in. */
type Candidates = ReadonlyArray<readonly Candidate[]>;

/** Finds files and folders by what is typed of their path. Making the list never holds up the keys. */
export class FileCompletion {
  readonly #listFiles: () => Promise<readonly string[]>;
  #candidates: Candidates = [];
  #listing: Promise<void> | null = null;
  #listedAt = Number.NEGATIVE_INFINITY;

  constructor(listFiles: () => Promise<readonly string[]>) {
    this.#listFiles = listFiles;
  }

  /** Makes the list, or makes it again, if it is time. Resolves when it can be used. */
  async prepare(): Promise<void> {
    if (performance.now() - this.#listedAt < STALE_MILLISECONDS) return;
    this.#listing ??= this.#list().finally(() => {
      this.#listing = null;
    });
    if (this.#candidates.length === 0) await Promise.race([this.#listing, delay(PATIENCE_MILLISECONDS)]);
  }

  /** The paths of the list that are meant most likely, best first. */
  find(typed: string): readonly string[] {
    return rankPaths(this.#candidates, typed.toLowerCase().replace(/^\.\//u, ''));
  }

  async #list(): Promise<void> {
    // Files that cannot be listed are not offered; that is all that is lost.
    this.#candidates = await collectCandidates(await this.#listFiles().catch(() => []));
    this.#listedAt = performance.now();
  }
}

/** Files and the folders they are in, by depth: those near the top are found first. */
async function collectCandidates(files: readonly string[]): Promise<Candidates> {
  const candidates: Candidate[][] = [];
  const folders = new Map<string, number>([['', 0]]);
  const add = (path: string, depth: number) => {
    candidates[depth] ??= [];
    candidates[depth].push({ path, folded: path.toLowerCase() });
  };
  /** Adds a folder and those around it, once. Returns the depth of what is in it. */
  const enter = (folder: string): number => {
    const known = folders.get(folder);
    if (known !== undefined) return known;
    const depth = enter(folder.slice(0, folder.lastIndexOf('/', folder.length - 2) + 1));
    folders.set(folder, depth + 1);
    add(folder, depth);
    return depth + 1;
  };
  for (const [index, file] of files.entries()) {
    add(file, enter(file.slice(0, file.lastIndexOf('/') + 1)));
    if (index % BATCH === BATCH - 1) await yieldToKeys();
  }
  return candidates;
}

/** Beginnings of paths come first, then beginnings of names, then what is anywhere in a path. */
function rankPaths(candidates: Candidates, typed: string): readonly string[] {
  const ranks: [string[], string[], string[]] = [[], [], []];
  for (const level of typed === '' ? candidates.slice(0, 1) : candidates)
    for (const { path, folded } of level) {
      // A path that is whole needs no menu, which would take the Enter that sends it.
      if (folded === typed && !typed.endsWith('/')) return [];
      const rank = rankOf(folded, typed);
      if (rank === undefined || ranks[rank].length >= MOST_OFFERED) continue;
      ranks[rank].push(path);
      if (ranks[0].length >= MOST_OFFERED) return ranks[0];
    }
  return ranks.flat().slice(0, MOST_OFFERED);
}

function rankOf(folded: string, typed: string): 0 | 1 | 2 | undefined {
  const place = folded.indexOf(typed);
  if (place === -1 || folded === typed) return undefined;
  if (place === 0) return 0;
  const name = folded.slice(folded.lastIndexOf('/', folded.length - 2) + 1);
  return name.startsWith(typed) ? 1 : 2;
}
