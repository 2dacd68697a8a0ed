import { existsSync } from 'node:fs';
import { words } from '../catalogue/words.js';
import { readFileHistory } from '../conversation/files/fileHistory.js';
import { makeRecord } from '../coordinator/files/filesFacts.js';
import type { FileKeeper, FilePlace } from '../coordinator/files/performFileAction.js';
import { loadStatus } from '../coordinator/loadConversation.js';
import type { ConversationFact, FilesRecorded } from '../models/ConversationEvent.js';
import { HuddleError } from '../models/errors.js';
import type { MemberId } from '../models/ids.js';
import type { ConversationLog, ConversationReader } from '../store/Store.js';
import type { ConversationSummary } from '../store/summary.js';
import { sanitizeToOneLine } from '../utils/sanitize.js';
import type { NotRecordedResult, Workspace } from '../workspace/Workspace.js';
import type { CliContext } from './CliContext.js';
import type { OpenedSession } from './sessions.js';

/** The files of a saved session, and who acts on them. */
export interface StoredFiles {
  readonly keeper: FileKeeper;
  readonly folder: string;
  readonly memberId: MemberId;
  close(): Promise<void>;
}

/** Opens the files of a saved session. Changes are recorded if its log is open for writing. */
export async function openStoredFiles(
  { reader, summary }: OpenedSession<ConversationReader | ConversationLog>,
  context: CliContext,
): Promise<StoredFiles> {
  const folder = requireFolder(summary);
  const { openWorkspace } = await import('../workspace/openWorkspace.js');
  const { dataFolder, env } = context;
  const workspace = openWorkspace({ folder, dataFolder, conversationId: summary.id, env });
  const { members } = await readFileHistory(reader.read(1, 1));
  const person = members.find(({ type }) => type === 'human')?.id ?? (context.userName || 'you');
  return {
    keeper: new StoredFileKeeper(reader, workspace),
    folder,
    memberId: person as MemberId,
    close: () => workspace.close(),
  };
}

function requireFolder({ folder }: ConversationSummary): string {
  if (folder === undefined) throw new HuddleError('FILES_NOT_RECORDED', words.files.noFolder);
  if (!existsSync(folder))
    throw new HuddleError('FILES_NOT_RECORDED', words.files.notHere(sanitizeToOneLine(folder)));
  return folder;
}

/** Keeps the files of a session that is not running. */
class StoredFileKeeper implements FileKeeper {
  readonly #reader: ConversationReader;
  /** Absent: the log is open for reading, for a dry run that records nothing. */
  readonly #append: ((fact: ConversationFact) => Promise<void>) | undefined;
  readonly #workspace: Workspace;
  #off: NotRecordedResult | undefined;
  /** There is an earlier record of the folder, so that a new one tells what changed since. */
  #isKnown = false;

  constructor(reader: ConversationReader | ConversationLog, workspace: Workspace) {
    this.#reader = reader;
    this.#append = 'append' in reader ? (fact) => append(reader, fact) : undefined;
    this.#workspace = workspace;
  }

  history = () => this.#reader.read();
  get restoredSeq(): number {
    return this.#reader.restoredSeq ?? 0;
  }
  reasonOff = () => this.#off;

  async workspace(): Promise<Workspace> {
    const opening = await this.#workspace.open();
    if (opening.kind === 'not-recorded') this.#off = opening;
    this.#isKnown = opening.kind === 'known';
    return this.#workspace;
  }

  /** Changes of a turn that was cut off with its process are still to be recorded: late, so others may have a part in them. */
  async catchUp(place: FilePlace): Promise<boolean> {
    const { recording } = await loadStatus(this.#reader);
    const missed = recording.unrecorded.filter(({ copyOf }) => copyOf === place.copyOf);
    if (missed.length === 0 || !this.#isKnown) return this.#record({ kind: 'others' }, place);
    return this.#record({ kind: 'turns', turnIds: missed.map(({ turnId }) => turnId) }, place, {
      isLate: true,
    });
  }

  recordBy(by: FilesRecorded['by'], place: FilePlace): Promise<boolean> {
    return this.#record(by, place);
  }

  async #record(
    by: FilesRecorded['by'],
    place: FilePlace,
    more: Pick<FilesRecorded, 'isLate'> = {},
  ): Promise<boolean> {
    const { copyOf } = place;
    const found = await this.#workspace.record({ copyOf, withPatch: by.kind !== 'others' });
    if (found.kind === 'not-recorded') {
      this.#off = found;
      return false;
    }
    if (by.kind !== 'others' || found.files.length > 0)
      await this.#append?.({ ...makeRecord(found, by, place), ...more });
    return true;
  }
}

async function append(log: ConversationLog, fact: ConversationFact): Promise<void> {
  log.append([fact]);
  await log.kept();
}
