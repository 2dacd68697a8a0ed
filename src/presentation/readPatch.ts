import type { ShownDiff } from '../catalogue/editDiffs.js';
import { splitPatch } from '../files/changes/patchSections.js';

/** A line of a unified diff, with the mark it begins with. Its text is not yet safe to show. */
export interface PatchLine {
  /** `file` begins the changes of a file, `hunk` a place in it; `meta` is all that is no line of the file. */
  readonly kind: 'file' | 'meta' | 'hunk' | 'add' | 'remove' | 'context';
  readonly text: string;
}

/** The part of a diff that is about one file. */
export interface PatchPart {
  /** The name after the change, or before it if the file is gone. */
  readonly path: string;
  readonly lines: readonly PatchLine[];
}

const FILE = /^diff --git /u;
const HUNK = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/u;
const MARKS: Readonly<Record<string, 'add' | 'remove' | 'context'>> = {
  '+': 'add',
  '-': 'remove',
  ' ': 'context',
  // Some programs leave out blanks at the end.
  '': 'context',
};

/**
 * Reads a unified diff line by line. The counts of a hunk say where it ends, so that a line of a file which looks like the
 * head of another, such as a removed `-- a/x`, is what it is.
 */
export function* readPatch(patch: string): Generator<PatchLine> {
  let [removed, added] = [0, 0];
  for (const text of linesOf(patch)) {
    const kind = removed + added > 0 ? MARKS[text.slice(0, 1)] : undefined;
    if (kind !== undefined) {
      if (kind !== 'add') removed -= 1;
      if (kind !== 'remove') added -= 1;
      yield { kind, text };
      continue;
    }
    const hunk = HUNK.exec(text);
    if (hunk !== null) [removed, added] = [Number(hunk[1] ?? 1), Number(hunk[2] ?? 1)];
    else if (!text.startsWith('\\')) [removed, added] = [0, 0];
    yield { kind: hunk !== null ? 'hunk' : FILE.test(text) ? 'file' : 'meta', text };
  }
}

/** Parts a diff by the files it is about. */
export function partPatch(patch: string): readonly PatchPart[] {
  return splitPatch(patch).map(({ text, newPath }) => ({ path: newPath, lines: [...readPatch(text)] }));
}

/** The lines of a part that are of the file, or say something about it that its name does not. */
export function bodyOf({ lines }: Pick<PatchPart, 'lines'>): readonly PatchLine[] {
  return lines.filter(({ kind, text }) => kind !== 'file' && !(kind === 'meta' && NAMES.test(text)));
}

const NAMES =
  /^(?:index |--- |\+\+\+ |similarity index |rename to |copy to |(?:new|deleted) file mode 100644$)/u;

/** Without copying the whole: a patch may be long. */
function* linesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const found = text.indexOf('\n', start);
    const end = found < 0 ? text.length : found;
    yield text.slice(start, end);
    start = end + 1;
  }
}

type ShownLine = ShownDiff['lines'][number];

/** Longer lines are cut: they are not written by hand, and a screen would be full of one. */
const LONGEST_LINE = 2000;

/** A unified diff as people read it, file by file: the same form as the changes in a permission request. */
export function describePatch(patch: string): readonly ShownDiff[] {
  return partPatch(patch).map(describePart);
}

export function describePart(part: PatchPart): ShownDiff {
  return { title: part.path, lines: bodyOf(part).map(describeLine) };
}

function describeLine({ kind, text }: PatchLine): ShownLine {
  switch (kind) {
    case 'add':
      return { mark: '+', text: cutLine(text.slice(1)) };
    case 'remove':
      return { mark: '-', text: cutLine(text.slice(1)) };
    case 'context':
      // The line end of another system is part of every line, and no change.
      return { mark: ' ', text: cutLine(text.slice(1).replace(/\r$/u, '')) };
    default:
      return { mark: '…', text: cutLine(text) };
  }
}

/** A line of a diff as far as it is shown. */
export function cutLine(text: string): string {
  return text.length <= LONGEST_LINE ? text : `${text.slice(0, LONGEST_LINE).toWellFormed()}…`;
}
