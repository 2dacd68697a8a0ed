import type { Fields, Variant } from './schema/fields.js';
import type { CHANGED_BY, FILE_CHANGE, FILE_STATE, GIT_CHANGE, NOT_RECORDED } from './schema/files.js';

/** A file at one moment: its mode and the hash of its content. */
export interface FileState extends Fields<typeof FILE_STATE> {}

/** A change of one file between two records. */
export interface FileChange extends Fields<typeof FILE_CHANGE> {}

/** A change of the user's repository beside the files: commits, branches, what can run programs. */
export interface GitChange extends Fields<typeof GIT_CHANGE> {}

/** Source of changes: turns, a person's undo or apply, or others between turns. */
export type ChangedBy = Variant<'kind', typeof CHANGED_BY>;

/** Reason why changes of files are not recorded. */
export type NotRecorded = (typeof NOT_RECORDED)[number];
