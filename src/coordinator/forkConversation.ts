import type { ConversationStart, RecordedEvent } from '../models/ConversationEvent.js';
import { HuddleError } from '../models/errors.js';
import type { ConversationId } from '../models/ids.js';
import { numberFacts } from '../store/numberFacts.js';
import { type CreateOptions, createWhole, type Store } from '../store/Store.js';
import { toArray } from '../utils/AnyIterable.js';
import { createConversationId } from './ConversationStarter.js';
import { type ForkCut, type ForkPlace, forkEvents } from './forkEvents.js';

/** Options of `forkConversation`. */
export interface ForkConversationOptions extends ForkPlace, CreateOptions {
  /** Keeps the turns that waited at this place: `resume` of the fork runs them. Default: they are dropped. */
  readonly keepQueue?: boolean | undefined;
  /** The id of the fork. Default: a new one. */
  readonly as?: ConversationId | undefined;
  /** Milliseconds since 1970, for tests. Default: `Date.now`. */
  readonly clock?: (() => number) | undefined;
  /** Holds contents of files that the fork names, before it is written: without the original they would be let go. */
  readonly holdContents?:
    | ((id: ConversationId, contentIds: ReadonlySet<string>) => Promise<void>)
    | undefined;
}

/** A fork that was saved. */
export interface ForkedConversation extends ForkCut {
  readonly id: ConversationId;
}

/**
 * Saves a copy of the beginning of a conversation, which continues on its own. The original is only read: it does not matter
 * who has it open.
 *
 * @throws {@link UnknownConversationError} (as a rejection) if the store has no conversation with this id.
 * @throws {@link ConversationExistsError} (as a rejection) if the store has the id `as`.
 * @throws {@link HuddleError} `UNKNOWN_MESSAGE` or `UNKNOWN_TURN` (as a rejection) if it does not have that place.
 *
 * @example
 * ```ts
 * const { id } = await forkConversation(store, original.id, { at: 'msg-5' });
 * const fork = await resumeConversation({ id, team, store });
 * ```
 */
export async function forkConversation(
  store: Store,
  from: ConversationId,
  options: ForkConversationOptions = {},
): Promise<ForkedConversation> {
  const { at, before, beforeTurn, keepQueue = false, as, folder, clock = Date.now } = options;
  const events = await readAll(store, from);
  const { facts, added, cut } = forkEvents(events, { at, before, beforeTurn }, { keep: () => keepQueue });
  const write = async (id: ConversationId): Promise<ForkedConversation> => {
    const all = [...renameStart(facts, id), ...numberFacts(added, cut.upTo, clock())];
    await createWhole(
      store,
      id,
      async (log) => {
        await options.holdContents?.(id, contentsOf(facts));
        await log.restore(all);
      },
      { folder },
    );
    return { id, ...cut };
  };
  if (as !== undefined) return write(as);
  try {
    return await write(createConversationId(clock()));
  } catch (error) {
    if (!(error instanceof HuddleError) || error.code !== 'CONVERSATION_EXISTS') throw error;
    return write(createConversationId(clock()));
  }
}

async function readAll(store: Store, id: ConversationId): Promise<RecordedEvent[]> {
  const reader = await store.read(id);
  try {
    return await toArray(reader.read());
  } finally {
    await reader.close();
  }
}

/** The same facts under another id. What follows them is not masked, whatever they are. */
function* renameStart(facts: readonly RecordedEvent[], id: ConversationId): Generator<RecordedEvent> {
  for (const fact of facts) yield fact.type === 'conversation-start' ? startOf(fact, id) : fact;
}

function startOf<Start extends ConversationStart>(start: Start, conversationId: ConversationId): Start {
  const { redacted: _, ...rest } = start;
  return { ...rest, conversationId } as Start;
}

/** The contents before and after every recorded change. */
function contentsOf(facts: readonly RecordedEvent[]): ReadonlySet<string> {
  return new Set(
    facts.flatMap((fact) =>
      fact.type === 'files-recorded'
        ? fact.files.flatMap(({ before, after }) => [before, after].flatMap((state) => state?.id ?? []))
        : [],
    ),
  );
}
