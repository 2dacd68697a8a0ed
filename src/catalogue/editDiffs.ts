import type { FileDiff } from '../models/AgentEvent.js';
import { type DiffLine, diffLines } from '../utils/diffLines.js';
import { words as spoken, type WordsOf } from './words.js';

/** A change of a file as people read it; a line that begins with `…` stands for others. */
export interface ShownDiff {
  readonly title: string;
  readonly lines: ReadonlyArray<Pick<DiffLine, 'text'> & { readonly mark: DiffLine['mark'] | '…' }>;
}

/** Describes the change of a file that an agent asks permission for. */
export function describeDiff(
  { path, oldText, newText }: FileDiff,
  words: WordsOf<'wishes'> = spoken,
): ShownDiff {
  const { newFile, nothingChanges, unchanged, noLineEnd } = words.wishes;
  const title = oldText === null ? newFile(path) : path;
  if (oldText === newText) return { title, lines: [{ mark: '…', text: nothingChanges }] };
  return {
    title,
    lines: diffLines(oldText ?? '', newText).flatMap((line): ShownDiff['lines'] => {
      if ('skipped' in line) return [{ mark: '…', text: unchanged(line.skipped) }];
      return line.isOpenEnd ? [line, { mark: '…', text: noLineEnd }] : [line];
    }),
  };
}
