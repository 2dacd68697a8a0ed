import type { WordsOf } from '../catalogue/words.js';
import type { GitChange } from '../models/FileChange.js';
import { quoteForShell } from '../utils/quoteForShell.js';
import { sanitizeFileName, sanitizeToOneLine } from '../utils/sanitize.js';
import { widthOf } from '../utils/widthOf.js';

const COMMIT_LENGTH = 10;

/** An undo or apply that is planned, of whose files the list may be cut. */
interface FilePlan {
  readonly action: 'undo' | 'apply';
  readonly what: string;
  readonly members: readonly string[];
  readonly copyOf?: string;
  readonly files: readonly FileStep[];
  /** Number of files with those that are cut off. */
  readonly total?: number;
  readonly git: readonly GitChange[];
}

interface FileStep {
  readonly path: string;
  readonly action: 'write' | 'merge' | 'remove' | 'none';
  readonly keeps?: string | null;
  readonly notNamedBy?: string;
}

/** An undo or apply in lines: what it will do to which files, and what it leaves. At most so many files are named. */
export function formatFilePlan(
  plan: FilePlan,
  mostFiles: number,
  wholeList: string,
  words: WordsOf<'filePlan' | 'joining'>,
): readonly string[] {
  const shown = plan.files.slice(0, mostFiles);
  const rows = shown.map(
    (file) => [actionOf(plan, file, words), sanitizeFileName(file.path), noteOf(file, words)] as const,
  );
  const [actionWidth, pathWidth] = [0, 1].map((at) =>
    Math.max(0, ...rows.map((row) => widthOf(row[at] ?? ''))),
  );
  const more = (plan.total ?? plan.files.length) - shown.length;
  return [
    sanitizeToOneLine(titleOf(plan, words)),
    ...rows.map(([action, path, note]) =>
      `  ${pad(action, actionWidth)}  ${pad(path, pathWidth)}   ${sanitizeToOneLine(note)}`.trimEnd(),
    ),
    ...(more > 0 ? [`  ${words.filePlan.more(more, wholeList)}`] : []),
    ...plan.git.flatMap((change) => describeGit(change, words)),
  ];
}

function titleOf(
  { action, what, members, copyOf, files, total = files.length }: FilePlan,
  words: WordsOf<'filePlan' | 'joining'>,
): string {
  const { filePlan: plan } = words;
  const names = words.joining.list(members);
  if (action === 'apply') return plan.apply(what, names, total);
  return copyOf === undefined
    ? plan.undo(what, names, files.length)
    : plan.undoInCopy(what, names, total, copyOf);
}

function actionOf({ action }: FilePlan, file: FileStep, words: WordsOf<'filePlan' | 'joining'>): string {
  const { undoActions, applyActions } = words.filePlan;
  return (action === 'undo' ? undoActions : applyActions)[file.action];
}

function noteOf({ keeps, notNamedBy }: FileStep, words: WordsOf<'filePlan' | 'joining'>): string {
  const { filePlan: plan } = words;
  const notes = [
    ...(keeps === undefined ? [] : [keeps === null ? plan.keepsOthers : plan.keeps(keeps)]),
    ...(notNamedBy === undefined ? [] : [plan.notNamed(notNamedBy)]),
  ];
  return words.joining.facts(notes);
}

/** Names the commits and the branch that stay, and the command that would move them; nothing runs it. */
function describeGit({ head, branch }: GitChange, words: WordsOf<'filePlan' | 'joining'>): readonly string[] {
  const [before, after] = [head?.before, head?.after].map((id) => id?.slice(0, COMMIT_LENGTH));
  if (branch !== undefined && branch.before !== branch.after) {
    const { before: from, after: to } = branch;
    const command =
      from === undefined
        ? `git switch --detach && git reset ${before ?? 'HEAD'}`
        : `git symbolic-ref HEAD ${quoteForShell(`refs/heads/${from}`)} && git reset`;
    return [words.filePlan.branchStays(from ?? 'HEAD', to ?? 'HEAD'), `  ${command}`].map(
      sanitizeToOneLineKeeping,
    );
  }
  if (before === undefined || after === undefined || before === after) return [];
  const { after: name = '' } = branch ?? {};
  return [words.filePlan.commitsStay(before, after, name), `  git reset ${before}`].map(
    sanitizeToOneLineKeeping,
  );
}

/** Keeps the room before a command. */
function sanitizeToOneLineKeeping(line: string): string {
  const [room = ''] = /^ */u.exec(line) ?? [];
  return room + sanitizeToOneLine(line);
}

function pad(text: string, width = 0): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)));
}
