import { words } from '../../catalogue/words.js';
import type { FilesDiff } from '../../coordinator/files/diffFiles.js';
import { formatNumber } from '../../utils/formatNumber.js';
import { sanitizeFileName } from '../../utils/sanitize.js';

/** A sentence about what a diff does not show. */
export interface DiffNote {
  readonly text: string;
  readonly tone?: 'warning';
}

/** The sentences below a diff: what is not in it, and where else changes are. */
export function noteDiff({ what, isCut, withoutLines, unlisted, inCopies }: FilesDiff): readonly DiffNote[] {
  const { files } = words;
  return [
    ...(isCut ? [{ text: files.cut(what), tone: 'warning' } as const] : []),
    ...(withoutLines.length > 0 ? [{ text: files.notInDiff(withoutLines.map(sanitizeFileName)) }] : []),
    ...(unlisted === undefined
      ? []
      : [{ text: files.unlisted(formatNumber(unlisted)), tone: 'warning' } as const]),
    ...(inCopies.length > 0 ? [{ text: files.inCopies(inCopies) }] : []),
  ];
}
