import type { HuddleError } from '../models/errors.js';
import type { ChangedBy, FileChange, FileState, GitChange, NotRecorded } from '../models/FileChange.js';
import type { MemberId } from '../models/ids.js';
import type { FailureFacts } from '../models/TurnOutcome.js';

/**
 * The files that members work on: what changed in them, and the way back. One for each open conversation. Nothing of the
 * user's repository is ever written, and nothing in it can run.
 *
 * What goes wrong while looking is a result, `not-recorded`, never a rejection: a turn always runs. `copyOf` chooses the
 * copy of a member instead of the working folder.
 */
export interface Workspace {
  /** The working folder, with links resolved. */
  readonly folder: string;

  /**
   * Looks at the folder for the first time in this process: takes over the state of the last record if there is one. Called
   * again, resolves with the same. Other methods wait for it.
   */
  open(options?: OpenWorkspaceOptions): Promise<WorkspaceOpening>;

  /** Writes down what differs from the last record, and keeps the contents before and after. */
  record(options?: RecordOptions): Promise<FolderRecord>;

  /** Works out, without touching anything, what carrying would do to each file. */
  plan(request: CarryRequest): Promise<CarryPlan>;

  /**
   * Does what a plan without conflicts says, but for files that somebody changes at this very moment. The caller records
   * afterwards.
   *
   * @throws {@link HuddleError} (as a rejection) `FILES_CHANGING` if a file is not as it was planned for, `FILES_NOT_WRITTEN`;
   * nothing was touched then.
   */
  carry(plan: CarryPlan, options?: CarryOptions): Promise<CarryOutcome>;

  /** Reads the undo or apply that was begun in this folder and is not recorded yet, since its process was killed. */
  readIntent(): CarryIntent | undefined;

  /** Forgets it: it is recorded. */
  endIntent(): void;

  /** The lines of changes, from kept contents. */
  patch(files: readonly FileChange[], options?: PatchOptions): Promise<PatchText>;

  /** The copy of a member: made, or brought up to date with the folder. */
  copyFor(request: CopyRequest): Promise<CopyResult>;

  /** Marks that a turn runs in the folder, for other processes to see. */
  mark(turn: string, options?: MarkOptions): Promise<TurnMark>;

  /** Lets go of the lock files and the copies' leases; keeps what is recorded. */
  close(): Promise<void>;
}

/** The working folder, or the copy of a member. */
export interface FilePlace {
  /** Absent: the working folder. */
  readonly copyOf?: MemberId | undefined;
}

export interface OpenWorkspaceOptions {
  /** Stops the first look; nothing is recorded in this session then. */
  readonly signal?: AbortSignal;
  /** Hears, while the first look takes long, how many files were looked at. */
  readonly onProgress?: (files: number) => void;
}

/** `new`: there was no earlier record, so the first one finds no changes. `known`: it tells what changed since. */
export type WorkspaceOpening =
  | {
      readonly kind: 'new' | 'known';
      /** There is no room for more contents: changes are recorded, but cannot be undone. */
      readonly isKeeping?: false;
    }
  | NotRecordedResult;

export interface NotRecordedResult {
  readonly kind: 'not-recorded';
  readonly reason: NotRecorded;
  /** The words of git or of the system, on one line. */
  readonly detail?: string;
  /** It will be the same the next time: nothing is recorded in this session. */
  readonly isFinal: boolean;
}

export interface RecordOptions extends FilePlace {
  /** Makes the patch text; without it only names and ids. */
  readonly withPatch?: boolean;
  /** Files that a person's undo or apply moved: the record is of these, and all else that changed is of others. */
  readonly carried?: readonly PlannedFile[];
  /** Gives up: `not-recorded` with `stopped`, not final. The next record covers the time. */
  readonly signal?: AbortSignal;
}

export type FolderRecord = RecordedFolder | NotRecordedResult;

/** A record. Its fields are those of the fact `files-recorded`. */
export interface RecordedFolder {
  readonly kind: 'recorded';
  readonly files: readonly FileChange[];
  readonly unlisted?: number;
  readonly patch?: string;
  readonly patchIsCut?: true;
  readonly git?: GitChange;
  /** The changes of others meanwhile, without lines, if the record is of files that were carried. */
  readonly others?: RecordedFolder;
}

export interface PatchOptions {
  /** Default: 256 KB, at a file's end. */
  readonly maxBytes?: number;
  /** With the data of binary files, so that `git apply` can take it. */
  readonly withBinary?: boolean;
}

export interface PatchText {
  readonly patch: string;
  readonly isCut: boolean;
}

/** A way from one recorded state of a file to another; absent: not there. */
export interface CarryStep {
  readonly path: string;
  readonly bytes?: string | undefined;
  readonly from?: FileState | undefined;
  readonly to?: FileState | undefined;
}

export interface CarryRequest extends FilePlace {
  /** In the order in which they are done; a file may have several. */
  readonly steps: readonly CarryStep[];
}

/** Everything that carrying would do. It can be done if no file is `conflict` or `not-kept`. */
export interface CarryPlan extends FilePlace {
  readonly files: readonly PlannedFile[];
}

export interface CarryOptions {
  /** Written down before the first file moves, until `endIntent`. */
  readonly intent?: CarryIntent;
  /** Files that are not as they were planned for are left alone; else nothing is touched then. */
  readonly leavesChanged?: boolean;
}

/** The files that carrying moved, and those that it did not. */
export interface CarryOutcome {
  readonly moved: readonly PlannedFile[];
  /** Files that somebody changed meanwhile, and those that came after a failure. */
  readonly left: readonly PlannedFile[];
  /** The error that stopped it half way. */
  readonly failure?: HuddleError;
}

/** An undo or apply of a person, from before its first file moves until it is recorded. It is kept in the data folder: a log grants nothing. */
export interface CarryIntent {
  readonly by: Extract<ChangedBy, { kind: 'undo' | 'apply' }>;
  /** The choice of the person: the words, and the paths. */
  readonly what: string;
  readonly paths?: readonly string[] | undefined;
  /** Number of the records before it. */
  readonly recordsBefore: number;
  readonly copyOf?: MemberId | undefined;
  /** All that moves. */
  readonly files: readonly PlannedFile[];
}

export interface PlannedFile {
  readonly path: string;
  readonly bytes?: string | undefined;
  /**
   * `write`: gets the content of the target state. `merge`: later changes in other lines stay. `remove`. `none`: is so already.
   * `conflict`: changed since in the same lines. `not-kept`: its content is not kept.
   */
  readonly action: 'write' | 'merge' | 'remove' | 'none' | 'conflict' | 'not-kept';
  /** As it is now; absent: not there. */
  readonly now?: FileState | undefined;
  /** As it will be; absent: not there, or not known because of a conflict. */
  readonly after?: FileState | undefined;
}

export interface CopyRequest {
  readonly memberId: MemberId;
  /** Makes a copy that is new ready to be worked in. Resolves with what went wrong. */
  readonly prepare?: ((folder: string) => Promise<NotReady | undefined>) | undefined;
}

/** The reason why there is no folder to work in. */
export interface NotReady {
  readonly detail: string;
  /** The program that prepares it was not started. */
  readonly failure?: FailureFacts;
}

/** `behind`: files that the folder and the copy both changed in the same lines; they stay as the copy has them. */
export type CopyResult =
  | {
      readonly kind: 'ready';
      readonly folder: string;
      readonly isNew: boolean;
      readonly behind: readonly string[];
    }
  | (NotReady & { readonly kind: 'not-ready' });

/** A turn that runs in the folder. */
export interface TurnMark {
  /** Turns of other processes that run there now. */
  readonly others: readonly MarkedTurn[];
  /** Ends the mark. Resolves with the names of all turns of other processes that ran at the same time. */
  end(): Promise<readonly string[]>;
}

export interface MarkOptions {
  /** It will do nothing if others are there, so they are not told of it. */
  readonly givesWay?: boolean;
}

export interface MarkedTurn {
  readonly turn: string;
  readonly pid: number;
}
