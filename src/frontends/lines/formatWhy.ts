import { nameSection } from '../../catalogue/formats.js';
import type { Catalogue } from '../../catalogue/words.js';
import { type ExplainedTurn, explainTurn } from '../../coordinator/explainTurn.js';
import type { RecordedEvent } from '../../models/ConversationEvent.js';
import { HuddleError } from '../../models/errors.js';
import type { TurnId } from '../../models/ids.js';
import { namesIn, showMembers } from '../../presentation/Telling.js';
import { formatNumber } from '../../utils/formatNumber.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';
import { formatTable } from './formatTable.js';

/** Reads a log from its beginning, as often as it is called. */
type ReadLog = () => AsyncIterable<RecordedEvent>;

/** Explains a turn by its name, by default the last one. The error for an unknown one lists the known turns. */
export async function explainNamedTurn(
  read: ReadLog,
  word: string | undefined,
  words: Catalogue,
): Promise<ExplainedTurn> {
  const turnId = word === undefined ? await findLastTurn(read()) : readTurnId(word);
  if (turnId === undefined) throw new HuddleError('UNKNOWN_TURN', words.why.noTurnYet);
  const started: TurnId[] = [];
  for await (const event of read()) {
    if (event.type !== 'turn-start') continue;
    if (event.turnId === turnId) return explainTurn(read(), turnId);
    started.push(event.turnId);
  }
  throw new HuddleError('UNKNOWN_TURN', words.why.unknownTurn(sanitizeToOneLine(turnId), started));
}

/** `17 prompt`, as it is typed in a conversation: a turn, the last one by default, and the part of it that is wanted byte for byte. */
const TYPED = /^(?<turn>\S*?)(?:(?:^|\s+)-{0,2}(?<part>prompt|system))?$/iu;

/** Answers `/why`: what a turn was sent and what was left out, or the very text. */
export async function explainAsTyped(
  read: ReadLog,
  typed: string,
  nameOf: (memberId: string) => string,
  words: Catalogue,
): Promise<string> {
  const { turn: word = '', part } = TYPED.exec(typed.trim())?.groups ?? { turn: typed };
  if (/\s/u.test(word)) throw new HuddleError('UNKNOWN_TURN', words.why.howToAsk(sanitizeToOneLine(word)));
  const named = word === '' ? await findLastTurn(read()) : word;
  if (named === undefined) return words.why.noTurnYet;
  const turn = await explainNamedTurn(read, named, words);
  const text = part === undefined ? formatWhy(turn, nameOf, words) : textOf(turn, part.toLowerCase(), words);
  return turn.isExact ? text : `${words.why.notExact}\n\n${text}`;
}

function textOf(
  { turnId, output: { prompt, systemFlag } }: ExplainedTurn,
  part: string,
  words: Catalogue,
): string {
  if (part === 'system') return systemFlag ?? words.why.noSystemText;
  return systemFlag === undefined ? prompt : `${prompt}\n\n${words.why.systemInChat(turnId)}`;
}

async function findLastTurn(events: AsyncIterable<RecordedEvent>): Promise<TurnId | undefined> {
  let last: TurnId | undefined;
  for await (const event of events) if (event.type === 'turn-start') last = event.turnId;
  return last;
}

/** `3` is short for `turn-3`. */
export function readTurnId(word: string): TurnId {
  return (/^\d+$/u.test(word) ? `turn-${word}` : word) as TurnId;
}

/** Looks up the names of the members that a log begins with. */
export async function readMemberNames(
  events: AsyncIterable<RecordedEvent>,
): Promise<(memberId: string) => string> {
  for await (const event of events)
    if (event.type === 'conversation-start') return namesIn({ members: showMembers(event.team.members) });
  return (memberId) => memberId;
}

/** Formats what a member was sent: its size, what went in, what was left out and why. `table`: a comparison instead of that. */
export function formatWhy(
  { turnId, memberId, sent, plan, isExact }: ExplainedTurn,
  nameOf: (memberId: string) => string,
  words: Catalogue,
  table = formatPlan(plan, words),
): string {
  return [
    sanitizeToOneLine(words.why.title(turnId, nameOf(memberId), sent.latestMessageId)),
    words.why.sent(sent.bytes, plan.maxBytes, words.why.sessions[sent.session]),
    table,
    words.why.hash(sent.sha256, isExact),
  ].join('\n');
}

function formatPlan({ sections, messages, cutBytes }: ExplainedTurn['plan'], words: Catalogue): string {
  const { section, bytes, first, count, inclusion } = words.why.heads;
  const sizes = Object.entries(sections ?? {}).map(([name, size]) => [
    nameSection(name, words),
    formatNumber(size),
  ]);
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
