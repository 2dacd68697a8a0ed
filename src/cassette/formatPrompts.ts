import { words } from '../catalogue/words.js';
import { sanitizeForTerminal } from '../utils/sanitize.js';
import type { OtherPrompt, PromptHunk } from './Difference.js';

/** A change, and the turns in whose prompts it is. */
interface SharedChange {
  readonly memberId: string;
  readonly lines: readonly string[];
  readonly turnIds: string[];
}

/** Puts changed prompts into words: each change once, with all turns of a member that have it. */
export function formatPrompts(prompts: readonly OtherPrompt[], nameOf: (id: string) => string): string[] {
  const changes = new Map<string, SharedChange>();
  for (const prompt of prompts) {
    for (const lines of describeChanges(prompt)) {
      const { memberId, turnId } = prompt;
      // The same change stands in other lines when the text before it has grown.
      const key = JSON.stringify([memberId, lines.filter((line) => !line.startsWith('  @@'))]);
      const known = changes.get(key);
      if (known === undefined) changes.set(key, { memberId, lines, turnIds: [turnId] });
      else known.turnIds.push(turnId);
    }
  }
  return joinChanges([...changes.values()]).flatMap(({ memberId, turnIds, lines }) => [
    words.cassette.prompt(nameOf(memberId), turnIds),
    ...lines,
  ]);
}

/** Changes of the same turns come under one heading. */
function joinChanges(changes: readonly SharedChange[]): SharedChange[] {
  const joined = new Map<string, SharedChange>();
  for (const { memberId, turnIds, lines } of changes) {
    const key = JSON.stringify([memberId, turnIds]);
    const known = joined.get(key);
    joined.set(key, { memberId, turnIds, lines: [...(known?.lines ?? []), ...lines] });
  }
  return [...joined.values()];
}

function describeChanges({ diff }: OtherPrompt): string[][] {
  switch (diff.kind) {
    case 'lines':
      return diff.hunks.map((hunk) => [words.cassette.hunk(hunk.before, hunk.now), ...formatHunk(hunk)]);
    case 'too-long':
      return [[words.cassette.promptTooLong(diff.before, diff.now, diff.firstLine)]];
    case 'unknown':
      return [[words.cassette.promptUnknown]];
  }
}

/** Characters that are shown of a long line, and of them before what changed. */
const MOST_CHARACTERS = 120;
const BEFORE_CHANGE = 40;

function formatHunk({ lines }: PromptHunk): string[] {
  const removed = lines.filter((line) => line.startsWith('-'));
  const added = lines.filter((line) => line.startsWith('+'));
  const isBlank = (line: string): boolean => line.trim() === '';
  return lines
    .filter((line) => !isBlank(line))
    .map((line) => {
      const index = line.startsWith('-') ? removed.indexOf(line) : added.indexOf(line);
      const other = line.startsWith('-') ? added[index] : line.startsWith('+') ? removed[index] : undefined;
      return `  ${line[0]}${sanitizeForTerminal(cutAround(line.slice(1), other?.slice(1)))}`;
    });
}

/** The part of a long line in which it differs from the other one. */
function cutAround(line: string, other: string | undefined): string {
  const characters = [...line];
  if (characters.length <= MOST_CHARACTERS) return line;
  const others = [...(other ?? '')];
  const change = other === undefined ? 0 : characters.findIndex((character, at) => character !== others[at]);
  const start = Math.max(0, (change === -1 ? others.length : change) - BEFORE_CHANGE);
  const end = start + MOST_CHARACTERS;
  const part = characters.slice(start, end).join('');
  return `${start > 0 ? '…' : ''}${part}${end < characters.length ? '…' : ''}`;
}
