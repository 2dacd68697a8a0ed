import type { AnyIterable } from '../utils/AnyIterable.js';
import { SearchedText } from './SearchedText.js';
import type { ConversationPage, ConversationQuery } from './Store.js';
import type { ConversationSummary } from './summary.js';

/** A conversation and its place in the order of openings, which only counts up. */
export interface ListedEntry {
  readonly opened: number;
  readonly summary: ConversationSummary;
  /** Looks through its messages, which takes time. */
  readonly hasMessageWith: (text: SearchedText) => boolean | Promise<boolean>;
}

/** Takes one page from a list in the order of openings, the latest first. */
export async function takePage(
  listed: AnyIterable<ListedEntry>,
  query: ConversationQuery,
): Promise<ConversationPage> {
  const summaries: ConversationSummary[] = [];
  const { limit, lookedAt = Number.POSITIVE_INFINITY } = query;
  let [next, looks] = [0, 0];
  const isWanted = createFilter(query);
  for await (const conversation of listed) {
    if (looks === lookedAt) return { summaries, next };
    const { opened, summary } = conversation;
    const isTaken = await isWanted(conversation);
    if (isTaken && summaries.length === limit) return { summaries, next };
    looks++;
    next = opened;
    if (isTaken) summaries.push(summary);
  }
  return { summaries };
}

function createFilter({
  folders,
  text = '',
  isReal = false,
}: ConversationQuery): (listed: ListedEntry) => boolean | Promise<boolean> {
  const searched = text === '' ? undefined : new SearchedText(text);
  return ({ summary, hasMessageWith }) => {
    const { folder, title } = summary;
    if (isReal && !isOfRealAgents(summary)) return false;
    const isHere = folder === undefined || folders === undefined || folders.includes(folder);
    if (!isHere) return false;
    return searched === undefined || searched.isIn(title) || hasMessageWith(searched);
  };
}

function isOfRealAgents({ state, messages, isRehearsal }: ConversationSummary): boolean {
  return state === 'damaged' || (messages > 0 && !isRehearsal);
}

/** Finds a conversation by its id, else all by a beginning or the last part of it. */
export function findMeant(listed: Iterable<ListedEntry>, word: string): ConversationSummary[] {
  const summaries = [...listed].map(({ summary }) => summary);
  const same = summaries.find(({ id }) => id === word);
  if (same !== undefined) return [same];
  return summaries.filter(({ id }) => word !== '' && (id.startsWith(word) || id.endsWith(`-${word}`)));
}
