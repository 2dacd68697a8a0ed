import { words } from '../../catalogue/words.js';
import type { AssemblerOutput, ExplainedPrompt, PromptPlan } from '../../context/types.js';
import type { Conversation } from '../../coordinator/Conversation.js';
import type { ExplainedTurn } from '../../coordinator/explainTurn.js';
import {
  explainAsTyped,
  explainNamedTurn,
  formatWhy,
  readMemberNames,
} from '../../frontends/lines/formatWhy.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';
import { withSession } from '../sessions/storedSessions.js';
import { type CliContext, print, printJson, printPieces, say } from '../start/CliContext.js';
import { EXIT_CODES } from '../start/exitCodes.js';
import { type ComparedView, compareWith, formatSideBySide } from './whyCompare.js';

export interface WhyOptions {
  /** The latest by default. */
  readonly turn?: string;
  readonly session?: string;
  readonly prompt?: boolean;
  readonly system?: boolean;
  readonly json?: boolean;
  readonly compare?: string;
}

/** Shows what a member was sent in one turn: what went in, what was left out and why, or the very bytes. */
export function why(options: WhyOptions, context: CliContext): Promise<number> {
  return withSession(options.session, context, async ({ reader }) => {
    const turn = await explainNamedTurn(() => reader.read(), options.turn, words);
    const compared =
      options.compare === undefined ? undefined : await compareWith(reader, turn, options.compare);
    if (!turn.isExact) say(context, words.cli.warning(words.why.notExact));
    const { output } = compared ?? turn;
    if (options.prompt) await printText(output, 'prompt', context);
    else if (options.system) await printText(output, 'systemFlag', context);
    else if (options.json) printJson(context, describeForPrograms(turn, compared));
    else print(context, formatPlans(turn, compared, await readMemberNames(reader.read(1, 1))));
    return EXIT_CODES.done;
  });
}

/** Explains a turn of a live conversation; by default the last one that has started. */
export async function explainInChat(
  conversation: Pick<Conversation, 'history'>,
  word: string,
): Promise<string> {
  return explainAsTyped(
    () => conversation.history(),
    word,
    await readMemberNames(conversation.history()),
    words,
  );
}

async function printText(
  output: AssemblerOutput,
  part: 'prompt' | 'systemFlag',
  context: CliContext,
): Promise<void> {
  const text = output[part];
  if (text === undefined) say(context, words.why.noSystemText);
  else await printPieces(context, [text]);
  if (part !== 'prompt' || output.systemFlag === undefined) return;
  if (context.stdout.isTTY && !output.prompt.endsWith('\n')) print(context, '');
  say(context, words.why.systemBeside);
}

function describeForPrograms(turn: ExplainedTurn, compared: ComparedView | undefined): object {
  const { turnId, memberId, sent, isExact, lastSeenMessageId } = turn;
  const facts = { turnId, memberId, sent, isExact, lastSeenMessageId, ...describePrompt(turn) };
  return compared === undefined
    ? facts
    : { ...facts, comparedWith: { memberId: compared.memberId, ...describePrompt(compared) } };
}

function describePrompt({ plan, output }: ExplainedPrompt): object {
  return { plan, prompt: output.prompt, systemText: output.systemFlag ?? null };
}

function formatPlans(
  turn: ExplainedTurn,
  compared: ComparedView | undefined,
  nameOf: (memberId: string) => string,
): string {
  if (compared === undefined) return formatWhy(turn, nameOf, words);
  const own = { name: nameOf(turn.memberId), plan: turn.plan };
  return formatWhy(turn, nameOf, words, formatComparison(own, compared, nameOf));
}

function formatComparison(
  own: { readonly name: string; readonly plan: PromptPlan },
  { memberId, plan, messageIds }: ComparedView,
  nameOf: (memberId: string) => string,
): string {
  const name = nameOf(memberId);
  const table = formatSideBySide(own, { name, plan }, messageIds);
  return `${sanitizeToOneLine(words.why.compared(name))}\n${table}`;
}
