import { structuredPatch } from 'diff';
import type { PromptDiff } from './Difference.js';

/** Longer than this no one waits for a difference. */
const MOST_MILLISECONDS = 400;
const CONTEXT_LINES = 1;

/** Compares two texts line by line. In its own file, since the package is loaded only when texts differ. */
export function diffPrompts(before: string, now: string): PromptDiff {
  const patch = structuredPatch('', '', before, now, undefined, undefined, {
    context: CONTEXT_LINES,
    timeout: MOST_MILLISECONDS,
  });
  if (patch === undefined) return describeLongTexts(before.split('\n'), now.split('\n'));
  return {
    kind: 'lines',
    hunks: patch.hunks.map(({ oldStart, newStart, lines }) => ({
      before: oldStart,
      now: newStart,
      // A text without a line end is none that anybody would miss.
      lines: lines.filter((line) => !line.startsWith('\\')),
    })),
  };
}

function describeLongTexts(before: readonly string[], now: readonly string[]): PromptDiff {
  const first = before.findIndex((line, index) => line !== now[index]);
  const firstLine = 1 + (first === -1 ? before.length : first);
  return { kind: 'too-long', before: before.length, now: now.length, firstLine };
}
