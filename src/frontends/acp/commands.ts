import type { AvailableCommand } from '@agentclientprotocol/sdk/unstable';
import type { Catalogue, WordsOf } from '../../catalogue/words.js';
import { namesIn, showMembers } from '../../presentation/Telling.js';
import { TALK_COMMANDS, type TalkAnswer, type TalkCommand } from '../../presentation/talkCommands.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';
import { toHalfWidth } from '../../utils/toHalfWidth.js';
import type { EditorCommandContext } from './answers.js';

/** The result of a command: something to show, something to say to the team (and to show then), or turns that run now. */
export type CommandResult =
  | { readonly kind: 'shown'; readonly text: string }
  | { readonly kind: 'message'; readonly text: string; readonly toShow?: string }
  | { readonly kind: 'turns' };

type Answer = (context: EditorCommandContext, argument: string) => string | Promise<string>;
type Run = (context: EditorCommandContext, argument: string) => CommandResult | Promise<CommandResult>;

/** Commands by their names, which are the terminal's, in the order in which they are listed. */
const COMMANDS = {
  next: talk('next'),
  task: talk('task'),
  continue: talk('continue'),
  retry,
  why: answer(({ answerWhy }) => answerWhy),
  cost: answer(({ answerCost }) => answerCost),
  members: answer(({ answerMembers }) => answerMembers),
  diff: answer(({ answerDiff }) => answerDiff),
  undo: answer(({ answerUndo }) => answerUndo),
  apply: answer(({ answerApply }) => answerApply),
  fork,
} as const satisfies Partial<Record<keyof Catalogue['terminal']['commands'], Run>>;

type CommandName = keyof typeof COMMANDS;

/** The commands as clients list them. */
export function describeCommands({ acp: { commands, hints } }: WordsOf<'acp'>): AvailableCommand[] {
  return commandNames().map((name) => {
    const { [name]: hint }: Partial<Record<CommandName, string>> = hints;
    return { name, description: commands[name], input: hint === undefined ? undefined : { hint } };
  });
}

/** A command with what stands behind it; undefined for all that is to be said as it is. */
export interface TypedCommand {
  readonly name: CommandName;
  readonly argument: string;
}

export function readTypedCommand(text: string): TypedCommand | undefined {
  const [, word = '', rest = ''] = /^[/／](\S+)\s*([\s\S]*)$/u.exec(text) ?? [];
  const typed = toHalfWidth(word).toLowerCase();
  const name = commandNames().find((each) => each === typed);
  return name && { name, argument: rest.trim() };
}

export async function runCommand(
  { name, argument }: TypedCommand,
  context: EditorCommandContext,
): Promise<CommandResult> {
  const run: Run = COMMANDS[name];
  return run(context, argument);
}

function commandNames(): readonly CommandName[] {
  return Object.keys(COMMANDS) as CommandName[];
}

/** A command that shows something. Tables take longer to load than all else that a session needs. */
function answer(choose: (answers: typeof import('./answers.js')) => Answer): Run {
  return async (context, argument) => shown(await choose(await import('./answers.js'))(context, argument));
}

function shown(text: string): CommandResult {
  return { kind: 'shown', text };
}

/** A command that the terminal has, too. */
function talk(name: TalkCommand): Run {
  return async ({ conversation, as, words }, argument) => {
    const { team, presence } = conversation;
    const { state, teamTask } = conversation.snapshot();
    const answer: TalkAnswer = TALK_COMMANDS[name](argument, {
      names: team.members.map((member) => member.name),
      nameOf: namesIn({ members: showMembers(team.members) }),
      conversation: state,
      task: teamTask,
      speaker: as ?? presence?.speaker ?? team.members.find(({ type }) => type === 'human')?.name,
      words,
    });
    if (answer.kind === 'show') return shown(answer.text);
    if (answer.kind === 'continue') {
      await conversation.resume();
      return { kind: 'turns' };
    }
    const toShow = name === 'task' ? words.terminal.teamTask(sanitizeToOneLine(argument)) : undefined;
    return { kind: 'message', text: answer.text, toShow };
  };
}

async function retry({ conversation, words }: EditorCommandContext): Promise<CommandResult> {
  return (await conversation.retry()) === 0 ? shown(words.terminal.nothingToRetry) : { kind: 'turns' };
}

async function fork(context: EditorCommandContext): Promise<CommandResult> {
  const { conversation, words } = context;
  if (conversation.snapshot().messages.length === 0) return shown(words.forks.nothingSaid);
  const { id, messageId, dropped } = await context.fork();
  const nameOf = namesIn({ members: showMembers(conversation.team.members) });
  const { forked, copied, droppedInChat } = words.forks;
  const lines = [
    forked(id),
    copied(conversation.id, messageId),
    ...(dropped.length > 0 ? [droppedInChat(dropped.map(({ memberId }) => nameOf(memberId)))] : []),
    words.acp.toOpenFork(id),
  ];
  return shown(lines.map(sanitizeToOneLine).join('\n\n'));
}
