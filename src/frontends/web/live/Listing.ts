import { hostname } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { words } from '../../../catalogue/words.js';
import type { House, ListQuery } from '../../../coordinator/Conversations.js';
import { HuddleError } from '../../../models/errors.js';
import type { ConversationId } from '../../../models/ids.js';
import type { Telling } from '../../../presentation/Telling.js';
import type { ConversationSummary } from '../../../store/summary.js';
import { quoteForShell } from '../../../utils/quoteForShell.js';
import { byNeed, openRequests } from '../folds.js';
import type { ConversationListPage, ListedConversation, WireError } from '../wire.js';
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
  /** The code of an error and its sentence for people. */
  readonly describe: (error: unknown) => WireError;
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
    const shown = listed.sort(byNeed).slice(before, before + PAGE);
    const conversations = shown.map((each) => this.withReason(each));
    const next = before + PAGE;
    return { conversations, ...(next < listed.length && { next }) };
  }

  /** The conversations that were opened last: in those alone something can have changed. Without reasons. */
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
    return this.withReason(await this.#describe(summary, place ?? { house, here: [] }, telling));
  }

  /** The conversation with the reason why it cannot be continued here, if it cannot: it takes a while to word. */
  withReason(listed: ListedConversation): ListedConversation {
    const readOnly = whyReadOnly(listed, this.#options.describe);
    return { ...listed, ...(readOnly && { readOnly }) };
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
      ...(openIn !== undefined && { openIn }),
      ...(isDemo && { isDemo }),
      ...(folder !== undefined && !here.includes(folder) && { isElsewhere: true }),
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
    ...(text !== '' && { text }),
    ...(scope === 'here' && { folders: here }),
  };
  for (let from: number | undefined; ; ) {
    const page = await house.list({ ...query, ...(from !== undefined && { from }) });
    found.push(...page.summaries);
    from = page.next;
    if (from === undefined || found.length >= MOST_SORTED) return found;
    await setImmediate();
  }
}

function isElsewhere({ pid, host }: NonNullable<ConversationSummary['holder']>): boolean {
  return pid !== process.pid || host !== hostname();
}

/** The reason why a conversation cannot be continued from here, if it cannot. */
function whyReadOnly(
  listed: ListedConversation,
  describe: (error: unknown) => WireError,
): WireError | undefined {
  const locked = lockOf(listed);
  if (locked !== undefined) return describe(locked);
  const { id, isElsewhere, folder } = listed;
  if (!isElsewhere) return undefined;
  const error = new HuddleError('OTHER_FOLDER', () => words.webLive.otherFolder(id));
  return { ...describe(error), hint: commandThere(id, folder) };
}

/** The error that names the other process which has a conversation open. */
export function lockOf({ id, openIn, holder }: ListedConversation): HuddleError | undefined {
  if (openIn === undefined || holder === undefined) return undefined;
  return new HuddleError('CONVERSATION_LOCKED', { id, ...holder });
}

/** Throws if a conversation is held in another folder, with the command that continues it there. */
export function requireHere({ id, isElsewhere, folder }: ListedConversation): void {
  if (!isElsewhere) return;
  throw new HuddleError('OTHER_FOLDER', () => {
    const { otherFolder, toContinueThere } = words.webLive;
    return toContinueThere(otherFolder(id), commandThere(id, folder));
  });
}

function commandThere(id: ConversationId, folder = '.'): string {
  return `cd ${quoteForShell(folder)} && huddle resume ${id}`;
}
