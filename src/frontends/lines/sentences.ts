import { describeTrouble } from '../../catalogue/tellings.js';
import type { Catalogue } from '../../catalogue/words.js';
import type { FileAction } from '../../files/actions/describeFileAction.js';
import type { FilesDiff } from '../../files/actions/diffFiles.js';
import type { UnfinishedOutcome } from '../../models/TurnOutcome.js';
import { describeLeft } from '../../presentation/describeFileRecord.js';
import { formatNumber } from '../../utils/formatNumber.js';
import { sanitizeFileName } from '../../utils/sanitize.js';

/** A sentence about what a diff does not show. */
export interface DiffNote {
  readonly text: string;
  readonly tone?: 'warning';
}

/** Says what happened to a turn that did not complete, what was kept, and what to do. Of a program that is not there nothing could be kept. */
export function tellTrouble(name: string, result: UnfinishedOutcome, words: Catalogue): string {
  const { code, what, hint } = describeTrouble(name, result, words);
  const { sentence, sentences } = words.joining;
  if (code === 'AGENT_MISSING') return sentences([sentence(what), hint]);
  return words.print.trouble(what, Array.from(result.draft).length, hint);
}

/** Says what was done, and how to take it back; and, on a line of its own, what was left alone. */
export function formatFileDone(
  { action, what, files, left = [], id = '' }: FileAction,
  prefix: string,
  words: Catalogue,
): string {
  const count = files.filter((file) => file.action !== 'none').length;
  const { undone, applied } = words.files;
  const done = (action === 'undo' ? undone : applied)(what, count, `${prefix}undo ${id}`);
  return left.length === 0 ? done : `${done}\n${describeLeft(left, words)}`;
}

/** The sentences below a diff. */
export function noteDiff(
  { what, isCut, withoutLines, unlisted, inCopies }: FilesDiff,
  words: Catalogue,
): readonly DiffNote[] {
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
