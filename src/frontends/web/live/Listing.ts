import { hostname } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import type { House, ListQuery } from '../../../coordinator/Conversations.js';
import { HuddleError } from '../../../models/errors.js';
import type { ConversationId } from '../../../models/ids.js';
import type { Telling } from '../../../presentation/Telling.js';
import type { ConversationSummary } from '../../../store/summary.js';
import { byNeed, openRequests, resumeCommand } from '../folds.js';
import type { ConversationListPage, ListedConversation } from '../wire.js';
import type { ListedHouse } from './Houses.js';
import type { KnownStates } from './LogTail.js';
import { readEnd } from './readBlocks.js';

/** Conversations of a page. */
const PAGE = 50;
/** Conversations that are sorted; older ones are found by their text. */
const MOST_SORTED = 2000;
/** Conversations that are looked at without a pause. Their text is searched in whole logs. */
const LOOKED_AT = { plain: 200, text: 2 };

const MOST_BUSY = 100;

interface ListingOptions {
  readonly houses: () => readonly ListedHouse[];
  readonly folder: string;
  readonly states: KnownStates;
  /** The telling of a conversation that is followed. */
  readonly tellingOf: (id: ConversationId) => Telling | undefined;
}

/** A place to look for conversations. */
interface Place extends ListedHouse {
  /** The folders whose conversations are those of here. */
  readonly here: readonly string[];
}

/** Conversations as they are listed. */
export class Listing {
  readonly #options: ListingOptions;
  /** Tellings of conversations that run in other processes, by the time of their last change. */
  readonly #busy = new Map<ConversationId, { readonly changedAt: number; readonly telling: Telling }>();

  constructor(options: ListingOptions) {
    this.#options = options;
  }

  /** A page of all that fit, sorted by what needs a person first. */
  async page(query: {
    readonly scope: 'here' | 'all';
    readonly text?: string | undefined;
    readonly before?: number | undefined;
  }): Promise<ConversationListPage> {
    const { scope, text = '', before = 0 } = query;
    const listed: ListedConversation[] = [];
    for (const place of await this.#places()) {
      const found = await find(place, scope, text.trim());
      for (const summary of found) listed.push(await this.#describe(summary, place));
    }
    const next = before + PAGE;
    const conversations = listed.sort(byNeed).slice(before, next);
    return { conversations, next: next < listed.length ? next : undefined };
  }

  /** The conversations that were opened last: in those alone something can have changed. */
  async latest(): Promise<readonly ListedConversation[]> {
    const listed: ListedConversation[] = [];
    for (const place of await this.#places()) {
      const { summaries } = await place.house.list({ limit: PAGE });
      for (const summary of summaries) listed.push(await this.#describe(summary, place));
    }
    return listed;
  }

  /** A single conversation; `telling` if it was read already. */
  async describe(summary: ConversationSummary, house: House, telling?: Telling): Promise<ListedConversation> {
    const places = await this.#places();
    const place = places.find((each) => each.house === house);
    return this.#describe(summary, place ?? { house, here: [] }, telling);
  }

  async #places(): Promise<readonly Place[]> {
    const { houses, folder } = this.#options;
    return Promise.all(
      houses().map(async (listed) => ({ ...listed, here: await listed.house.foldersOf(folder) })),
    );
  }

  async #describe(
    summary: ConversationSummary,
    { isDemo, here, house }: Place,
    read?: Telling,
  ): Promise<ListedConversation> {
    const { id, holder, folder } = summary;
    const isHeldElsewhere = holder !== undefined && isElsewhere(holder);
    // In a store that others share, one follows the process that holds it.
    const openIn = isHeldElsewhere && holder.role === undefined ? holder.pid : undefined;
    const isBusyElsewhere = isHeldElsewhere && summary.running.length > 0;
    const telling =
      read ??
      this.#options.tellingOf(id) ??
      (isBusyElsewhere ? await this.#readTelling(house, summary) : undefined);
    return {
      ...summary,
      requests: telling === undefined ? [] : openRequests(telling),
      openIn,
      isDemo,
      isElsewhere: folder === undefined || here.includes(folder) ? undefined : true,
    };
  }

  async #readTelling(house: House, { id, changedAt }: ConversationSummary): Promise<Telling> {
    const known = this.#busy.get(id);
    if (known?.changedAt === changedAt) return known.telling;
    const { reader } = await house.read(id);
    try {
      const { telling } = await readEnd(reader, 1, this.#options.states);
      if (this.#busy.size >= MOST_BUSY) this.#busy.clear();
      this.#busy.set(id, { changedAt, telling });
      return telling;
    } finally {
      await reader.close();
    }
  }
}

async function find(
  { house, here }: Place,
  scope: 'here' | 'all',
  text: string,
): Promise<readonly ConversationSummary[]> {
  const found: ConversationSummary[] = [];
  const query: ListQuery = {
    limit: LOOKED_AT.plain,
    lookedAt: text === '' ? LOOKED_AT.plain : LOOKED_AT.text,
    text: text === '' ? undefined : text,
    folders: scope === 'here' ? here : undefined,
  };
  for (let from: number | undefined; ; ) {
    const page = await house.list({ ...query, from });
    found.push(...page.summaries);
    from = page.next;
    if (from === undefined || found.length >= MOST_SORTED) return found;
    await setImmediate();
  }
}

function isElsewhere({ pid, host }: NonNullable<ConversationSummary['holder']>): boolean {
  return pid !== process.pid || host !== hostname();
}

/** The error that names the other process which has a conversation open. */
export function lockOf({ id, openIn, holder }: ListedConversation): HuddleError | undefined {
  if (openIn === undefined || holder === undefined) return undefined;
  return new HuddleError('CONVERSATION_LOCKED', { id, ...holder });
}

/** Throws if a conversation is held in another folder, with the command that continues it there. */
export function requireHere({ id, isElsewhere, folder }: ListedConversation): void {
  if (!isElsewhere) return;
  throw new HuddleError('OTHER_FOLDER', { id, command: resumeCommand(id, folder) });
}
