import type { ConversationStatus } from '../../conversation/ConversationStatus.js';
import { allowedTo, type PlacedTurn } from '../../conversation/recording.js';
import { type ConversationFact, EVENT_VERSION, type FilesProgress } from '../../models/ConversationEvent.js';
import type { ChangedBy } from '../../models/FileChange.js';
import type { MemberId, TurnId } from '../../models/ids.js';
import type { Team } from '../../models/Team.js';
import { findAgent } from '../../routing/teamMembers.js';
import type { AnyIterable } from '../../utils/AnyIterable.js';
import type { Logger } from '../../utils/logger.js';
import { untilAborted } from '../../utils/untilAborted.js';
import type { FileKeeper, FinishedAction } from '../actions/performFileAction.js';
import { type FileHistory, followHistory, readFileHistory } from '../changes/fileHistory.js';
import type {
  FilePlace,
  NotRecordedResult,
  PlannedFile,
  RecordedFolder,
  RecordOptions,
  Workspace,
} from '../Workspace.js';
import { FirstLook, type OpenedWorkspace } from './FirstLook.js';
import { concludeRecord, makeRecordOfOthers, makeRecordsOfAction, noteNotRecorded } from './filesFacts.js';
import { ReportedFiles } from './ReportedFiles.js';

export interface FileRecorderParts {
  /** Absent: the conversation is not running, so nothing follows from what is found. */
  readonly team?: Team | undefined;
  /** The working folder, as agents know it. */
  readonly folder: string;
  /** Never rejects. */
  readonly openWorkspace: () => Promise<Workspace>;
  readonly record: (facts: readonly ConversationFact[]) => void;
  readonly status: () => ConversationStatus;
  readonly show?: (event: FilesProgress) => void;
  /** Resolves when everything recorded is durable. */
  readonly kept: () => Promise<void> | undefined;
  /** All facts so far; the last of them that was restored, not appended. */
  readonly history: () => AnyIterable<ConversationFact>;
  readonly restoredSeq: number;
  readonly clock?: () => number;
  readonly logger?: Logger;
  /** Goes around what must not be stopped half way. */
  readonly protect?: <Value>(work: () => Promise<Value>) => Promise<Value>;
}

/** Circumstances of turns that are over. */
interface RecordedRound {
  readonly isLate: boolean;
  /** No turn got as far as the folder: its copy was not made. */
  readonly isUntouched: boolean;
  /** Tells which turns of other processes were in the folder too. */
  readonly endMarks: () => Promise<readonly string[]>;
}

/** So long does closing wait for a record that is under way. What it misses, the next one covers. */
const LAST_RECORD_MILLISECONDS = 2000;

/**
 * Keeps the files of a conversation: records before turns what others did, after them what they did, and what a person does. Of
 * one that is not running, it records what is left of turns.
 */
export class FileRecorder implements FileKeeper {
  readonly parts: FileRecorderParts;
  readonly reported = new ReportedFiles();
  /** Folders of the copies that are in use. */
  readonly copies = new Map<MemberId, string>();
  /** Turns of other processes that people were told of. */
  readonly toldTurns = new Set<string>();
  /** There was no earlier record of the folder. */
  isNew = false;
  readonly #made: Promise<Workspace>;
  #firstLook: FirstLook | undefined;
  /** Gives up a record, because the conversation closes. */
  readonly #leaving = new AbortController();
  #hurry: NodeJS.Timeout | undefined;
  /** Ends with what must not be stopped half way. */
  #whole: Promise<unknown> = Promise.resolve();
  #finishing: Promise<FinishedAction | undefined> | undefined;
  /** Turns of which nothing can be said: they ran before the first look at this folder. Undefined: that is not over. */
  #unknowable: ReadonlySet<TurnId> | undefined;
  #off: NotRecordedResult | undefined;
  #failure: NotRecordedResult | undefined;
  #history: FileHistory | undefined;

  constructor(parts: FileRecorderParts) {
    this.parts = parts;
    this.#made = parts.openWorkspace();
  }

  /** Begins the first look. What it finds counts, and is told, when the files are asked for. */
  beginLook(): void {
    void this.#look;
  }

  get #look(): FirstLook {
    this.#firstLook ??= new FirstLook(
      () => this.#made,
      (files, isDone) => this.#tellLook(files, isDone),
    );
    return this.#firstLook;
  }

  /** Whether the first look is not over yet. */
  get isLooking(): boolean {
    return this.#firstLook?.isOver !== true;
  }

  get failure(): NotRecordedResult | undefined {
    return this.#failure;
  }

  get history(): FileHistory | undefined {
    return this.#history;
  }

  /** Reads the log: once, if the conversation is not running, since nobody else writes it then. */
  async readHistory(): Promise<FileHistory> {
    const { team, history, restoredSeq, kept } = this.parts;
    if (this.#history !== undefined && team === undefined) return this.#history;
    await kept();
    this.#history = await readFileHistory(history(), restoredSeq);
    return this.#history;
  }

  /** Reason why nothing is recorded any more in this session; undefined: it is. */
  get off(): NotRecordedResult | undefined {
    return this.#off;
  }

  /** The workspace, after the first look. Undefined when the signal came first, which stops the look. */
  async workspace(signal: AbortSignal = this.#leaving.signal): Promise<Workspace | undefined> {
    const stop = (): void => this.#look.stop();
    signal.addEventListener('abort', stop, { once: true });
    try {
      const opened = await untilAborted(this.#look.over, signal);
      if (opened !== undefined) this.#learn(opened);
      return opened?.workspace;
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  /** Ends the first look if it is under way; nothing is recorded in this session then. */
  skipLook(): void {
    this.#look.stop();
  }

  /** Records what was changed since the last record, by others or by turns that were not recorded. False: it could not be. */
  async catchUp(place: FilePlace, signal: AbortSignal = this.#leaving.signal): Promise<boolean> {
    await this.tryFinishing();
    const { team } = this.parts;
    const missed = this.unrecorded(place);
    const withPatch = missed.length > 0 || team?.files?.tell === 'diff';
    const found = await this.#find({ ...place, withPatch, signal });
    if (found === undefined) return false;
    this.#record(
      missed.length > 0 ? this.#conclude(found, place, { isLate: true }) : makeRecordOfOthers(found, place),
    );
    return true;
  }

  /** Records what turns did in a folder. */
  async recordTurns(place: FilePlace, { isLate, isUntouched, endMarks }: RecordedRound): Promise<void> {
    if (this.unrecorded(place).length === 0) return;
    const found = isUntouched ? this.#findNothing() : await this.#find({ ...place, withPatch: true });
    const overlaps = await endMarks();
    if (found !== undefined) this.#record(this.#conclude(found, place, { isLate, overlaps }));
  }

  /** Records what a person just did to the files, and what others changed meanwhile. False: it could not be. */
  async recordBy(by: ChangedBy, place: FilePlace, carried: readonly PlannedFile[]): Promise<boolean> {
    const found = await this.#find({ ...place, withPatch: true, carried });
    if (found === undefined) return false;
    this.#record(makeRecordsOfAction(found, by, place));
    await this.parts.kept();
    return true;
  }

  /** Does what must not be stopped half way: closing waits for it. */
  whole<Value>(work: () => Promise<Value>): Promise<Value> {
    const { protect = (inner: () => Promise<Value>) => inner() } = this.parts;
    const done = protect(work);
    this.#whole = done.catch(() => undefined);
    return done;
  }

  /** Finishes an undo or apply that was cut off with its process, once at a time; rejects if that cannot be. */
  finish(): Promise<FinishedAction | undefined> {
    this.#finishing ??= this.#finish().finally(() => {
      this.#finishing = undefined;
    });
    return this.#finishing;
  }

  async #finish(): Promise<FinishedAction | undefined> {
    const workspace = await this.#made;
    if (workspace.readIntent() === undefined || (await this.workspace()) === undefined) return undefined;
    const { finishFileAction } = await import('../actions/performFileAction.js');
    return finishFileAction(this, workspace);
  }

  /** The same, but a turn runs also if it cannot be: it is tried again before the next one. */
  async tryFinishing(): Promise<void> {
    try {
      await this.finish();
    } catch (error) {
      this.parts.logger?.warn?.(`What was cut off is not finished: ${String(error)}`);
    }
  }

  /** Turns in a folder whose changes are in no record yet. */
  unrecorded({ copyOf }: FilePlace): readonly PlacedTurn[] {
    const { unrecorded } = this.parts.status().recording;
    return unrecorded.filter((turn) => turn.copyOf === copyOf && !this.#unknowable?.has(turn.turnId));
  }

  /** Stops what takes long: the first look at once, a record soon. */
  hurry(): void {
    this.#firstLook?.stop();
    void this.#whole.then(() => {
      this.#hurry ??= setTimeout(() => this.#leaving.abort(), LAST_RECORD_MILLISECONDS);
    });
  }

  /** Lets go of the folder, after the last record. Never rejects. */
  async close(): Promise<void> {
    await this.#whole;
    clearTimeout(this.#hurry);
    this.#leaving.abort();
    this.#firstLook?.stop();
    const workspace = (await this.#firstLook?.over)?.workspace ?? (await this.#made);
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), LAST_RECORD_MILLISECONDS);
    try {
      await untilAborted(workspace.close(), late.signal);
    } catch (error) {
      this.parts.logger?.error?.(`The files could not be let go of: ${String(error)}`);
    } finally {
      clearTimeout(timer);
    }
  }

  #tellLook(files: number, isDone: boolean): void {
    const { show, clock = Date.now } = this.parts;
    const done = isDone ? ({ isDone } as const) : {};
    show?.({ type: 'files-progress', v: EVENT_VERSION, at: clock(), files, ...done });
  }

  #learn({ opening }: OpenedWorkspace): void {
    if (this.#unknowable !== undefined) return;
    this.isNew = opening.kind === 'new';
    const earlier = this.isNew ? this.parts.status().recording.unrecorded : [];
    this.#unknowable = new Set(earlier.map(({ turnId }) => turnId));
    if (opening.kind === 'not-recorded') this.#fail(opening);
    else if (opening.isKeeping === false)
      this.#tellFailure({ kind: 'not-recorded', reason: 'no-room', isFinal: false });
  }

  #findNothing(): RecordedFolder | undefined {
    return this.#off === undefined ? { kind: 'recorded', files: [] } : undefined;
  }

  /** Looks at a folder. Undefined: that failed, which people are told, or was given up. */
  async #find(options: RecordOptions): Promise<RecordedFolder | undefined> {
    const { signal = this.#leaving.signal } = options;
    const workspace = this.#off === undefined ? await this.workspace(signal) : undefined;
    const found = workspace && (await untilAborted(workspace.record({ ...options, signal }), signal));
    if (found?.kind === 'recorded') this.#failure = undefined;
    if (found === undefined || found.kind === 'recorded') return found;
    if (!signal.aborted) this.#fail(found);
    return undefined;
  }

  #fail(result: NotRecordedResult): void {
    this.#failure = result;
    if (result.isFinal) this.#off = result;
    this.#tellFailure(result);
  }

  #tellFailure(result: NotRecordedResult): void {
    const { team, status } = this.parts;
    // Of a conversation that is not running, whoever asked is told.
    if (team !== undefined) this.#record(noteNotRecorded(result, status().recording.reasons));
  }

  #record(facts: readonly ConversationFact[]): void {
    this.parts.record(facts);
    for (const fact of facts) if (this.#history !== undefined) followHistory(this.#history, fact);
  }

  #conclude(
    found: RecordedFolder,
    place: FilePlace,
    more: { readonly isLate: boolean; readonly overlaps?: readonly string[] },
  ): ConversationFact[] {
    const { team, status } = this.parts;
    const turns = this.unrecorded(place).map((turn) => ({
      turnId: turn.turnId,
      member: team && findAgent(team, turn.memberId),
      reported: this.reported.of(turn.turnId),
      allowed: allowedTo(turn),
    }));
    this.reported.forget(turns.map(({ turnId }) => turnId));
    return concludeRecord(found, { ...place, ...more, turns }, team, status().state);
  }
}
