import { diffWordsWithSpace } from 'diff';
import { bodyOf, cutLine, type PatchLine, readPatch } from '../../../../presentation/readPatch.js';
import { sanitizeForTerminal } from '../../../../utils/sanitize.js';

/** A row of a diff on the screen. Its texts are safe to show. */
export interface PatchRow {
  /** `place` begins a part of the file, `note` is no line of it. */
  readonly kind: 'add' | 'remove' | 'context' | 'place' | 'note';
  /** Numbers of the line before and after. */
  readonly before?: number;
  readonly after?: number;
  readonly words: readonly MarkedWord[];
}

/** A piece of a line; marked if the line on the other side does not have it. */
export interface MarkedWord {
  readonly text: string;
  readonly isMarked: boolean;
}

/** Pairs of lines whose words are compared in one diff: more take too long. */
const MOST_PAIRS = 400;
/** Changes inside a line beyond which it counts as another line. */
const MOST_EDITS = 120;
/** Part of a line that has to stay for marks to help. */
const LEAST_KEPT = 0.3;

/** Pairs of lines beyond which it is not looked for those that belong together, and the share of words that those have in common. */
const MOST_COMPARED = 2000;
const LEAST_LIKE = 0.5;

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@ ?/u;
const NO_LINE_END = /^\\ /u;

/** Makes rows of the diff of one file: with numbers, and with marks where only some words of a line changed. */
export function readPatchRows(patch: string): readonly PatchRow[] {
  const lines = bodyOf({ lines: [...readPatch(patch)] });
  return markWords(numberLines(withoutEnds(lines)));
}

/** Whether a row only tells that the file ends without a line end. */
export function isMissingEnd({ kind, words: [first] }: PatchRow): boolean {
  return kind === 'note' && first !== undefined && NO_LINE_END.test(first.text);
}

/** Takes off the line ends of another system, unless only some lines have them: then they are what changed. */
function withoutEnds(lines: readonly PatchLine[]): readonly PatchLine[] {
  const isOfFile = ({ kind }: PatchLine) => kind === 'add' || kind === 'remove' || kind === 'context';
  const isForeign = lines.every((line) => !isOfFile(line) || line.text.endsWith('\r'));
  return lines.map((line) =>
    line.kind === 'context' || (isForeign && isOfFile(line))
      ? { ...line, text: line.text.replace(/\r$/u, '') }
      : line,
  );
}

function numberLines(lines: readonly PatchLine[]): PatchRow[] {
  let [before, after] = [1, 1];
  return lines.map(({ kind, text }): PatchRow => {
    const line = [{ text: sanitizeForTerminal(cutLine(text.slice(1))), isMarked: false }];
    switch (kind) {
      case 'add':
        return { kind, after: after++, words: line };
      case 'remove':
        return { kind, before: before++, words: line };
      case 'context':
        return { kind, before: before++, after: after++, words: line };
      default: {
        const hunk = HUNK.exec(text);
        if (hunk !== null) [before, after] = [Number(hunk[1]), Number(hunk[2])];
        const said = sanitizeForTerminal(cutLine(hunk === null ? text : text.slice(hunk[0].length)));
        return { kind: hunk === null ? 'note' : 'place', words: [{ text: said, isMarked: false }] };
      }
    }
  });
}

/** Compares removed lines with those that were added in their place. */
function markWords(rows: PatchRow[]): readonly PatchRow[] {
  let pairs = 0;
  for (let first = 0; first < rows.length; ) {
    const removed = countRun(rows, first, 'remove');
    const added = countRun(rows, first + removed, 'add');
    for (const [old, now] of pairLines(rows.slice(first, first + removed + added), removed))
      if (pairs++ < MOST_PAIRS) markPair(rows, first + old, first + now);
    first += Math.max(1, removed + added);
  }
  return rows;
}

/** Pairs lines one by one if there are as many before as after, else in order those that have most words in common. */
function pairLines(rows: readonly PatchRow[], removed: number): readonly (readonly [number, number])[] {
  const added = rows.length - removed;
  if (removed === added) return rows.slice(0, removed).map((_, index) => [index, index + removed]);
  if (removed * added > MOST_COMPARED) return [];
  const bags = rows.map(({ words: [line] }) => new Set(line?.text.match(/\w+/gu) ?? []));
  const pairs: (readonly [number, number])[] = [];
  let next = removed;
  for (let old = 0; old < removed; old++) {
    const likeness = bags.slice(next).map((bag) => countLikeness(bags[old] ?? bag, bag));
    const best = Math.max(0, ...likeness);
    if (best < LEAST_LIKE) continue;
    const now = next + likeness.indexOf(best);
    pairs.push([old, now]);
    next = now + 1;
  }
  return pairs;
}

/** The share of words that two lines have in common. */
function countLikeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const common = [...one].filter((word) => other.has(word)).length;
  return (2 * common) / Math.max(1, one.size + other.size);
}

function countRun(rows: readonly PatchRow[], start: number, kind: PatchRow['kind']): number {
  let end = start;
  while (rows[end]?.kind === kind) end++;
  return end - start;
}

function markPair(rows: PatchRow[], oldIndex: number, newIndex: number): void {
  const [old, now] = [rows[oldIndex], rows[newIndex]];
  const [oldText, newText] = [old?.words[0]?.text ?? '', now?.words[0]?.text ?? ''];
  const parts = diffWordsWithSpace(oldText, newText, { maxEditLength: MOST_EDITS });
  if (old === undefined || now === undefined || parts === undefined) return;
  const kept = parts.reduce(
    (sum, { added, removed, value }) => sum + (added || removed ? 0 : value.trim().length),
    0,
  );
  if (kept < LEAST_KEPT * Math.min(oldText.trim().length, newText.trim().length)) return;
  const side = (other: 'added' | 'removed') =>
    parts
      .filter((part) => !part[other])
      .map(({ value, added, removed }) => ({ text: value, isMarked: added || removed }));
  rows[oldIndex] = { ...old, words: side('added') };
  rows[newIndex] = { ...now, words: side('removed') };
}
