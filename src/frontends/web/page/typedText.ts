import { type CommandName, readTypedLine } from '../../../presentation/readTypedLine.js';
import { foldName } from '../../../utils/foldName.js';
import { call, RefusedRequest } from './api.js';
import { pageWords as words } from './state/language.js';
import type { PanelName } from './state/place.js';

/** A command that was typed as in the terminal: what a button of the page does, or a panel. */
type PageCommand =
  | { readonly do: 'cancel' | 'pause' | 'resume' | 'retry' }
  | { readonly panel: PanelName; readonly turn?: string }
  /** Something to show; with `isSlip` instead of sending the text, unless it is sent again. */
  | { readonly hint: string; readonly isSlip?: true };

const COMMANDS: Readonly<Partial<Record<CommandName, Exclude<PageCommand, { hint: string }>>>> = {
  retry: { do: 'retry' },
  continue: { do: 'resume' },
  pause: { do: 'pause' },
  cancel: { do: 'cancel' },
  why: { panel: 'why' },
  diff: { panel: 'changes' },
  undo: { panel: 'changes' },
  apply: { panel: 'changes' },
  cost: { panel: 'cost' },
  members: { panel: 'members' },
};

/** The command that a text is, or why it is likely not meant as a message; undefined for all that is to be said as it is. */
export function readPageCommand(text: string, members: readonly string[]): PageCommand | undefined {
  const typed = readTypedLine(text, members, undefined, words);
  if (typed.kind === 'message') return undefined;
  if (typed.kind === 'slip') return slip(typed.reason);
  const { name, argument } = typed;
  if (name === 'help') return { hint: words.web.help(Object.keys(COMMANDS).map((each) => `/${each}`)) };
  const command = COMMANDS[name];
  const turn = /^(?:turn-)?(\d+)$/u.exec(argument)?.[1];
  if (command !== undefined && argument === '') return command;
  if (command !== undefined && 'panel' in command && turn !== undefined)
    return { ...command, turn: `turn-${turn}` };
  return slip(words.web.notHere(`/${name} ${argument}`.trim()));
}

function slip(reason: string): PageCommand {
  return { hint: words.typed.sendAgain(reason), isSlip: true };
}

/** A name that is being typed after `@`. */
export interface TypedMention {
  /** The place of its `@`. */
  readonly start: number;
  readonly typed: string;
}

/** At the start of a word, or after a script that has no spaces. */
const MENTION = /(?:^|[\s\P{ASCII}])([@＠])([^\s@＠"]*)$/u;

/** Finds the mention that ends at the caret; none in the middle of a word, whose rest would be left over. */
export function findMention(text: string, caret: number): TypedMention | undefined {
  if (/^\S/u.test(text.slice(caret))) return undefined;
  const typed = MENTION.exec(text.slice(0, caret))?.[2];
  return typed === undefined ? undefined : { start: caret - typed.length - 1, typed };
}

/** The names that a mention may become. A name that is whole needs no menu, which would take the Enter that sends it. */
export function offerNames(names: readonly string[], { typed }: TypedMention): readonly string[] {
  const wanted = foldName(typed);
  const offered = names.filter((name) => foldName(name).startsWith(wanted));
  return offered.some((name) => foldName(name) === wanted) ? [] : offered;
}

/** The text with a name in the place of what was typed of it, and the caret after it. */
export function completeMention(
  text: string,
  { start, typed }: TypedMention,
  name: string,
): { readonly text: string; readonly caret: number } {
  const rest = text.slice(start + 1 + typed.length);
  const before = `${text.slice(0, start)}@${name}`;
  return { text: `${before}${/^\s/u.test(rest) ? '' : ' '}${rest}`, caret: before.length + 1 };
}

/** A message on its way. */
interface OutgoingMessage {
  readonly sessionId: string;
  readonly content: string;
  readonly as?: string | undefined;
}

/** Milliseconds before each further attempt after a lost connection. */
const WAITS = [300, 1000, 3000];

/** The key of a message that may have arrived: sent again as it is, it becomes no second message. */
let unsure: { readonly message: string; readonly key: string } | undefined;

/** Says something. After a lost connection it is tried again; rejects with a `RefusedRequest`. */
export async function sendMessage(
  outgoing: OutgoingMessage,
  wait: (milliseconds: number) => Promise<void> = delay,
): Promise<void> {
  const message = JSON.stringify(outgoing);
  const onceKey = unsure?.message === message ? unsure.key : crypto.randomUUID();
  unsure = { message, key: onceKey };
  const { sessionId, content, as } = outgoing;
  const request = { params: { id: sessionId }, body: { content, as }, onceKey };
  for (let attempt = 0; ; attempt++) {
    try {
      await call('send', request);
      unsure = undefined;
      return;
    } catch (error) {
      const pause = WAITS[attempt];
      const isLost = error instanceof RefusedRequest && error.code === 'NOT_REACHED';
      if (!isLost) unsure = undefined;
      if (!isLost || pause === undefined) throw error;
      await wait(pause);
    }
  }
}

function delay(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
