import type { ConversationId } from '../../../models/ids.js';
import type { Frames, ListedConversation } from '../wire.js';

export interface SessionWatchOptions {
  /** The conversations in which something may have changed. */
  readonly latest: () => Promise<readonly ListedConversation[]>;
  /** The conversations with these ids as they are now, but for those that there are not. */
  readonly find: (ids: readonly ConversationId[]) => Promise<readonly ListedConversation[]>;
  /** Whether anyone is told. */
  readonly isWatched: () => boolean;
  readonly tell: (changes: Frames['sessions']) => void;
  readonly onError: (error: unknown) => void;
  readonly lookMilliseconds: number;
}

/** Own changes are told together this long after the first of them. */
const JOINED_MILLISECONDS = 200;
/** The time of the last change alone is told again after this. */
const TIME_STEP = 10_000;
const MOST_KNOWN = 1000;

/** Tells which conversations changed, in this process and in others, as long as someone is told. */
export class SessionWatch {
  readonly #options: SessionWatchOptions;
  /** Conversations as they were told last. */
  readonly #known = new Map<ConversationId, string>();
  /** The ids that were found in the last look. */
  #latest: readonly ConversationId[] = [];
  readonly #changed = new Set<ConversationId>();
  #joining: NodeJS.Timeout | undefined;
  #looking: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: SessionWatchOptions) {
    this.#options = options;
  }

  /** Looks now and then, while someone is told. */
  watch(): void {
    if (this.#isClosed || !this.#options.isWatched()) return;
    this.#looking ??= setTimeout(() => {
      this.#look()
        .catch(this.#options.onError)
        .finally(() => {
          this.#looking = undefined;
          this.watch();
        });
    }, this.#options.lookMilliseconds).unref();
  }

  /** Notes that something was recorded in a conversation of this process. */
  noteChange(id: ConversationId): void {
    if (this.#isClosed || !this.#options.isWatched()) return;
    this.#changed.add(id);
    this.#joining ??= setTimeout(() => {
      this.#joining = undefined;
      const ids = [...this.#changed];
      this.#changed.clear();
      this.#options.find(ids).then((found) => this.note(found), this.#options.onError);
    }, JOINED_MILLISECONDS).unref();
  }

  /** Tells those that are not as they were told last. */
  note(listed: readonly ListedConversation[]): void {
    const changed = listed.filter(({ messages }) => messages > 0).filter((each) => this.#isNews(each));
    if (changed.length > 0) this.#options.tell({ changed, deleted: [] });
  }

  noteDeleted(ids: readonly ConversationId[]): void {
    if (ids.length === 0) return;
    for (const id of ids) this.#known.delete(id);
    this.#options.tell({ changed: [], deleted: ids });
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#joining);
    clearTimeout(this.#looking);
  }

  async #look(): Promise<void> {
    const { latest, find } = this.#options;
    const listed = await latest();
    const ids = listed.map(({ id }) => id);
    const missing = this.#latest.filter((id) => !ids.includes(id));
    this.#latest = ids;
    this.note(listed);
    const left = missing.length === 0 ? [] : (await find(missing)).map(({ id }) => id);
    this.noteDeleted(missing.filter((id) => !left.includes(id)));
  }

  #isNews(listed: ListedConversation): boolean {
    const { id, changedAt } = listed;
    const told = JSON.stringify({
      ...listed,
      changedAt: Math.floor(changedAt / TIME_STEP),
    });
    if (this.#known.get(id) === told) return false;
    this.#known.delete(id);
    this.#known.set(id, told);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= MOST_KNOWN) break;
      this.#known.delete(oldest);
    }
    return true;
  }
}
