import { words } from '../catalogue/words.js';
import type { FilesBlock } from '../presentation/Block.js';
import {
  describeFileRecord,
  describeOthers,
  formatCounts,
  headFiles,
} from '../presentation/describeFileRecord.js';
import { escapeMarkdown, formatCode, quoteCode } from './quoteMarkdown.js';

const MOST_FILES = 100;

/** Files that changed: a list, and the lines folded away. */
export function formatFilesInMarkdown(block: FilesBlock): string[] {
  const { patch = '', patchIsCut } = block.record;
  const { diff, diffIsCut } = words.fileRecords;
  const others = patch === '' ? describeOthers(block) : undefined;
  if (others !== undefined) return [`*${escapeMarkdown(others)}*`];
  const shown = describeFileRecord(block, { most: MOST_FILES });
  const head = [headFiles(shown), formatCounts(shown.counts)].filter((part) => part !== '').join(' ');
  const rows = shown.rows.map(({ mark, path, counts }) =>
    `- ${mark} ${formatCode(path)} ${formatCounts(counts)}`.trimEnd(),
  );
  const notes = shown.notes.map((note) => `- ${escapeMarkdown(note)}`);
  const lines = [`<details><summary>${diff}</summary>`, quoteCode(patch.trimEnd(), 'diff'), '</details>'];
  return [
    `**${escapeMarkdown(head)}**`,
    ...(rows.length + notes.length > 0 ? [[...rows, ...notes].join('\n')] : []),
    ...(patch === '' ? [] : lines),
    ...(patchIsCut ? [`*${diffIsCut}*`] : []),
  ];
}
