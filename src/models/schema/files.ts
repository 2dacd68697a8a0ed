import { z } from 'zod';
import { areBytesOf, isPathInside } from '../filePaths.js';
import { arrayOf, boolean, memberId, number, record, text, turnId } from './fields.js';

/** A file at one moment. */
export const FILE_STATE = {
  mode: text.describe('As git writes it: 100644, 100755 (executable) or 120000 (a link).'),
  id: text
    .regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/u, 'must be a hash')
    .describe('Hash of the content, as git makes it.'),
};

/** A change of one file between two records. */
export const FILE_CHANGE = {
  path: text
    .refine(isPathInside, 'must be inside the folder')
    .describe('Relative to the working folder, with "/".'),
  bytes: text.optional().describe('Base64 of a name that is not UTF-8; `path` is then an approximation.'),
  change: z.enum(['add', 'update', 'delete']),
  before: record(FILE_STATE).optional().describe('Absent: the file did not exist.'),
  after: record(FILE_STATE).optional().describe('Absent: the file is gone.'),
  added: number.optional().describe('Number of lines; absent if not counted.'),
  removed: number.optional().describe('Number of lines; absent if not counted.'),
  isBinary: boolean.optional(),
  isReported: boolean.optional().describe('The agent itself named the file.'),
  isKept: z.literal(false).optional().describe('A content was not kept, so the change cannot be put back.'),
};

/** The same, checked: people are shown `path`, so `bytes` must not be another one. */
export const fileChange = record(FILE_CHANGE).refine(
  ({ path, bytes }) => bytes === undefined || areBytesOf(path, bytes),
  { path: ['bytes'], message: 'must be the bytes of the path' },
);

const BEFORE_AND_AFTER = { before: text.optional(), after: text.optional() };

/** A change of the repository beside the files. */
export const GIT_CHANGE = {
  head: record(BEFORE_AND_AFTER).optional().describe('The commit that is checked out.'),
  branch: record(BEFORE_AND_AFTER).optional().describe('The branch that is checked out; absent: none.'),
  refs: arrayOf(text).optional().describe('Branches and stash that were moved, made or removed.'),
  files: arrayOf(text)
    .optional()
    .describe('What can run programs or hide files: config, hooks/…, info/attributes, info/exclude.'),
  isGone: boolean.optional().describe('The repository itself was deleted.'),
};

const LEFT = arrayOf(text)
  .optional()
  .describe('Files that somebody changed at the same moment; they were left alone.');

/** Sources of changes. */
export const CHANGED_BY = {
  turns: { turnIds: arrayOf(turnId).describe('Several: they ran at the same time in one folder.') },
  others: {},
  undo: {
    id: text.describe('undo-1, undo-2, …'),
    of: arrayOf(text).describe('What was put back: turn-4, apply-1, undo-1.'),
    memberId,
    left: LEFT,
  },
  apply: {
    id: text.describe('apply-1, apply-2, …'),
    of: arrayOf(text).describe('The turns whose changes were applied.'),
    memberId,
    left: LEFT,
  },
};

/** Reasons why changes of files are not recorded. */
export const NOT_RECORDED = [
  'no-git',
  'old-git',
  'wide-folder',
  'too-many-files',
  'too-much-content',
  'too-slow',
  'stopped',
  'no-room',
  'disk-full',
  'irregular-file',
  'failed',
  'elsewhere',
] as const;
