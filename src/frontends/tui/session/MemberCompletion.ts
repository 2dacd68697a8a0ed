import type { AutocompleteItem, AutocompleteProvider, AutocompleteSuggestions } from '@earendil-works/pi-tui';
import { foldName } from '../../../utils/foldName.js';

/** What can be completed. */
export interface Completion {
  /** Whom the person who types may name, as things are now. */
  readonly listMembers: () => ReadonlyArray<{ readonly name: string; readonly description: string }>;
  readonly commands: ReadonlyArray<{
    readonly name: string;
    readonly description: string;
    /** What may follow it, where that is known. */
    readonly listArguments?: () => readonly string[];
  }>;
}

type Completed = ReturnType<AutocompleteProvider['applyCompletion']>;

/** A name being typed after `@`, at the start of a word or after a script that has no spaces. */
const NAME = /(?:^|[\s\P{ASCII}])@([^\s@]*)$/u;

/** Where somebody was in a text. */
interface Place {
  readonly lines: readonly string[];
  readonly line: number;
  readonly col: number;
}

/** Completes `@` to the name of a member, `/` to a command, and names after commands; each only for the text it was asked for. */
export class MemberCompletion implements AutocompleteProvider {
  readonly #completion: Completion;
  #askedAt: Place | undefined;

  constructor(completion: Completion) {
    this.#completion = completion;
  }

  async getSuggestions(
    lines: string[],
    cursorLine: number,
    cursorColumn: number,
  ): Promise<AutocompleteSuggestions | null> {
    this.#askedAt = { lines: [...lines], line: cursorLine, col: cursorColumn };
    const line = lines[cursorLine] ?? '';
    // In the middle of a word, what follows the cursor would be left over.
    if (/^\S/u.test(line.slice(cursorColumn))) return null;
    const before = line.slice(0, cursorColumn);
    return this.#suggestMembers(before) ?? (cursorLine === 0 ? this.#suggestCommands(before) : null);
  }

  /** Whether what was suggested last was suggested for this text, with the cursor here. */
  isFor({ lines, line, col }: Place): boolean {
    const asked = this.#askedAt;
    return asked?.line === line && asked.col === col && asked.lines.join('\n') === lines.join('\n');
  }

  applyCompletion(
    lines: string[],
    cursorLine: number,
    cursorColumn: number,
    item: AutocompleteItem,
    prefix: string,
  ): Completed {
    const line = lines[cursorLine] ?? '';
    const before = line.slice(0, cursorColumn);
    if (!before.endsWith(prefix)) return { lines, cursorLine, cursorCol: cursorColumn };
    const completed = before.slice(0, before.length - prefix.length) + item.value;
    const rest = line.slice(cursorColumn);
    const gap = rest.startsWith(' ') ? '' : ' ';
    return {
      lines: lines.with(cursorLine, completed + gap + rest),
      cursorLine,
      cursorCol: completed.length + 1,
    };
  }

  #suggestMembers(before: string): AutocompleteSuggestions | null {
    const typed = NAME.exec(before)?.[1];
    if (typed === undefined) return null;
    const wanted = foldName(typed);
    const members = this.#completion.listMembers().filter(({ name }) => foldName(name).startsWith(wanted));
    // A name that is whole needs no menu, which would take the Enter that sends it.
    if (members.some(({ name }) => foldName(name) === wanted)) return null;
    return suggest(
      members.map(({ name, description }) => ({ value: `@${name}`, label: name, description })),
      `@${typed}`,
    );
  }

  #suggestCommands(before: string): AutocompleteSuggestions | null {
    const [, name = '', space, argument = ''] = /^\/(\S*)(\s+)?(.*)$/.exec(before) ?? [];
    if (!before.startsWith('/')) return null;
    const { commands } = this.#completion;
    if (space === undefined) {
      const offered = commands.filter((command) => command.name.startsWith(name.toLowerCase()));
      return suggest(
        offered.map((command) => ({
          value: `/${command.name}`,
          label: `/${command.name}`,
          description: command.description,
        })),
        `/${name}`,
      );
    }
    const choices = commands.find((command) => command.name === name)?.listArguments?.() ?? [];
    const typed = foldName(argument);
    if (choices.some((choice) => foldName(choice) === typed)) return null;
    const offered = choices.filter((choice) => foldName(choice).startsWith(typed));
    return suggest(
      offered.map((choice) => ({ value: choice, label: choice })),
      argument,
    );
  }
}

function suggest(items: AutocompleteItem[], prefix: string): AutocompleteSuggestions | null {
  return items.length === 0 ? null : { items, prefix };
}
