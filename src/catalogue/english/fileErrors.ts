import { formatNumber } from '../../utils/formatNumber.js';
import { counted } from '../counted.js';
import { notRecordedText, type WordedReason } from './notRecorded.js';

/** A file that was changed later; without a name, between turns. */
export interface LaterChange {
  readonly path: string;
  readonly by?: string | undefined;
  readonly unit?: string | undefined;
}

/** Commands that put files back, bring them over from a copy, or commit them. */
export type FileCommand = 'undo' | 'apply' | 'commit';

/** Facts of a refusal because files have changed. */
export interface ChangedSinceFacts {
  readonly command: FileCommand;
  /** `turn-4`, `4..7`. */
  readonly what: string;
  readonly total: number;
  readonly files: readonly LaterChange[];
  /** A command that shows the later changes. */
  readonly look: string;
  /** The same command for the files that are as they were; absent: there are none, or too many. */
  readonly others?: string | undefined;
}

type NotKeptFacts = {
  readonly command?: FileCommand | undefined;
  readonly what: string;
  readonly paths: readonly string[];
  /** Number of changed files that are not listed. */
  readonly unlisted?: number | undefined;
  /** The record of the changes came with an import. */
  readonly isImported?: boolean | undefined;
  readonly others?: string | undefined;
};

type NotRecordedFacts = {
  readonly what?: string;
  readonly isRunning?: boolean;
  /** An undo or apply: its files are moved. */
  readonly isMoved?: boolean;
  readonly reason?: WordedReason;
  readonly detail?: string | undefined;
};

/** The sentences of errors about changed files. */
export const fileErrorText = {
  FILES_CHANGED_SINCE: ({ command, what, total, files, look, others }: ChangedSinceFacts) => {
    const count = `${files.length} of ${counted(total, 'file')} ${files.length === 1 ? 'was' : 'were'}`;
    const happened = {
      undo: `${count} changed since ${what} in the same lines; nothing was touched.`,
      apply: `${count} changed in this folder in the same lines as in ${what}; nothing was touched.`,
      commit: `${count} changed since ${what}; nothing was committed.`,
    };
    const advice = others === undefined ? '' : ` · The others: ${others}`;
    return [`${happened[command]} Look: ${look}${advice}`, ...listLater(files)].join('\n');
  },
  FILES_NOT_RECORDED: ({ what, isRunning, isMoved, reason, detail = '' }: NotRecordedFacts) => {
    if (isMoved) {
      const why = reason === 'disk-full' ? 'the disk is full' : detail || 'git failed';
      return `The files are written, but ${what} is not recorded yet: ${why}. Fix this, then run the same command again: it records what was done.`;
    }
    if (reason === 'failed') return `git failed${detail && ` (${detail})`}; nothing was touched.`;
    if (reason !== undefined) return notRecordedText[reason](detail);
    if (what === undefined) return 'No file changes are recorded in this session.';
    return `No file changes are recorded for ${what}${isRunning ? '; it is still running' : ''}.`;
  },
  CONTENT_NOT_KEPT: ({ command = 'undo', what, paths, unlisted, isImported, others }: NotKeptFacts) => {
    const advice = others === undefined ? '' : ` The others: ${others}`;
    if (unlisted !== undefined)
      return `${what} changed ${counted(formatNumber(unlisted), 'file')} more than are listed, so only listed files can be chosen, after --; nothing was touched.`;
    const done = { undo: 'undone', apply: 'applied', commit: 'committed' }[command];
    if (isImported)
      return `${what} was imported, not recorded on this machine, so it can't be ${done}; nothing was touched.`;
    return `The content of ${paths.join(', ')} was not saved, so the change can't be ${done}; nothing was touched.${advice}`;
  },
  FILES_BUSY: ({ turns }: { turns: readonly string[] }) =>
    `${turns.join(', ') || 'A turn'} is running here. Try again when it ends; nothing was touched.`,
  FILES_CHANGING: ({ paths }: { paths: readonly string[] }) =>
    `${shorten(paths)} changed just now; nothing was touched. Try again.`,
  NOTHING_TO_UNDO: ({ what }: { what?: string }) =>
    what === undefined ? 'Nothing to undo.' : `Nothing to undo: the files are as they were before ${what}.`,
  NOTHING_TO_APPLY: ({ what }: { what: string }) =>
    `Nothing to apply: this folder has the changes of ${what} already.`,
  NOT_A_COPY: ({ what }: { what: string }) =>
    `${what} worked in this folder, not in a copy, so there is nothing to apply.`,
  IN_A_COPY: ({ what }: { what: string }) =>
    `${what} worked in a copy, so there is nothing to commit here. Apply it first: huddle apply ${what}`,
  UNKNOWN_CHANGE: ({ what, known = [] }: { what?: string; known?: readonly string[] }) =>
    what === undefined
      ? 'Name the turn to apply, such as turn-6.'
      : `No change "${what}". Name a turn (4), several (4..7, 4..), undo-1, apply-1, new or all; files come after --. ${known.length === 0 ? 'No files were changed in this session.' : `Changes: ${shorten(known)}.`}`,
  UNKNOWN_FILE: ({ what, path, known }: { what: string; path: string; known: readonly string[] }) =>
    what === ''
      ? `No turn changed ${path}.`
      : `${what} did not change ${path}. ${known.length === 0 ? 'It changed no files.' : `It changed: ${shorten(known)}.`}`,
  SEVERAL_COPIES: ({ members }: { members: readonly string[] }) =>
    `These changes are in the copies of ${members.join(', ')}. Name one turn.`,
};

const MOST_NAMED = 12;

function shorten(names: readonly string[]): string {
  const more = names.length - MOST_NAMED;
  return `${names.slice(-MOST_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function listLater(files: readonly LaterChange[]): readonly string[] {
  return files.map(({ path, by, unit }) =>
    by === undefined
      ? `  ${path}   between turns, by a person or a program`
      : `  ${path}   by ${by} in ${unit}`,
  );
}
