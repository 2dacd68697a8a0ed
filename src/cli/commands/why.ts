import { english } from '../../catalogue/english.js';
import type { AssemblerOutput, ExplainedPrompt, PromptPlan } from '../../context/types.js';
import type { Conversation } from '../../coordinator/Conversation.js';
import { type ExplainedTurn, explainTurn } from '../../coordinator/explainTurn.js';
import { formatTable } from '../../frontends/tui/formatTable.js';
import type { RecordedEvent } from '../../models/ConversationEvent.js';
import { HuddleError } from '../../models/errors.js';
import { findMember } from '../../models/findMember.js';
import type { TurnId } from '../../models/ids.js';
import type { ConversationReader } from '../../store/Store.js';
import { formatNumber } from '../../utils/formatNumber.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';
import { EXIT_CODES } from '../exitCodes.js';
import { print, printJson, printPieces, type Surroundings, say } from '../Surroundings.js';
import { withSession } from '../sessions.js';
import { formatSideBySide, type ViewBeside, viewBeside } from './whyBeside.js';

export interface WhyOptions {
  readonly turn: string;
  readonly session?: string;
  readonly prompt?: boolean;
  readonly system?: boolean;
  readonly json?: boolean;
  readonly beside?: string;
}

const sentences = english.why;

/** What a member was sent in one turn: what went in, what was left out and why, or the very bytes. */
export function why(options: WhyOptions, surroundings: Surroundings): Promise<number> {
  return withSession(options.session, surroundings, async ({ reader }) => {
    const turn = explain(reader, turnIdOf(options.turn));
    const beside = options.beside === undefined ? undefined : viewBeside(reader, turn, options.beside);
    if (!turn.isExact) say(surroundings, english.cli.warning(sentences.notExact));
    const { output } = beside ?? turn;
    if (options.prompt) await printText(output, 'prompt', surroundings);
    else if (options.system) await printText(output, 'systemFlag', surroundings);
    else if (options.json) printJson(surroundings, describeForPrograms(turn, beside));
    else print(surroundings, formatPlans(turn, beside, namesIn(reader.read(1, 1))));
    return EXIT_CODES.done;
  });
}

/** Who names a turn that never was is told which were. */
function explain(reader: ConversationReader, turnId: TurnId): ExplainedTurn {
  const started: TurnId[] = [];
  for (const event of reader.read()) {
    if (event.type !== 'turn-start') continue;
    if (event.turnId === turnId) return explainTurn(reader.read(), turnId);
    started.push(event.turnId);
  }
  throw new HuddleError('UNKNOWN_TURN', sentences.unknownTurn(sanitizeToOneLine(turnId), started));
}

/** The same for a conversation that is going on; without a turn, of the last one that has started. */
export function explainInTalk(conversation: Pick<Conversation, 'history'>, word: string): string {
  const turnId = word === '' ? findLastTurn(conversation.history()) : turnIdOf(word);
  if (turnId === undefined) return sentences.noTurnYet;
  const turn = explainTurn(conversation.history(), turnId);
  const plans = formatPlans(turn, undefined, namesIn(conversation.history()));
  return turn.isExact ? plans : `${sentences.notExact}\n${plans}`;
}

function findLastTurn(events: Iterable<RecordedEvent>): TurnId | undefined {
  let last: TurnId | undefined;
  for (const event of events) if (event.type === 'turn-start') last = event.turnId;
  return last;
}

/** `3` is short for `turn-3`. */
function turnIdOf(word: string): TurnId {
  return (/^\d+$/u.test(word) ? `turn-${word}` : word) as TurnId;
}

async function printText(
  output: AssemblerOutput,
  part: 'prompt' | 'systemFlag',
  surroundings: Surroundings,
): Promise<void> {
  const text = output[part];
  if (text === undefined) say(surroundings, sentences.noSystemText);
  else await printPieces(surroundings, [text]);
  if (part === 'prompt' && output.systemFlag !== undefined) say(surroundings, sentences.systemBeside);
}

function describeForPrograms(turn: ExplainedTurn, beside: ViewBeside | undefined): object {
  const { turnId, memberId, sent, isExact, lastSeenMessageId } = turn;
  const facts = { turnId, memberId, sent, isExact, lastSeenMessageId, ...describePrompt(turn) };
  return beside === undefined
    ? facts
    : { ...facts, beside: { memberId: beside.memberId, ...describePrompt(beside) } };
}

function describePrompt({ plan, output }: ExplainedPrompt): object {
  return { plan, prompt: output.prompt, systemText: output.systemFlag ?? null };
}

function namesIn(events: Iterable<RecordedEvent>): (memberId: string) => string {
  const [start] = events;
  const members = start?.type === 'conversation-start' ? start.team.members : [];
  return (id) => findMember({ members }, id)?.name ?? id;
}

function formatPlans(
  turn: ExplainedTurn,
  beside: ViewBeside | undefined,
  nameOf: (memberId: string) => string,
): string {
  const { turnId, memberId, sent, plan, isExact } = turn;
  const name = nameOf(memberId);
  return [
    sanitizeToOneLine(sentences.title(turnId, name, sent.latestMessageId)),
    sentences.sent(sent.bytes, plan.maxBytes, sentences.sessions[sent.session]),
    beside === undefined ? formatPlan(plan) : formatBeside({ name, plan }, beside, nameOf),
    sentences.hash(sent.sha256, isExact),
  ].join('\n');
}

function formatBeside(
  own: { readonly name: string; readonly plan: PromptPlan },
  { memberId, plan, messageIds }: ViewBeside,
  nameOf: (memberId: string) => string,
): string {
  const name = nameOf(memberId);
  const table = formatSideBySide(own, { name, plan }, messageIds);
  return `${sanitizeToOneLine(sentences.beside(name))}\n${table}`;
}

function formatPlan({ sections, messages, cutBytes }: PromptPlan): string {
  const { section, bytes, first, count, fate } = sentences.heads;
  const sizes = Object.entries(sections ?? {}).map(([name, size]) => [name, formatNumber(size)]);
  const rows = messages.map((run) => [
    sanitizeToOneLine(run.first === run.last ? run.first : `${run.first} – ${run.last}`),
    String(run.count),
    sentences.fates[run.fate],
  ]);
  return [
    ...(sizes.length > 0 ? [formatTable([{ head: section }, { head: bytes, isNumber: true }], sizes)] : []),
    ...(cutBytes > 0 ? [sentences.cut(cutBytes)] : []),
    formatTable([{ head: first }, { head: count, isNumber: true }, { head: fate }], rows),
  ].join('\n');
}
