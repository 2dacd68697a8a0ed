import type { WordsOf } from '../catalogue/words.js';
import { foldName } from '../utils/foldName.js';
import { nearest } from '../utils/nearest.js';
import { toHalfWidth } from '../utils/toHalfWidth.js';

/** Every command that can be typed into a conversation. The terminal does them all, other places some. */
const COMMAND_NAMES = [
  ...(['task', 'next', 'pause', 'continue', 'cancel', 'retry', 'as', 'undo', 'apply'] as const),
  ...(['diff', 'why', 'expand', 'cost', 'members', 'model', 'status'] as const),
  ...(['new', 'resume', 'fork', 'rewind', 'rename', 'export', 'compact'] as const),
  ...(['allow', 'deny', 'help', 'quit'] as const),
];

export type CommandName = (typeof COMMAND_NAMES)[number];

/** Names that other programs have for the same. */
const SYNONYMS: Readonly<Record<string, CommandName>> = {
  exit: 'quit',
  q: 'quit',
  bye: 'quit',
  clear: 'new',
  reset: 'new',
  sessions: 'resume',
  branch: 'fork',
  checkpoint: 'rewind',
  save: 'export',
  stop: 'cancel',
  usage: 'cost',
  stats: 'cost',
  agents: 'members',
  team: 'members',
  models: 'model',
  context: 'why',
  changes: 'diff',
  revert: 'undo',
  summarize: 'compact',
  compress: 'compact',
  commands: 'help',
  '?': 'help',
};

/** The meaning of what a person typed. */
type TypedLine =
  | { readonly kind: 'command'; readonly name: CommandName; readonly argument: string }
  /** It was likely not meant as a message to the agent that would get it. */
  | { readonly kind: 'slip'; readonly reason: string }
  | { readonly kind: 'message' };

/** A line for a shell, as other tools run it: `!npm test`. */
const SHELL_COMMAND = /^[!！][\w./~$-]/u;

/** Decides whether a typed text is a command, a slip, or a message. What programs send is not asked about. */
export function readTypedLine(
  text: string,
  members: readonly string[],
  commands: readonly CommandName[] = COMMAND_NAMES,
  words: WordsOf<'typed'>,
): TypedLine {
  const line = text.trim();
  if (/^[/／]/u.test(line)) return readCommand(line, commands, words);
  if (SHELL_COMMAND.test(line)) return { kind: 'slip', reason: words.typed.shellCommand };
  return readAddress(line, members, words);
}

/** Shorter words are near to everything. */
const SHORTEST_GUESS = 3;

function readCommand(line: string, commands: readonly CommandName[], words: WordsOf<'typed'>): TypedLine {
  const [, word = '', rest = ''] = /^[/／](\S*)\s*([\s\S]*)$/u.exec(line) ?? [];
  const typed = toHalfWidth(word);
  // A number or a name; a text stays as it was typed.
  const argument = /^#?[\w-]+$/u.test(toHalfWidth(rest)) ? toHalfWidth(rest) : rest;
  const lower = typed.toLowerCase();
  const meant = Object.hasOwn(SYNONYMS, lower) ? SYNONYMS[lower] : lower;
  const name = commands.find((each) => each === meant);
  if (name !== undefined) return { kind: 'command', name, argument };
  // A path or a comment.
  if (/[/*]/u.test(typed)) return { kind: 'message' };
  const synonyms = Object.keys(SYNONYMS).filter(
    (synonym) => synonym.length > SHORTEST_GUESS && commands.includes(SYNONYMS[synonym] as CommandName),
  );
  const guess = nearest(typed, [...commands, ...synonyms]);
  if (guess === undefined && argument !== '') return { kind: 'message' };
  return { kind: 'slip', reason: words.typed.unknownCommand(typed, guess) };
}

/** `@name` at the beginning or the end of a message, where people address it. Elsewhere `@word` may be anything. */
const ADDRESS =
  /^[@＠](?<first>[\p{L}\p{M}\p{N}_-]+)(?=[\s,:，：]|$)|\s[@＠](?<last>[\p{L}\p{M}\p{N}_-]+)$/gu;

/** Names that routing knows beside those of the members. */
const GROUPS = ['all', 'human'];

/** A slip in the name that a message is addressed to would send it to another agent. */
function readAddress(line: string, members: readonly string[], words: WordsOf<'typed'>): TypedLine {
  const names = [...members, ...GROUPS];
  const known = new Set(names.map(foldName));
  for (const { groups: { first, last } = {} } of line.matchAll(ADDRESS)) {
    const name = first ?? last ?? '';
    const near = known.has(foldName(name)) ? undefined : nearest(name, names);
    if (near !== undefined) return { kind: 'slip', reason: words.typed.misspelledName(name, near) };
  }
  return { kind: 'message' };
}

/** A choice of changes, as it is typed behind a slash command. */
export interface FileArgument {
  readonly what?: string;
  readonly paths?: readonly string[];
}

/** `4 -- src/a.ts src/b.ts`. */
export function readFileArgument(argument: string): FileArgument {
  const [before = '', after = ''] = ` ${argument} `.split(/\s--\s/u);
  const what = before.trim();
  const paths = [...after.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/gu)].map(
    ([, single, double, word]) => single ?? double ?? word ?? '',
  );
  return { what: what === '' ? undefined : what, paths: paths.length > 0 ? paths : undefined };
}

/**
 * The message by which a person sets the team task and nothing else: it names the speaker as the one to reply, so that no agent is
 * asked, whoever is named in the task.
 */
export function formatTaskMessage(task: string, speaker: string | undefined): string {
  const marker = speaker === undefined ? '' : `[NEXT: ${speaker}] `;
  return `${marker}[TEAM_TASK] ${task}`;
}
