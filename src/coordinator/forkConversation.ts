import { readFileHistory } from '../conversation/files/fileHistory.js';
import type { ConversationStart, RecordedEvent } from '../models/ConversationEvent.js';
import { HuddleError } from '../models/errors.js';
import type { ConversationId } from '../models/ids.js';
import type { CreateOptions, Store } from '../store/Store.js';
import { toArray } from '../utils/AnyIterable.js';
import { createConversationId } from './ConversationStarter.js';
import { type ForkCut, type ForkPlace, forkEvents } from './forkEvents.js';

/** Options of `forkConversation`. */
export interface ForkConversationOptions extends ForkPlace, CreateOptions {
  /** Keeps the turns that waited at this place: `resume` of the fork runs them. Default: they are dropped. */
  readonly keepQueue?: boolean | undefined;
  /** The id of the fork. Default: a new one. */
  readonly as?: ConversationId | undefined;
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
 * const fork = await forkConversation(store, id, { at: 'msg-5' });
 * const conversation = await resumeConversation({ id: fork.id, team, store });
 * ```
 */
export async function forkConversation(
  store: Store,
  from: ConversationId,
  options: ForkConversationOptions = {},
): Promise<ForkedConversation> {
  const { at, before, beforeTurn, keepQueue = false, as, folder, holdContents } = options;
  const { events, importedSeq } = await readAll(store, from);
  const forked = forkEvents(events, { at, before, beforeTurn }, { keep: () => keepQueue, importedSeq });
  const { facts, added, cut } = forked;
  const save = async (id: ConversationId): Promise<ForkedConversation> => {
    const isTaken = (await store.find(id)).some((known) => known.id === id && known.state !== 'empty');
    // Before anything is held in the name of a conversation that is another one.
    if (isTaken) throw new HuddleError('CONVERSATION_EXISTS', { id });
    await holdContents?.(id, contentsOf(facts));
    await store.createWhole(id, { restored: renameStart(facts, id), added }, { folder });
    return { id, ...cut };
  };
  if (as !== undefined) return save(as);
  try {
    return await save(createConversationId(Date.now()));
  } catch (error) {
    if (!(error instanceof HuddleError) || error.code !== 'CONVERSATION_EXISTS') throw error;
    return save(createConversationId(Date.now()));
  }
}

async function readAll(store: Store, id: ConversationId) {
  const reader = await store.read(id);
  try {
    const events = await toArray(reader.read());
    return { events, importedSeq: (await readFileHistory(events, reader.restoredSeq)).importedSeq };
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
