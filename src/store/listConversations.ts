import { SearchedText } from './SearchedText.js';
import type { ConversationPage, ConversationQuery } from './Store.js';
import type { ConversationSummary } from './summary.js';

/** A conversation and its place in the order of openings, which only counts up. */
export interface ListedConversation {
  readonly opened: number;
  readonly summary: ConversationSummary;
  /** Looks through its messages, which takes time. */
  readonly hasMessageWith: (text: SearchedText) => boolean;
}

/** Takes one page from a list in the order of openings, the latest first. */
export function takePage(listed: Iterable<ListedConversation>, query: ConversationQuery): ConversationPage {
  const summaries: ConversationSummary[] = [];
  let next = 0;
  const isWanted = createFilter(query);
  for (const conversation of listed) {
    if (!isWanted(conversation)) continue;
    const { opened, summary } = conversation;
    if (summaries.length === query.limit) return { summaries, next };
    summaries.push(summary);
    next = opened;
  }
  return { summaries };
}

function createFilter({
  folders,
  text = '',
  isReal = false,
}: ConversationQuery): (listed: ListedConversation) => boolean {
  const searched = text === '' ? undefined : new SearchedText(text);
  return ({ summary, hasMessageWith }) => {
    const { folder, title } = summary;
    if (isReal && !isOfRealAgents(summary)) return false;
    const isHere = folder === undefined || folders === undefined || folders.includes(folder);
    return isHere && (searched === undefined || searched.isIn(title) || hasMessageWith(searched));
  };
}

function isOfRealAgents({ state, messages, isRehearsal }: ConversationSummary): boolean {
  return state === 'damaged' || (messages > 0 && !isRehearsal);
}

/** Finds a conversation by its id, else all by a beginning or the last part of it. */
export function findMeant(listed: Iterable<ListedConversation>, word: string): ConversationSummary[] {
  const summaries = [...listed].map(({ summary }) => summary);
  const same = summaries.find(({ id }) => id === word);
  if (same !== undefined) return [same];
  return summaries.filter(({ id }) => word !== '' && (id.startsWith(word) || id.endsWith(`-${word}`)));
}
