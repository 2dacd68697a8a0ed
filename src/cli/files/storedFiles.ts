import { existsSync } from 'node:fs';
import { words } from '../../catalogue/words.js';
import { loadStatus } from '../../coordinator/loadConversation.js';
import {
  type FileKeeper,
  type FilePlace,
  type FinishedAction,
  finishFileAction,
} from '../../files/actions/performFileAction.js';
import { readFileHistory } from '../../files/changes/fileHistory.js';
import { makeRecord, makeRecordsOfAction } from '../../files/recorder/filesFacts.js';
import type {
  NotRecordedResult,
  PlannedFile,
  RecordedFolder,
  RecordOptions,
  Workspace,
} from '../../files/Workspace.js';
import type { ConversationFact, FilesRecorded } from '../../models/ConversationEvent.js';
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
  readonly keeper: FileKeeper;
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
  const workspace = openWorkspace({ folder, dataFolder, conversationId: summary.id, env });
  const { members } = await readFileHistory(reader.read(1, 1));
  const keeper = new StoredFileKeeper(reader, workspace, context);
  const person = members.find(({ type }) => type === 'human')?.id ?? (context.userName || 'you');
  return {
    keeper,
    folder,
    memberId: person as MemberId,
    exitCode: () => keeper.stop?.exitCode,
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
  readonly #append: ((facts: readonly ConversationFact[]) => Promise<void>) | undefined;
  readonly #workspace: Workspace;
  readonly #context: CliContext;
  /** The signal that came while files were moved. */
  stop: Stop | undefined;
  #off: NotRecordedResult | undefined;
  /** There is an earlier record of the folder, so that a new one tells what changed since. */
  #isKnown = false;

  constructor(reader: ConversationReader | ConversationLog, workspace: Workspace, context: CliContext) {
    this.#context = context;
    this.#reader = reader;
    this.#append = 'append' in reader ? (facts) => append(reader, facts) : undefined;
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

  async recordBy(
    by: FilesRecorded['by'],
    place: FilePlace,
    carried: readonly PlannedFile[],
  ): Promise<boolean> {
    const found = await this.#find({ ...place, withPatch: true, carried });
    if (found === undefined) return false;
    await this.#append?.(makeRecordsOfAction(found, by, place));
    return true;
  }

  /** A signal waits for the end; a second one does not. */
  async whole<Value>(work: () => Promise<Value>): Promise<Value> {
    const stop = new AbortController();
    const release = stopOnSignals({ stop, host: this.#context.host });
    stop.signal.addEventListener('abort', () => say(this.#context, words.files.finishesFirst));
    try {
      return await work();
    } finally {
      release();
      this.stop ??= stop.signal.reason as Stop | undefined;
    }
  }

  async finish(): Promise<FinishedAction | undefined> {
    return this.#append && finishFileAction(this, this.#workspace);
  }

  async #record(
    by: FilesRecorded['by'],
    place: FilePlace,
    more: Pick<FilesRecorded, 'isLate'> = {},
  ): Promise<boolean> {
    const found = await this.#find({ ...place, withPatch: by.kind !== 'others' });
    if (found === undefined) return false;
    if (by.kind !== 'others' || found.files.length > 0)
      await this.#append?.([{ ...makeRecord(found, by, place), ...more }]);
    return true;
  }

  async #find(options: RecordOptions): Promise<RecordedFolder | undefined> {
    const found = await this.#workspace.record(options);
    if (found.kind === 'recorded') return found;
    this.#off = found;
    return undefined;
  }
}

async function append(log: ConversationLog, facts: readonly ConversationFact[]): Promise<void> {
  log.append(facts);
  await log.kept();
}
