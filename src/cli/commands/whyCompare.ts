import { nameSection } from '../../catalogue/formats.js';
import { words } from '../../catalogue/words.js';
import type { PromptPlan } from '../../context/types.js';
import { compareViews, type ExplainedTurn, type MemberViewAt } from '../../coordinator/explainTurn.js';
import { formatTable } from '../../frontends/lines/formatTable.js';
import { HuddleError } from '../../models/errors.js';
import type { MemberId, MessageId } from '../../models/ids.js';
import type { ConversationReader } from '../../store/Store.js';
import { foldName } from '../../utils/foldName.js';
import { formatNumber } from '../../utils/formatNumber.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';

const SECTIONS = ['system', 'task', 'context', 'files', 'message'] as const;

/** The view another member would have had at the moment a turn began, and the messages there were. */
export interface ComparedView extends MemberViewAt {
  readonly messageIds: readonly MessageId[];
}

/** Finds the view of another member at the beginning of a turn. Rejects with UNKNOWN_MEMBER. */
export async function compareWith(
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
export function formatSideBySide(
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
