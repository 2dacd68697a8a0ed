import { describeError } from '../../catalogue/errors.js';
import { words } from '../../catalogue/words.js';
import { findChangedSince } from '../../files/changes/fileSteps.js';
import { HuddleError } from '../../models/errors.js';
import type { ConversationId } from '../../models/ids.js';
import {
  type ForkConversationOptions,
  type ForkedConversation,
  forkConversation,
} from '../../store/forkConversation.js';
import { isSafeId } from '../../store/Store.js';
import { quoteForShell } from '../../utils/quoteForShell.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';
import type { CliContext } from '../start/CliContext.js';
import { UsageError } from '../start/reportError.js';
import { withSession } from './storedSessions.js';

/** A session to fork, and where. */
export interface ForkRequest extends Pick<ForkConversationOptions, 'at' | 'before' | 'keepQueue'> {
  /** Id of the session; the latest by default. */
  readonly session?: string | undefined;
  /** Id of the fork. */
  readonly id?: string | undefined;
}

/** A fork that was saved, and what people should know about it. */
export interface SavedFork extends ForkedConversation {
  readonly from: ConversationId;
  /** Names of the members whose turns were dropped. */
  readonly droppedNames: readonly string[];
  /** Commands that undo what was changed in files after the cut. */
  readonly undoCommands: readonly string[];
}

/** Saves a fork of a saved session, also of one that is open. Starts nothing, and changes no file of the user. */
export async function forkSession(request: ForkRequest, context: CliContext): Promise<SavedFork> {
  const { session, id, at, before, keepQueue } = request;
  if (id !== undefined && !isSafeId(id)) throw new UsageError(words.sessions.unsafeId(sanitizeToOneLine(id)));
  return withSession(session, context, async ({ reader, summary, store }) => {
    if (summary.messages === 0) throw new UsageError(words.forks.empty(summary.id));
    const options = {
      ...{ at, before, keepQueue },
      as: id as ConversationId | undefined,
      folder: summary.folder,
      holdContents: (forkId: ConversationId, contentIds: ReadonlySet<string>) =>
        hold(context, forkId, contentIds),
    };
    const forked = await orExplainTaken(() => forkConversation(store, summary.id, options));
    const nameOf = (memberId: string) => summary.members.find((member) => member.id === memberId)?.name;
    const changed = await findChangedSince(reader.read(), forked.upTo);
    return {
      ...forked,
      from: summary.id,
      droppedNames: forked.dropped.map(({ memberId }) => nameOf(memberId) ?? memberId),
      undoCommands: changed.map((what) => `huddle undo ${what} --session ${quoteForShell(summary.id)}`),
    };
  });
}

/** The lines about a fork, for its user. `asked` is the message that was named. */
export function describeFork(
  { from, messageId, isMoved, droppedNames, undoCommands }: SavedFork,
  asked: string | undefined,
  isChat = false,
): readonly string[] {
  const { copied, moved, dropped, droppedInChat, toUndo } = words.forks;
  return [
    copied(from, messageId),
    ...(isMoved && asked !== undefined ? [moved(asked)] : []),
    ...(droppedNames.length > 0 ? [(isChat ? droppedInChat : dropped)(droppedNames)] : []),
    ...(undoCommands.length > 0 ? [toUndo(undoCommands)] : []),
  ].map(sanitizeToOneLine);
}

async function hold(
  { dataFolder }: CliContext,
  id: ConversationId,
  contentIds: ReadonlySet<string>,
): Promise<void> {
  const { holdContents } = await import('../../files/letGo.js');
  await holdContents(dataFolder, id, contentIds);
}

async function orExplainTaken<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof HuddleError && error.code === 'CONVERSATION_EXISTS')) throw error;
    throw new HuddleError(error.code, words.forks.exists(describeError(error)), { cause: error });
  }
}
