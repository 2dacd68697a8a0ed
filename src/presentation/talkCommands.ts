import type { WordsOf } from '../catalogue/words.js';
import type { ConversationState } from '../conversation/ConversationState.js';
import { canContinue, canRetry } from '../conversation/questions.js';
import { foldName } from '../utils/foldName.js';
import { sanitizeToOneLine } from '../utils/sanitize.js';
import { formatTaskMessage } from './readTypedLine.js';

/** A conversation as its commands see it, in a terminal or in an editor. */
export interface TalkFacts {
  readonly names: readonly string[];
  readonly nameOf: (memberId: string) => string;
  readonly conversation: ConversationState;
  readonly task: string | null;
  /** Name of the person who types. */
  readonly speaker: string | undefined;
  readonly words: WordsOf<'terminal'>;
}

/** The consequence of a command: something to say to the team, a sentence for the person who typed it, or the queue goes on. */
export type TalkAnswer =
  | { readonly kind: 'say'; readonly text: string }
  | { readonly kind: 'show'; readonly text: string; readonly tone?: 'warning' }
  | { readonly kind: 'continue' };

/** The commands that a terminal and an editor have in common, by what stands behind them. */
export const TALK_COMMANDS = {
  next: (argument, facts) => (argument === '' ? show(describeQueue(facts)) : handOff(argument, facts)),
  task: (task, { task: current, speaker, words }) => {
    if (task !== '') return { kind: 'say', text: formatTaskMessage(task, speaker) };
    return show(current === null ? words.terminal.noTask : words.terminal.teamTask(current));
  },
  continue: (_, { conversation, words }) => {
    if (canContinue(conversation)) return { kind: 'continue' };
    return show(canRetry(conversation) ? words.terminal.nothingQueued : words.terminal.nothingPaused);
  },
} satisfies Readonly<Record<string, (argument: string, facts: TalkFacts) => TalkAnswer>>;

export type TalkCommand = keyof typeof TALK_COMMANDS;

function describeQueue({ conversation, nameOf, words }: TalkFacts): string {
  const names = conversation.queue.map(({ memberId }) => nameOf(memberId));
  return names.length === 0 ? words.terminal.queueEmpty : words.terminal.queued(names);
}

/** `/next max, sarah: look at this`: names up to a colon or, after the last comma, a space. */
const HAND_OFF = /^([^:：,，、\s]+(?:\s*[,，、]\s*[^:：,，、\s]+)*)[:：]?\s*([\s\S]*)$/u;

/** Reads what stands behind `/next`: the message that does it, or a refusal of the first name that no member has. */
function handOff(typed: string, { names, words }: TalkFacts): TalkAnswer {
  const [, to = '', text = ''] = HAND_OFF.exec(typed) ?? [];
  const folded = names.map(foldName);
  const unknown = to.split(/[,，、]/u).find((name) => !folded.includes(foldName(name)));
  if (unknown === undefined) return { kind: 'say', text: `[NEXT: ${to}] ${text}`.trim() };
  const shown = sanitizeToOneLine(unknown.trim());
  return { kind: 'show', text: words.terminal.noSuchMember(shown, names), tone: 'warning' };
}

function show(text: string): TalkAnswer {
  return { kind: 'show', text };
}
