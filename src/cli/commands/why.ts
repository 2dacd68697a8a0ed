import { nameSection } from '../../catalogue/formats.js';
import { words } from '../../catalogue/words.js';
import type { AssemblerOutput, ExplainedPrompt, PromptPlan } from '../../context/types.js';
import type { Conversation } from '../../coordinator/Conversation.js';
import { type ExplainedTurn, explainTurn } from '../../coordinator/explainTurn.js';
import { formatTable } from '../../frontends/tui/paint/formatTable.js';
import type { RecordedEvent } from '../../models/ConversationEvent.js';
import { HuddleError } from '../../models/errors.js';
import type { TurnId } from '../../models/ids.js';
import { namesIn, showMembers } from '../../presentation/Telling.js';
import type { ConversationReader } from '../../store/Store.js';
import { formatNumber } from '../../utils/formatNumber.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';
import { type CliContext, print, printJson, printPieces, say } from '../CliContext.js';
import { EXIT_CODES } from '../exitCodes.js';
import { withSession } from '../sessions.js';
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
    const turn = await explain(reader, options.turn);
    const compared =
      options.compare === undefined ? undefined : await compareWith(reader, turn, options.compare);
    if (!turn.isExact) say(context, words.cli.warning(words.why.notExact));
    const { output } = compared ?? turn;
    if (options.prompt) await printText(output, 'prompt', context);
    else if (options.system) await printText(output, 'systemFlag', context);
    else if (options.json) printJson(context, describeForPrograms(turn, compared));
    else print(context, formatPlans(turn, compared, await readNames(reader.read(1, 1))));
    return EXIT_CODES.done;
  });
}

/** Explains a stored turn, by default the last one. The error for an unknown one lists the known turns. */
async function explain(reader: ConversationReader, word: string | undefined): Promise<ExplainedTurn> {
  const turnId = word === undefined ? await findLastTurn(reader.read()) : turnIdOf(word);
  if (turnId === undefined) throw new HuddleError('UNKNOWN_TURN', words.why.noTurnYet);
  const started: TurnId[] = [];
  for await (const event of reader.read()) {
    if (event.type !== 'turn-start') continue;
    if (event.turnId === turnId) return explainTurn(reader.read(), turnId);
    started.push(event.turnId);
  }
  throw new HuddleError('UNKNOWN_TURN', words.why.unknownTurn(sanitizeToOneLine(turnId), started));
}

/** Explains a turn of a live conversation; by default the last one that has started. */
export async function explainInChat(
  conversation: Pick<Conversation, 'history'>,
  word: string,
): Promise<string> {
  const turnId = word === '' ? await findLastTurn(conversation.history()) : turnIdOf(word);
  if (turnId === undefined) return words.why.noTurnYet;
  const turn = await explainTurn(conversation.history(), turnId);
  const plans = formatPlans(turn, undefined, await readNames(conversation.history()));
  return turn.isExact ? plans : `${words.why.notExact}\n${plans}`;
}

async function findLastTurn(events: AsyncIterable<RecordedEvent>): Promise<TurnId | undefined> {
  let last: TurnId | undefined;
  for await (const event of events) if (event.type === 'turn-start') last = event.turnId;
  return last;
}

/** `3` is short for `turn-3`. */
function turnIdOf(word: string): TurnId {
  return (/^\d+$/u.test(word) ? `turn-${word}` : word) as TurnId;
}

async function printText(
  output: AssemblerOutput,
  part: 'prompt' | 'systemFlag',
  context: CliContext,
): Promise<void> {
  const text = output[part];
  if (text === undefined) say(context, words.why.noSystemText);
  else await printPieces(context, [text]);
  if (part === 'prompt' && output.systemFlag !== undefined) say(context, words.why.systemBeside);
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

async function readNames(events: AsyncIterable<RecordedEvent>): Promise<(memberId: string) => string> {
  for await (const event of events)
    if (event.type === 'conversation-start') return namesIn({ members: showMembers(event.team.members) });
  return (memberId) => memberId;
}

function formatPlans(
  turn: ExplainedTurn,
  compared: ComparedView | undefined,
  nameOf: (memberId: string) => string,
): string {
  const { turnId, memberId, sent, plan, isExact } = turn;
  const name = nameOf(memberId);
  return [
    sanitizeToOneLine(words.why.title(turnId, name, sent.latestMessageId)),
    words.why.sent(sent.bytes, plan.maxBytes, words.why.sessions[sent.session]),
    compared === undefined ? formatPlan(plan) : formatComparison({ name, plan }, compared, nameOf),
    words.why.hash(sent.sha256, isExact),
  ].join('\n');
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

function formatPlan({ sections, messages, cutBytes }: PromptPlan): string {
  const { section, bytes, first, count, inclusion } = words.why.heads;
  const sizes = Object.entries(sections ?? {}).map(([name, size]) => [nameSection(name), formatNumber(size)]);
  const rows = messages.map((run) => [
    sanitizeToOneLine(run.first === run.last ? run.first : `${run.first} – ${run.last}`),
    String(run.count),
    words.why.inclusions[run.inclusion],
  ]);
  return [
    ...(sizes.length > 0 ? [formatTable([{ head: section }, { head: bytes, isNumber: true }], sizes)] : []),
    ...(cutBytes > 0 ? [words.why.cut(cutBytes)] : []),
    formatTable([{ head: first }, { head: count, isNumber: true }, { head: inclusion }], rows),
  ].join('\n');
}
