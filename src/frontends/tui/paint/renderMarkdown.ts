import { visibleWidth } from '@earendil-works/pi-tui';
import type { HighlightCode } from '../../../markdown/highlightCode.js';
import {
  hiddenTarget,
  type MarkdownAlignment,
  type MarkdownCode,
  type MarkdownInline,
  type MarkdownList,
  type MarkdownTable,
  type PlacedBlock,
} from '../../../markdown/MarkdownBlock.js';
import { parseMarkdown } from '../../../markdown/parseMarkdown.js';
import { assertNever } from '../../../utils/assertNever.js';
import {
  paintLine,
  type Style,
  type StyledLine,
  type StyledSpan,
  widthOfLine,
  wrapColumns,
  wrapWords,
} from './StyledText.js';
import type { MarkdownLook } from './theme.js';

/** Blocks that follow each other without a blank line if they do so in the source. */
const CLOSE: readonly PlacedBlock['kind'][] = ['paragraph', 'list', 'quote'];
/** Less is no room for text: marks and indents are left out before it gets narrower. */
const SMALLEST_ROOM = 8;
const WIDEST_RULE = 80;
const CODE_INDENT = '  ';

/** The room for Markdown and its looks. */
export interface MarkdownSpace {
  readonly width: number;
  readonly look: MarkdownLook;
  readonly highlight?: HighlightCode;
}

/** Markdown that is not ours as lines, none wider than its space. Whatever it says is made harmless here. */
export function renderMarkdown(text: string, space: MarkdownSpace): string[] {
  return renderBlocks(parseMarkdown(text), space);
}

function renderBlocks(blocks: readonly PlacedBlock[], space: MarkdownSpace): string[] {
  return blocks.flatMap((block, index) => {
    const before = blocks[index - 1];
    const lines = renderBlock(block, space);
    return before === undefined || isClose(before, block) ? lines : ['', ...lines];
  });
}

function isClose(before: PlacedBlock, after: PlacedBlock): boolean {
  return !after.isApart && CLOSE.includes(before.kind) && CLOSE.includes(after.kind);
}

function renderBlock(block: PlacedBlock, space: MarkdownSpace): string[] {
  const { width, look } = space;
  switch (block.kind) {
    case 'paragraph':
      return wrapWords(styleInlines(block.children, look), width).map(paintLine);
    case 'heading': {
      const style: Style = (text) => look.strong(block.level === 1 ? look.underline(text) : text);
      return wrapWords(styleInlines(block.children, { ...look, text: style }), width).map(paintLine);
    }
    case 'quote':
      return hang(look.frame('│ '), look.frame('│ '), space, (inner) => renderBlocks(block.blocks, inner));
    case 'rule':
      return [look.frame('─'.repeat(Math.min(width, WIDEST_RULE)))];
    case 'code':
      return hang(CODE_INDENT, CODE_INDENT, space, (inner) => renderCode(block, inner));
    case 'list':
      return renderList(block, space);
    case 'table':
      return renderMarkdownTable(block, width, look);
    default:
      return assertNever(block);
  }
}

function renderList({ start, items }: MarkdownList, space: MarkdownSpace): string[] {
  const marks = items.map(({ isDone }, index) => {
    if (isDone !== undefined) return isDone ? '☑ ' : '☐ ';
    return start === undefined ? '- ' : `${start + index}. `;
  });
  const widest = Math.max(0, ...marks.map((mark) => visibleWidth(mark)));
  return items.flatMap(({ blocks }, index) => {
    const mark = (marks[index] ?? '').padStart(widest);
    const lines = hang(space.look.frame(mark), ' '.repeat(widest), space, (inner) =>
      renderBlocks(blocks, inner),
    );
    return index > 0 && blocks[0]?.isApart ? ['', ...lines] : lines;
  });
}

/** Lines behind a mark, and behind its continuation from the second one on, if there is room for them. */
function hang(
  first: string,
  others: string,
  space: MarkdownSpace,
  render: (inner: MarkdownSpace) => readonly string[],
): string[] {
  const room = space.width - visibleWidth(first);
  if (room < SMALLEST_ROOM) return [...render(space)];
  const lines = render({ ...space, width: room });
  if (lines.length === 0) return [first];
  return lines.map((line, index) => {
    const prefix = index === 0 ? first : others;
    return line === '' && prefix.trim() === '' ? '' : prefix + line;
  });
}

/** Code keeps every blank, so it is wrapped where the line ends. */
function renderCode({ text, language }: MarkdownCode, { width, look, highlight }: MarkdownSpace): string[] {
  const code = text.replaceAll('\t', '    ');
  const spans = highlight?.(code, language);
  const styled = spans?.map(({ text: piece, kind }) => ({
    text: piece,
    style: kind === undefined ? look.text : look.codeKinds[kind],
  })) ?? [{ text: code, style: look.text }];
  return splitLines(styled).flatMap((line) => wrapColumns(line, width).map(paintLine));
}

function splitLines(spans: StyledLine): StyledLine[] {
  const lines: { text: string; style: Style }[][] = [[]];
  for (const { text, style } of spans) {
    const [first = '', ...others] = text.split('\n');
    lines.at(-1)?.push({ text: first, style });
    for (const other of others) lines.push([{ text: other, style }]);
  }
  return lines;
}

const [SEPARATOR, CROSSING] = [' │ ', '─┼─'];
/** Less is no column: the table is told row by row. */
const SMALLEST_COLUMN = 6;

/** A table with its columns aligned; if there is no room for columns, each row is a list of heads and cells. */
export function renderMarkdownTable(table: MarkdownTable, width: number, look: MarkdownLook): string[] {
  const head = table.head.map((cell) => styleInlines(cell, { ...look, text: look.strong }));
  const rows = table.rows.map((cells) => cells.map((cell) => styleInlines(cell, look)));
  const natural = head.map((_, column) =>
    Math.max(...[head, ...rows].map((row) => widthOfLine(row[column] ?? []))),
  );
  const widths = shareWidth(natural, width - SEPARATOR.length * (natural.length - 1));
  if (widths === undefined) return renderAsLists(head, rows.length === 0 ? [[]] : rows, width, look);
  const rule = look.frame(widths.map((columns) => '─'.repeat(columns)).join(CROSSING));
  const drawn = rows.map((row) => renderRow(row, widths, table.alignments, look));
  // A row of several lines would run into the next one.
  const isTall = drawn.some(({ length }) => length > 1);
  const body = drawn.flatMap((lines, index) => (isTall && index > 0 ? [rule, ...lines] : lines));
  return [...renderRow(head, widths, table.alignments, look), rule, ...body];
}

/**
 * Widths that fit into the room: columns that need less than an equal share get what they need, and the others share the
 * rest equally. Nothing if a column would be too narrow to read.
 */
export function shareWidth(natural: readonly number[], room: number): readonly number[] | undefined {
  const byNeed = natural.map((_, column) => column).sort((a, b) => (natural[a] ?? 0) - (natural[b] ?? 0));
  const widths: number[] = [];
  let left = room;
  for (const [index, column] of byNeed.entries()) {
    const need = Math.max(1, natural[column] ?? 1);
    const width = Math.min(need, Math.floor(left / (byNeed.length - index)));
    if (width < Math.min(need, SMALLEST_COLUMN)) return undefined;
    widths[column] = width;
    left -= width;
  }
  return widths;
}

function renderRow(
  cells: readonly (readonly StyledSpan[])[],
  widths: readonly number[],
  alignments: readonly MarkdownAlignment[],
  look: MarkdownLook,
): string[] {
  const columns = widths.map((width, column) => wrapWords(cells[column] ?? [], width));
  const height = Math.max(...columns.map(({ length }) => length));
  return Array.from({ length: height }, (_, row) =>
    columns
      .map((lines, column) => align(lines[row] ?? [], widths[column] ?? 0, alignments[column]))
      .join(look.frame(SEPARATOR)),
  );
}

function align(line: StyledLine, width: number, alignment: MarkdownAlignment = 'left'): string {
  const blank = width - widthOfLine(line);
  const before = alignment === 'right' ? blank : alignment === 'center' ? Math.floor(blank / 2) : 0;
  return ' '.repeat(before) + paintLine(line) + ' '.repeat(blank - before);
}

function renderAsLists(
  head: readonly (readonly StyledSpan[])[],
  rows: readonly (readonly (readonly StyledSpan[])[])[],
  width: number,
  look: MarkdownLook,
): string[] {
  return rows.flatMap((cells, row) => {
    const lines = head.flatMap((name, column) => {
      const label = name.length === 0 ? [] : [...name, { text: ': ', style: look.strong }];
      return wrapWords([...label, ...(cells[column] ?? [])], width).map(paintLine);
    });
    return row === 0 ? lines : ['', ...lines];
  });
}

/** Text within a line in its forms. A link says where it leads. */
export function styleInlines(
  inlines: readonly MarkdownInline[],
  look: MarkdownLook,
  style: Style = look.text,
): StyledSpan[] {
  return inlines.flatMap((inline): StyledSpan[] => {
    switch (inline.kind) {
      case 'text':
        return [{ text: inline.text.replaceAll('\t', ' '), style }];
      case 'code':
        return [{ text: inline.text.replaceAll('\t', ' '), style: within(style, look.code) }];
      case 'line-break':
        return [{ text: '\n', style }];
      case 'link': {
        const target = hiddenTarget(inline);
        const words = styleInlines(inline.children, look, within(style, within(look.link, look.underline)));
        return target === '' ? words : [...words, { text: ` (${target})`, style: within(style, look.frame) }];
      }
      default:
        return styleInlines(inline.children, look, within(style, look[inline.kind]));
    }
  });
}

function within(outer: Style, inner: Style): Style {
  return (text) => outer(inner(text));
}
