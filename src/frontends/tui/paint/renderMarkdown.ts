import { visibleWidth } from '@earendil-works/pi-tui';
import type { HighlightCode } from '../../../markdown/highlightCode.js';
import type { MarkdownCode, MarkdownList, PlacedBlock } from '../../../markdown/MarkdownBlock.js';
import { parseMarkdown } from '../../../markdown/parseMarkdown.js';
import { assertNever } from '../../../utils/assertNever.js';
import { renderMarkdownTable } from './renderMarkdownTable.js';
import { paintLine, type Style, type StyledLine, wrapColumns, wrapWords } from './StyledText.js';
import { styleInlines } from './styleInlines.js';
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
