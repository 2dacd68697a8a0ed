import { existsSync } from 'node:fs';
import { words } from '../../catalogue/words.js';
import { applyToStatus } from '../../conversation/ConversationStatus.js';
import { loadStatus } from '../../coordinator/loadConversation.js';
import { FileRecorder } from '../../files/recorder/FileRecorder.js';
import { HuddleError } from '../../models/errors.js';
import type { MemberId } from '../../models/ids.js';
import type { ConversationLog, ConversationReader } from '../../store/Store.js';
import type { ConversationSummary } from '../../store/summary.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';
import type { OpenedSession } from '../sessions/storedSessions.js';
import { type CliContext, type Stop, say } from '../start/CliContext.js';
import { stopOnSignals } from '../start/stopOnSignals.js';

/** The files of a saved session, and who acts on them. */
export interface StoredFiles {
  readonly keeper: FileRecorder;
  readonly folder: string;
  readonly memberId: MemberId;
  /** The exit code of a signal that came while files were moved, and waited. */
  readonly exitCode: () => number | undefined;
  close(): Promise<void>;
}

/** Opens the files of a saved session. Changes are recorded if its log is open for writing. */
export async function openStoredFiles(
  { reader, summary }: OpenedSession<ConversationReader | ConversationLog>,
  context: CliContext,
): Promise<StoredFiles> {
  const folder = requireFolder(summary);
  const { openWorkspace } = await import('../../files/openWorkspace.js');
  const { dataFolder, env } = context;
  const log = 'append' in reader ? reader : undefined;
  let status = await loadStatus(reader);
  let stop: Stop | undefined;
  const keeper = new FileRecorder({
    folder,
    openWorkspace: async () => openWorkspace({ folder, dataFolder, conversationId: summary.id, env }),
    record: (facts) => {
      log?.append(facts);
      status = facts.reduce(applyToStatus, status);
    },
    status: () => status,
    kept: async () => log?.kept(),
    history: () => reader.read(),
    restoredSeq: reader.restoredSeq ?? 0,
    protect: (work) => whileSignalsWait(work, context, (signalled) => (stop ??= signalled)),
  });
  const { members } = await keeper.readHistory();
  const person = members.find(({ type }) => type === 'human')?.id ?? (context.userName || 'you');
  return {
    keeper,
    folder,
    memberId: person as MemberId,
    exitCode: () => stop?.exitCode,
    close: () => keeper.close(),
  };
}

function requireFolder({ folder }: ConversationSummary): string {
  if (folder === undefined) throw new HuddleError('FILES_NOT_RECORDED', words.files.noFolder);
  if (!existsSync(folder))
    throw new HuddleError('FILES_NOT_RECORDED', words.files.notHere(sanitizeToOneLine(folder)));
  return folder;
}

/** Does what a signal waits for; a second one does not. */
async function whileSignalsWait<Value>(
  work: () => Promise<Value>,
  context: CliContext,
  onStop: (stop: Stop | undefined) => void,
): Promise<Value> {
  const stop = new AbortController();
  const release = stopOnSignals({ stop, host: context.host });
  stop.signal.addEventListener('abort', () => say(context, words.files.finishesFirst));
  try {
    return await work();
  } finally {
    release();
    onStop(stop.signal.reason as Stop | undefined);
  }
}
