import type { ShownDiff } from '../catalogue/editDiffs.js';
import { bodyOf, type PatchLine, type PatchPart, partPatch } from './patchLines.js';

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
