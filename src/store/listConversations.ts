import type { RecordedEvent } from '../models/ConversationEvent.js';
import type { AnyIterable } from '../utils/AnyIterable.js';
import { foldText } from '../utils/foldText.js';
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

/** A text that is looked for in others, in capitals or not, in whatever form its letters are written. */
export class SearchedText {
  readonly #folded: string;
  /** The same as it stands in JSON; undefined if it cannot be told apart from JSON there. */
  readonly #inJson: string | undefined;

  constructor(text: string) {
    this.#folded = foldText(text);
    this.#inJson = /["\\]/u.test(this.#folded) ? undefined : JSON.stringify(this.#folded).slice(1, -1);
  }

  isIn(text: string): boolean {
    return foldText(text).includes(this.#folded);
  }

  isSaidIn(event: RecordedEvent): boolean {
    return event.type === 'message-added' && this.isIn(event.message.content);
  }

  /** The same of an event as text. Words of a damaged one are not found: reading its conversation tells what is wrong with it. */
  isSaidInBody(body: string): boolean {
    if (!this.#mayBeIn(body)) return false;
    try {
      return this.isSaidIn(JSON.parse(body) as RecordedEvent);
    } catch {
      return false;
    }
  }

  /** Whether an event can be one in which it is said; quicker than reading the event. */
  #mayBeIn(body: string): boolean {
    return this.#inJson === undefined || foldText(body).includes(this.#inJson);
  }
}
