import { nameSection } from '../../catalogue/formats.js';
import { words } from '../../catalogue/words.js';
import type { AssemblerOutput, ExplainedPrompt, PromptPlan } from '../../context/types.js';
import type { Conversation } from '../../coordinator/Conversation.js';
import { compareViews, type ExplainedTurn, type MemberViewAt } from '../../coordinator/explainTurn.js';
import { formatTable } from '../../frontends/lines/formatTable.js';
import {
  explainAsTyped,
  explainNamedTurn,
  formatWhy,
  readMemberNames,
} from '../../frontends/lines/formatWhy.js';
import { HuddleError } from '../../models/errors.js';
import type { MemberId, MessageId } from '../../models/ids.js';
import type { ConversationReader } from '../../store/Store.js';
import { foldName } from '../../utils/foldName.js';
import { formatNumber } from '../../utils/formatNumber.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';
import { withSession } from '../sessions/storedSessions.js';
import { type CliContext, print, printJson, printPieces, say } from '../start/CliContext.js';
import { EXIT_CODES } from '../start/exitCodes.js';

interface WhyOptions {
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

const SECTIONS = ['system', 'task', 'context', 'files', 'message'] as const;

/** The view another member would have had at the moment a turn began, and the messages there were. */
interface ComparedView extends MemberViewAt {
  readonly messageIds: readonly MessageId[];
}

/** Finds the view of another member at the beginning of a turn. Rejects with UNKNOWN_MEMBER. */
async function compareWith(
  reader: ConversationReader,
  { turnId }: ExplainedTurn,
  name: string,
): Promise<ComparedView> {
  let seq = 0;
  const names = new Map<MemberId, string>();
  const messageIds: MessageId[] = [];
  for await (const event of reader.read()) {
    if (event.type === 'turn-start' && event.turnId === turnId) break;
    seq = event.seq;
    if (event.type === 'profile-changed') names.set(event.memberId, event.profile.agentName);
    if (event.type === 'message-added') messageIds.push(event.message.id);
  }
  const [memberId] = [...names].find(([, known]) => foldName(known) === foldName(name)) ?? [];
  const [view] = memberId === undefined ? [] : await compareViews(reader.read(), seq, [memberId]);
  if (view === undefined) {
    const known = [...names.values()].map(sanitizeToOneLine);
    throw new HuddleError('UNKNOWN_MEMBER', words.why.unknownMember(sanitizeToOneLine(name), known));
  }
  return { ...view, messageIds };
}

/** Two plans of the same moment, one column each. */
function formatSideBySide(
  left: { readonly name: string; readonly plan: PromptPlan },
  right: { readonly name: string; readonly plan: PromptPlan },
  messageIds: readonly MessageId[],
): string {
  const { section, first } = words.why.heads;
  const names = [left.name, right.name].map(sanitizeToOneLine);
  const numbers = names.map((head) => ({ head, isNumber: true }));
  const texts = names.map((head) => ({ head }));
  return [
    formatTable([{ head: section }, ...numbers], pairSections(left.plan, right.plan)),
    formatTable([{ head: first }, ...texts], pairFates(left.plan, right.plan, messageIds)),
  ].join('\n');
}

function pairSections(left: PromptPlan, right: PromptPlan): string[][] {
  const plans = [left, right];
  return [
    ...SECTIONS.filter((name) => plans.some(({ sections }) => sections?.[name] !== undefined)).map((name) => [
      nameSection(name),
      ...plans.map(({ sections }) => sections && formatNumber(sections[name] ?? 0)),
    ]),
    [words.why.heads.all, ...plans.map(({ totalBytes }) => formatNumber(totalBytes))],
  ].map((cells) => cells.map((cell) => cell ?? ''));
}

/** Neighbours that fared alike in both plans share a row. */
function pairFates(left: PromptPlan, right: PromptPlan, messageIds: readonly MessageId[]): string[][] {
  const [here, there] = [inclusionsOf(left), inclusionsOf(right)];
  const rows: { first: MessageId; last: MessageId; inclusions: readonly string[] }[] = [];
  messageIds.forEach((id, index) => {
    const inclusions = [here[index] ?? '', there[index] ?? ''];
    const row = rows.at(-1);
    if (row !== undefined && row.inclusions.join() === inclusions.join()) row.last = id;
    else rows.push({ first: id, last: id, inclusions });
  });
  return rows.map(({ first, last, inclusions }) => [
    sanitizeToOneLine(first === last ? first : `${first} – ${last}`),
    ...inclusions,
  ]);
}

/** An inclusion for each message, in order. */
function inclusionsOf({ messages }: PromptPlan): string[] {
  return messages.flatMap(({ inclusion, count }) =>
    Array<string>(count).fill(words.why.inclusions[inclusion]),
  );
}
