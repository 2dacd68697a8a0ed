import { english } from '../../../catalogue/english.js';
import { terminalEnglish as words } from '../../../catalogue/terminal.js';
import type { Conversation } from '../../../coordinator/Conversation.js';
import type { ToolCall } from '../../../presentation/Block.js';
import { memberOf, type OpenPermission } from '../../../presentation/Telling.js';
import { foldName } from '../../../utils/foldName.js';
import type { Paragraph, Tone } from '../screen/Paragraph.js';
import type { Screen } from '../screen/Screen.js';
import { chooseQuestion } from './chooseQuestion.js';
import { summarizeCost } from './cost.js';
import { introduceMembers } from './introduction.js';
import type { TerminalOptions } from './TerminalOptions.js';

/** What a command may use. */
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

type CommandName = keyof typeof words.commands;

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
  { name: 'next', listArguments: memberNames, run: handOver },
  { name: 'pause', run: pause },
  { name: 'continue', run: goOn },
  { name: 'cancel', run: cancel },
  { name: 'retry', run: retry },
  { name: 'why', isOffered: ({ why }) => why !== undefined, run: explain },
  { name: 'cost', run: (context) => context.print(summarizeCost(context.screen())) },
  { name: 'members', run: (context) => context.print(introduceMembers(context.conversation.team)) },
  { name: 'as', listArguments: people, isOffered: (context) => people(context).length > 1, run: speakAs },
  { name: 'expand', run: expand },
  { name: 'allow', run: (context, argument) => answer(context, 'allow', argument) },
  { name: 'deny', run: (context, argument) => answer(context, 'deny', argument) },
  { name: 'help', run: (context) => context.print(describeHelp(context)) },
  { name: 'quit', run: (context) => context.leave() },
];

export function offeredCommands(context: CommandContext): readonly Command[] {
  return COMMANDS.filter(({ isOffered }) => isOffered?.(context) ?? true);
}

async function setTask(context: CommandContext, task: string): Promise<void> {
  const current = context.screen().task;
  if (task !== '') await context.send(`[TEAM_TASK] ${task}`);
  else context.print([note(current === null ? words.noTask : words.teamTask(current))]);
}

/** `/next max, sarah: look at this`: names up to a colon or, after the last comma, a space. */
const HAND_OVER = /^([^:：,，、\s]+(?:\s*[,，、]\s*[^:：,，、\s]+)*)[:：]?\s*([\s\S]*)$/u;

async function handOver(context: CommandContext, argument: string): Promise<void> {
  const [, names = '', text = ''] = HAND_OVER.exec(argument) ?? [];
  const known = memberNames(context);
  const unknown = names.split(/[,，、]/u).find((name) => findName(known, name) === undefined);
  if (argument === '') context.print([note(describeQueue(context.screen()))]);
  else if (unknown !== undefined) context.print([note(words.nobodyNamed(unknown.trim(), known), 'warning')]);
  else await context.send(`[NEXT: ${names}] ${text}`.trim());
}

function describeQueue(screen: Screen): string {
  const names = screen.conversation.queue.map(({ memberId }) => memberOf(screen, memberId).name);
  return names.length === 0 ? words.queueEmpty : words.queued(names);
}

async function pause(context: CommandContext): Promise<void> {
  await context.conversation.pause();
  if (context.screen().turns.length > 0) context.print([note(words.willPause)]);
}

async function goOn(context: CommandContext): Promise<void> {
  if (context.screen().conversation.pause === null) context.print([note(words.nothingPaused)]);
  else await context.resume();
}

async function cancel(context: CommandContext): Promise<void> {
  if (context.screen().conversation.running.length === 0) context.print([note(words.nothingRuns)]);
  else await context.conversation.cancel();
}

async function retry(context: CommandContext): Promise<void> {
  if ((await context.retry()) === 0) context.print([note(words.nothingToRetry)]);
}

async function explain(context: CommandContext, argument: string): Promise<void> {
  const text = await context.why?.(argument);
  if (text !== undefined) context.print([{ kind: 'details', title: `/why ${argument}`.trim(), text }]);
}

function speakAs(context: CommandContext, argument: string): void {
  const names = people(context);
  const name = findName(names, argument);
  if (argument === '') context.print([note(words.people(names, context.speaker ?? ''))]);
  else if (name === undefined) context.print([note(english.unknownSpeaker(argument, names), 'warning')]);
  else {
    context.speaker = name;
    context.print([note(words.nowSpeakingAs(name))]);
  }
}

/** Prints anew: what has scrolled away is never changed. */
function expand(context: CommandContext, argument: string): void {
  context.print(expandToolCall(context.screen().toolCalls, argument.replace(/^#/, '')));
}

function expandToolCall(calls: readonly ToolCall[], number: string): Paragraph[] {
  const last = calls.at(-1);
  if (last === undefined) return [note(words.noTools)];
  const call = number === '' ? last : calls.find((each) => String(each.number) === number);
  if (call === undefined) return [note(words.noSuchTool(number, last.number), 'warning')];
  return [
    { kind: 'details', title: `#${call.number} ${call.name}`, text: call.input },
    { kind: 'details', title: words.toolResult(call.ok === true), text: call.result ?? '' },
  ];
}

async function answer(context: CommandContext, verdict: 'allow' | 'deny', number: string): Promise<void> {
  const { conversation, speaker } = context;
  const choice = chooseQuestion(context.screen(), context.seenQuestions(), number);
  if (choice.kind === 'none') context.print([note(choice.reason, 'warning')]);
  else
    await conversation.answerPermission(choice.question.requestId, verdict, speaker ? { as: speaker } : {});
}

function describeHelp(context: CommandContext): Paragraph[] {
  const rows: Array<readonly [string, string]> = [
    ...words.keys,
    ...offeredCommands(context).map(({ name }) => [`/${name}`, words.commands[name]] as const),
  ];
  const width = Math.max(...rows.map(([key]) => key.length)) + 2;
  const text = rows.map(([key, meaning]) => key.padEnd(width) + meaning).join('\n');
  return [{ kind: 'details', title: words.help, text }];
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

function note(text: string, tone: Tone = 'quiet'): Paragraph {
  return { kind: 'note', tone, text };
}
