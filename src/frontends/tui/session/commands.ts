import { words } from '../../../catalogue/words.js';
import type { Conversation } from '../../../coordinator/Conversation.js';
import { COST_COLUMNS, costRows } from '../../../presentation/costTable.js';
import { memberOf, namesIn, type OpenPermission } from '../../../presentation/Telling.js';
import { foldName } from '../../../utils/foldName.js';
import { nearest } from '../../../utils/nearest.js';
import { sanitizeToOneLine } from '../../../utils/sanitize.js';
import { formatTable } from '../paint/formatTable.js';
import { note, type Paragraph } from '../screen/Paragraph.js';
import type { Screen } from '../screen/Screen.js';
import { chooseQuestion } from './chooseQuestion.js';
import { introduceMembers } from './introduction.js';
import type { TerminalOptions } from './TerminalOptions.js';

/** Things a command may use. */
export interface CommandContext {
  readonly conversation: Conversation;
  readonly why: TerminalOptions['why'];
  /** As it is now. */
  screen(): Screen;
  print(blocks: readonly Paragraph[]): void;
  /** Says something as the person who types. */
  send(text: string): Promise<void>;
  resume(): Promise<void>;
  /** Says how many turns are asked for again. */
  retry(): Promise<number>;
  speaker: string | undefined;
  /** The questions that were open and on the screen when what is typed was begun. */
  seenQuestions(): readonly OpenPermission[];
  leave(): void;
}

type CommandName = keyof typeof words.terminal.commands;

export interface Command {
  readonly name: CommandName;
  /** Names that may follow it. */
  readonly listArguments?: (context: CommandContext) => readonly string[];
  /** Absent: always. */
  readonly isOffered?: (context: CommandContext) => boolean;
  readonly run: (context: CommandContext, argument: string) => void | Promise<void>;
}

/** In the order in which they are listed. */
const COMMANDS: readonly Command[] = [
  { name: 'task', run: setTask },
  { name: 'next', listArguments: memberNames, run: handOff },
  { name: 'pause', run: pause },
  { name: 'continue', run: resume },
  { name: 'cancel', run: cancel },
  { name: 'retry', run: retry },
  { name: 'why', isOffered: ({ why }) => why !== undefined, run: explain },
  { name: 'cost', run: (context) => context.print([summarizeCost(context.screen())]) },
  { name: 'members', run: (context) => context.print(introduceMembers(context.conversation.team)) },
  { name: 'as', listArguments: people, isOffered: (context) => people(context).length > 1, run: speakAs },
  { name: 'rename', run: rename },
  { name: 'expand', run: (context, argument) => context.print(expand(context.screen(), argument)) },
  { name: 'allow', run: (context, argument) => answer(context, 'allow', argument) },
  { name: 'deny', run: (context, argument) => answer(context, 'deny', argument) },
  { name: 'help', run: (context) => context.print([describeHelp(context)]) },
  { name: 'quit', run: (context) => context.leave() },
];

export function offeredCommands(context: CommandContext): readonly Command[] {
  return COMMANDS.filter(({ isOffered }) => isOffered?.(context) ?? true);
}

/** The meaning of a line that begins with a slash. */
export type CommandLine =
  | { readonly kind: 'command'; readonly command: Command; readonly argument: string }
  /** It was likely meant as a command, and none has this name. */
  | { readonly kind: 'slip'; readonly name: string; readonly nearest: string | undefined }
  /** A path, a comment, a sentence: something to say. */
  | { readonly kind: 'message' };

export function readCommand(line: string, offered: readonly Command[]): CommandLine {
  const [, name = '', argument = ''] = /^\/(\S*)\s*([\s\S]*)$/u.exec(line) ?? [];
  const command = offered.find((each) => each.name === name.toLowerCase());
  if (command !== undefined) return { kind: 'command', command, argument: argument.trim() };
  if (/[/*]/u.test(name)) return { kind: 'message' };
  const names = offered.map((each) => each.name);
  const guess = nearest(name, names);
  return guess === undefined && argument !== ''
    ? { kind: 'message' }
    : { kind: 'slip', name, nearest: guess };
}

async function setTask(context: CommandContext, task: string): Promise<void> {
  const current = context.screen().task;
  if (task !== '') await context.send(`[TEAM_TASK] ${task}`);
  else context.print([note(current === null ? words.terminal.noTask : words.terminal.teamTask(current))]);
}

/** `/next max, sarah: look at this`: names up to a colon or, after the last comma, a space. */
const HAND_OFF = /^([^:：,，、\s]+(?:\s*[,，、]\s*[^:：,，、\s]+)*)[:：]?\s*([\s\S]*)$/u;

async function handOff(context: CommandContext, argument: string): Promise<void> {
  const [, names = '', text = ''] = HAND_OFF.exec(argument) ?? [];
  const known = memberNames(context);
  const unknown = names.split(/[,，、]/u).find((name) => findName(known, name) === undefined);
  if (argument === '') context.print([note(describeQueue(context.screen()))]);
  else if (unknown !== undefined)
    context.print([note(words.terminal.noSuchMember(unknown.trim(), known), 'warning')]);
  else await context.send(`[NEXT: ${names}] ${text}`.trim());
}

function describeQueue(screen: Screen): string {
  const names = screen.conversation.queue.map(({ memberId }) => memberOf(screen, memberId).name);
  return names.length === 0 ? words.terminal.queueEmpty : words.terminal.queued(names);
}

async function pause(context: CommandContext): Promise<void> {
  await context.conversation.pause();
  if (context.screen().turns.length > 0) context.print([note(words.terminal.willPause)]);
}

async function resume(context: CommandContext): Promise<void> {
  if (context.screen().conversation.pause === null) context.print([note(words.terminal.nothingPaused)]);
  else await context.resume();
}

async function cancel(context: CommandContext): Promise<void> {
  if (context.screen().conversation.running.length === 0) context.print([note(words.terminal.nothingRuns)]);
  else await context.conversation.cancel();
}

async function retry(context: CommandContext): Promise<void> {
  if ((await context.retry()) === 0) context.print([note(words.terminal.nothingToRetry)]);
}

async function explain(context: CommandContext, argument: string): Promise<void> {
  const text = await context.why?.(argument);
  if (text !== undefined) context.print([{ kind: 'details', title: `/why ${argument}`.trim(), text }]);
}

async function rename(context: CommandContext, title: string): Promise<void> {
  await context.conversation.rename(title);
  context.print([note(title === '' ? words.terminal.nameRemoved : words.terminal.renamed(title))]);
}

/** The cost, by member and in total. */
function summarizeCost(screen: Screen): Paragraph {
  const { usage } = screen.conversation;
  if (usage.total.turns === 0) return note(words.terminal.nothingSpent);
  const cells = costRows(usage, namesIn(screen)).map((row) => row.map(sanitizeToOneLine));
  return { kind: 'details', title: words.terminal.cost, text: formatTable(COST_COLUMNS, cells) };
}

function speakAs(context: CommandContext, argument: string): void {
  const names = people(context);
  const name = findName(names, argument);
  if (argument === '') context.print([note(words.terminal.people(names, context.speaker ?? ''))]);
  else if (name === undefined) context.print([note(words.unknownSpeaker(argument, names), 'warning')]);
  else {
    context.speaker = name;
    context.print([note(words.terminal.nowSpeakingAs(name))]);
  }
}

/** Shows a tool call again, in full: what has scrolled away is never changed. */
function expand({ toolCalls }: Screen, argument: string): Paragraph[] {
  const number = argument.replace(/^#/, '');
  const last = toolCalls.at(-1);
  if (last === undefined) return [note(words.terminal.noTools)];
  const call = number === '' ? last : toolCalls.find((each) => String(each.number) === number);
  if (call === undefined) return [note(words.terminal.noSuchTool(number, last.number), 'warning')];
  return [
    { kind: 'details', title: `#${call.number} ${call.name}`, text: call.input },
    { kind: 'details', title: words.terminal.toolResult(call.ok === true), text: call.result ?? '' },
  ];
}

async function answer(context: CommandContext, verdict: 'allow' | 'deny', number: string): Promise<void> {
  const { conversation, speaker } = context;
  const question = chooseQuestion(context.screen(), context.seenQuestions(), number);
  if (typeof question === 'string') context.print([note(question, 'warning')]);
  else await conversation.answerPermission(question.requestId, verdict, speaker ? { as: speaker } : {});
}

function describeHelp(context: CommandContext): Paragraph {
  const rows: Array<readonly [string, string]> = [
    ...words.terminal.keys,
    ...offeredCommands(context).map(({ name }) => [`/${name}`, words.terminal.commands[name]] as const),
  ];
  const width = Math.max(...rows.map(([key]) => key.length)) + 2;
  const text = rows.map(([key, meaning]) => key.padEnd(width) + meaning).join('\n');
  return { kind: 'details', title: words.terminal.help, text };
}

function memberNames({ conversation }: CommandContext): readonly string[] {
  return conversation.team.members.map(({ name }) => name);
}

function people({ conversation }: CommandContext): readonly string[] {
  return conversation.team.members.filter(({ type }) => type === 'human').map(({ name }) => name);
}

function findName(names: readonly string[], typed: string): string | undefined {
  return names.find((name) => foldName(name) === foldName(typed));
}
