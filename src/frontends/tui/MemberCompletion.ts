import type { AutocompleteItem, AutocompleteProvider, AutocompleteSuggestions } from '@earendil-works/pi-tui';
import { foldName } from '../../utils/foldName.js';

/** What can be completed. */
export interface Completion {
  readonly members: ReadonlyArray<{ readonly name: string; readonly description: string }>;
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
/** A hand-over just before: the next name joins it. */
const HAND_OVER = /\[NEXT: ([^\]\n]+)\] $/;

/** Completes `@name` to the marker that hands over to them, `/command` to the command, and names after commands. */
export class MemberCompletion implements AutocompleteProvider {
  readonly #completion: Completion;

  constructor(completion: Completion) {
    this.#completion = completion;
  }

  async getSuggestions(
    lines: string[],
    cursorLine: number,
    cursorColumn: number,
  ): Promise<AutocompleteSuggestions | null> {
    const before = (lines[cursorLine] ?? '').slice(0, cursorColumn);
    return this.#suggestMembers(before) ?? (cursorLine === 0 ? this.#suggestCommands(before) : null);
  }

  applyCompletion(
    lines: string[],
    cursorLine: number,
    cursorColumn: number,
    item: AutocompleteItem,
    prefix: string,
  ): Completed {
    const line = lines[cursorLine] ?? '';
    const start = line.slice(0, cursorColumn - prefix.length);
    const before = prefix.startsWith('@') ? writeMarker(start, item.value) : `${start}${item.value} `;
    const completed = lines.with(cursorLine, before + line.slice(cursorColumn));
    return { lines: completed, cursorLine, cursorCol: before.length };
  }

  #suggestMembers(before: string): AutocompleteSuggestions | null {
    const typed = NAME.exec(before)?.[1];
    if (typed === undefined) return null;
    const members = this.#completion.members.filter(({ name }) => foldName(name).startsWith(foldName(typed)));
    return suggest(
      members.map(({ name, description }) => ({ value: name, label: name, description })),
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
    // A name that is whole needs no menu, which would take the Enter that sends it.
    if (choices.some((choice) => foldName(choice) === typed)) return null;
    const offered = choices.filter((choice) => foldName(choice).startsWith(typed));
    return suggest(
      offered.map((choice) => ({ value: choice, label: choice })),
      argument,
    );
  }
}

function writeMarker(before: string, name: string): string {
  const names = HAND_OVER.exec(before)?.[1];
  return names === undefined
    ? `${before}[NEXT: ${name}] `
    : before.replace(HAND_OVER, () => `[NEXT: ${names}, ${name}] `);
}

function suggest(items: AutocompleteItem[], prefix: string): AutocompleteSuggestions | null {
  return items.length === 0 ? null : { items, prefix };
}
