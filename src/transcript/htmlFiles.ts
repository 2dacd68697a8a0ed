import { words } from '../catalogue/words.js';
import type { FilesBlock } from '../presentation/Block.js';
import {
  describeFileRecord,
  describeOthers,
  headFiles,
  type ShownCount,
  type ShownFile,
} from '../presentation/describeFileRecord.js';
import { describePart, type PatchPart, partPatch } from '../presentation/readPatch.js';
import { sanitizeFileName, sanitizeForTerminal } from '../utils/sanitize.js';
import { type Html, html } from './htmlTemplate.js';

/** As many as are seen without a click, and as many as a page can hold. */
const SEEN_FILES = 20;
const MOST_FILES = 1000;

const NOTHING = html``;
const LINE_CLASSES = {
  '+': html` class="add"`,
  '-': html` class="remove"`,
  ' ': NOTHING,
  '…': html` class="place"`,
};

/** Files that changed: a row each, which opens to show its lines. Changes between turns without lines are one sentence. */
export function formatFiles(block: FilesBlock, hue: readonly string[]): Html {
  const { files, patch = '', patchIsCut } = block.record;
  const others = patch === '' ? describeOthers(block, words) : undefined;
  if (others !== undefined) return html`<p class="notice">${others}</p>`;
  const shown = describeFileRecord(block, { most: MOST_FILES }, words);
  const parts = new Map(partPatch(patch).map((part) => [part.path, part]));
  const rows = shown.rows.map((row, index) => {
    const path = files[index]?.path ?? '';
    const part = parts.get(path);
    parts.delete(path);
    return formatRow(row, part);
  });
  const unnamed = [...parts.values()].map((part) =>
    formatRow({ mark: 'M', path: sanitizeFileName(part.path), counts: [] }, part),
  );
  const all = [...rows, ...unnamed];
  const notes = [...shown.notes, ...(patchIsCut ? [words.fileRecords.diffIsCut] : [])];
  return html`<section class="${['files', ...hue].join(' ')}"><h2><span>${headFiles(shown)}</span>${formatCounts(shown.counts)}</h2>
${all.slice(0, SEEN_FILES)}${foldAway(all.slice(SEEN_FILES))}${notes.map((note) => html`<p class="hint">${note}</p>`)}</section>`;
}

function foldAway(rows: readonly Html[]): Html {
  if (rows.length === 0) return NOTHING;
  return html`<details><summary>${words.fileRecords.more(String(rows.length))}</summary>${rows}</details>`;
}

function formatRow({ mark, path, counts }: ShownFile, part: PatchPart | undefined): Html {
  const row = html`<span class="mark-${mark}">${mark}</span> <code>${path}</code>${formatCounts(counts)}`;
  if (part === undefined) return html`<p class="file">${row}</p>`;
  const lines = describePart(part).lines.map(({ mark: kind, text }) => {
    const line = sanitizeForTerminal(kind === '…' ? text : `${kind}${text}`);
    return html`<span${LINE_CLASSES[kind]}>${line}</span>`;
  });
  return html`<details class="file"><summary>${row}</summary><pre class="code diff">${lines}</pre></details>
`;
}

function formatCounts(counts: readonly ShownCount[]): Html {
  return html`${counts.map(({ kind, text }) => html` <span class="${kind}">${text}</span>`)}`;
}
