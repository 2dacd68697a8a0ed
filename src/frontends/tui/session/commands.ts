import type { Catalogue } from '../../../catalogue/words.js';
import { canCancel } from '../../../conversation/questions.js';
import { note, type Paragraph } from '../../../presentation/Paragraph.js';
import type { CommandName } from '../../../presentation/readTypedLine.js';
import {
  namesIn,
  type OpenPermission,
  openPermissions,
  type Telling,
} from '../../../presentation/Telling.js';
import { TALK_COMMANDS, type TalkAnswer, type TalkCommand } from '../../../presentation/talkCommands.js';
import { foldName } from '../../../utils/foldName.js';
import type { Screen } from '../screen/Screen.js';
import type { CommandContext } from './CommandContext.js';
import { describeModels, describeSession, summarizeCost } from './describeSession.js';
import { applyChanges, showDiff, undoChanges } from './fileCommands.js';
import { introduceMembers, speakersHere } from './introduction.js';
import type { CommandArgument } from './MemberCompletion.js';
import {
  exportFile,
  forkHere,
  leaveFor,
  listForkPlaces,
  rewindTo,
  switchSession,
} from './sessionCommands.js';

type Group = Exclude<keyof Catalogue['terminal']['groups'], 'keys'>;

export interface Command {
  readonly name: CommandName;
  readonly group: Group;
  /** Names that may follow it. */
  readonly listArguments?: (context: CommandContext) => readonly CommandArgument[];
  /** Absent: always. */
  readonly isOffered?: (context: CommandContext) => boolean;
  readonly run: (context: CommandContext, argument: string) => void | Promise<void>;
}

/** In the order in which they are listed. */
const COMMANDS: readonly Command[] = [
  { name: 'task', group: 'talk', run: talk('task') },
  { name: 'next', group: 'talk', listArguments: memberNames, run: talk('next') },
  { name: 'pause', group: 'talk', run: pause },
  { name: 'continue', group: 'talk', run: talk('continue') },
  { name: 'cancel', group: 'talk', run: cancel },
  { name: 'retry', group: 'talk', run: retry },
  {
    name: 'as',
    group: 'talk',
    listArguments: people,
    // In a store that others share, everyone speaks as themselves.
    isOffered: (context) => context.conversation.presence === undefined && people(context).length > 1,
    run: speakAs,
  },
  { name: 'undo', group: 'talk', listArguments: changedHere, isOffered: isReal, run: undoChanges },
  { name: 'apply', group: 'talk', listArguments: changedInCopies, isOffered: isReal, run: applyChanges },
  { name: 'diff', group: 'look', listArguments: changed, isOffered: isReal, run: showDiff },
  { name: 'why', group: 'look', isOffered: ({ options }) => options.why !== undefined, run: explain },
  {
    name: 'expand',
    group: 'look',
    run: (context, argument) => context.print(expand(context.screen(), argument, context.options.words)),
  },
  {
    name: 'cost',
    group: 'look',
    run: async (context) =>
      context.print(await summarizeCost(context.screen(), context.conversation, context.options.words)),
  },
  {
    name: 'members',
    group: 'look',
    run: (context) => context.print(introduceMembers(context.conversation.team, context.options.words)),
  },
  {
    name: 'model',
    group: 'look',
    run: (context) => context.print(describeModels(context.conversation.team, context.options.words)),
  },
  { name: 'status', group: 'look', run: async (context) => context.print([await describeSession(context)]) },
  {
    name: 'new',
    group: 'session',
    isOffered: hasSessions,
    run: (context) => leaveFor(context, { reason: 'new' }),
  },
  { name: 'resume', group: 'session', isOffered: hasSessions, run: switchSession },
  { name: 'fork', group: 'session', listArguments: listForkPlaces, isOffered: canFork, run: forkHere },
  { name: 'rewind', group: 'session', listArguments: listForkPlaces, isOffered: canFork, run: rewindTo },
  { name: 'rename', group: 'session', run: rename },
  {
    name: 'export',
    group: 'session',
    isOffered: ({ options }) => options.export !== undefined,
    run: exportFile,
  },
  {
    name: 'compact',
    group: 'session',
    run: (context) => context.print([note(context.options.words.terminal.compact)]),
  },
  { name: 'allow', group: 'talk', run: (context, argument) => answer(context, 'allow', argument) },
  { name: 'deny', group: 'talk', run: (context, argument) => answer(context, 'deny', argument) },
  { name: 'help', group: 'session', run: (context) => context.print(describeHelp(context)) },
  { name: 'quit', group: 'session', run: (context) => context.leave() },
];

export function offeredCommands(context: CommandContext): readonly Command[] {
  return COMMANDS.filter(({ isOffered }) => isOffered?.(context) ?? true);
}

/** A command that editors have, too. */
function talk(name: TalkCommand): Command['run'] {
  return async (context, argument) => {
    const screen = context.screen();
    const answer: TalkAnswer = TALK_COMMANDS[name](argument, {
      names: memberNames(context),
      nameOf: namesIn(screen),
      conversation: screen.conversation,
      task: screen.task,
      speaker: context.speaker,
      words: context.options.words,
    });
    if (answer.kind === 'say') await context.send(answer.text);
    else if (answer.kind === 'continue') await context.resume();
    else context.print([note(answer.text, answer.tone)]);
  };
}

async function pause(context: CommandContext): Promise<void> {
  await context.conversation.pause();
  if (context.screen().turns.length > 0) context.print([note(context.options.words.terminal.willPause)]);
}

async function cancel(context: CommandContext): Promise<void> {
  if (!canCancel(context.screen().conversation))
    context.print([note(context.options.words.terminal.nothingRuns)]);
  else await context.conversation.cancel();
}

async function retry(context: CommandContext): Promise<void> {
  if ((await context.retry()) === 0) context.print([note(context.options.words.terminal.nothingToRetry)]);
}

async function explain(context: CommandContext, argument: string): Promise<void> {
  const text = await context.options.why?.(argument);
  if (text !== undefined) context.print([{ kind: 'details', title: `/why ${argument}`.trim(), text }]);
}

async function rename(context: CommandContext, title: string): Promise<void> {
  const { words } = context.options;
  await context.conversation.rename(title);
  context.print([note(title === '' ? words.terminal.nameRemoved : words.terminal.renamed(title))]);
}

function speakAs(context: CommandContext, argument: string): void {
  const { words } = context.options;
  const names = people(context);
  const name = findName(names, argument);
  if (argument === '') context.print([note(words.terminal.people(names, context.speaker ?? ''))]);
  else if (name === undefined)
    context.print([note(words.terminal.unknownSpeaker(argument, names), 'warning')]);
  else {
    context.speaker = name;
    context.print([note(words.terminal.nowSpeakingAs(name))]);
  }
}

/** Shows a tool call again, in full: what has scrolled away is never changed. */
function expand({ toolCalls }: Screen, argument: string, words: Catalogue): Paragraph[] {
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
  const question = chooseQuestion(context.screen(), context.seenQuestions(), number, context.options.words);
  if (typeof question === 'string') context.print([note(question, 'warning')]);
  else await conversation.answerPermission(question.requestId, verdict, speaker ? { as: speaker } : {});
}

function describeHelp(context: CommandContext): Paragraph[] {
  const { words } = context.options;
  const { groups, keys, plainKeys, commands } = words.terminal;
  const offered = offeredCommands(context);
  const sections = (['talk', 'look', 'session'] as const).map((group) => ({
    title: groups[group],
    entries: offered
      .filter((command) => command.group === group)
      .map(({ name }) => [`/${name}`, commands[name]] as const),
  }));
  const keySection = { title: groups.keys, entries: context.hasKeys ? keys : plainKeys };
  return [note(words.terminal.help, 'strong'), { kind: 'entries', sections: [keySection, ...sections] }];
}

/** Nothing is recorded of what simulated agents do. */
function isReal({ options }: CommandContext): boolean {
  return options.isRehearsal !== true;
}

/** The newest first. */
function changed(context: CommandContext): readonly string[] {
  return [...context.changedUnits().map(({ name }) => name), 'new', 'all'];
}

function changedHere(context: CommandContext): readonly string[] {
  return context.changedUnits().flatMap(({ name, isInCopy }) => (isInCopy ? [] : name));
}

function changedInCopies(context: CommandContext): readonly string[] {
  return context.changedUnits().flatMap(({ name, isInCopy }) => (isInCopy ? name : []));
}

function canFork({ options }: CommandContext): boolean {
  return options.fork !== undefined;
}

function hasSessions({ options }: CommandContext): boolean {
  return options.sessions !== undefined;
}

function memberNames({ conversation }: CommandContext): readonly string[] {
  return conversation.team.members.map(({ name }) => name);
}

function people({ conversation }: CommandContext): readonly string[] {
  return speakersHere(conversation);
}

function findName(names: readonly string[], typed: string): string | undefined {
  return names.find((name) => foldName(name) === foldName(typed));
}

/**
 * Finds the question that an answer is for, or tells why it is for none. Without a number it is the only one that is
 * open, if it was open, alone and on the screen when the first key of the answer was pressed: no one says yes to what
 * came under their fingers.
 */
export function chooseQuestion(
  telling: Pick<Telling, 'turns' | 'questionCount'>,
  seen: readonly OpenPermission[],
  typed: string,
  words: Catalogue,
): OpenPermission | string {
  const permissions = openPermissions(telling);
  const [only] = permissions;
  if (typed !== '') {
    const named = permissions.find(({ number }) => String(number) === typed);
    const wasAsked = /^[1-9]\d*$/u.test(typed) && Number(typed) <= telling.questionCount;
    if (named !== undefined) return named;
    return wasAsked ? words.terminal.questionClosed(Number(typed)) : words.terminal.noSuchQuestion(typed);
  }
  if (only === undefined)
    return seen[0] === undefined
      ? words.terminal.noPermissionAsked
      : words.terminal.questionClosed(seen[0].number);
  const isMeant = permissions.length === 1 && seen.length === 1 && seen[0]?.requestId === only.requestId;
  return isMeant ? only : words.terminal.nameTheQuestion(permissions.map(({ number }) => number));
}
