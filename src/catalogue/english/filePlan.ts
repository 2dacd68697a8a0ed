import { counted } from '../counted.js';

/** Sentences of the plan of an undo or apply: what it will do to which files, and what it leaves. */
export const filePlanText = {
  undo: (what: string, names: string, files: number) =>
    `${what}${names && ` (${names})`} changed ${counted(files, 'file')}. Undo will:`,
  undoInCopy: (what: string, names: string, files: number, member: string) =>
    `${what}${names && ` (${names})`} changed ${counted(files, 'file')} in the copy of ${member}. Undo will, in that copy:`,
  apply: (what: string, names: string, files: number) =>
    `${what}${names && ` (${names})`} changed ${counted(files, 'file')} in its copy. Apply will, in this folder:`,
  undoActions: { write: 'restore', merge: 'merge', remove: 'remove', none: 'as is' },
  applyActions: { write: 'write', merge: 'merge', remove: 'remove', none: 'as is' },
  keeps: (name: string) => `keeps what ${name} changed later in other lines`,
  keepsOthers: 'keeps what was changed later in other lines',
  notNamed: (name: string) => `not named by ${name}`,
  more: (count: number, command: string) => `… ${count} more: ${command}`,
  commitsStay: (before: string, after: string, branch: string) =>
    `The commits ${before}..${after}${branch && ` on ${branch}`} stay. To move the branch back without touching files:`,
  branchStays: (before: string, after: string) =>
    `The branch stays ${after}; it was ${before}. To go back without touching files:`,
};
