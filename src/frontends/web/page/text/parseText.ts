import type { CodeSpan, HighlightCode } from '../../../../markdown/highlightCode.js';
import type { MarkdownBlock, MarkdownCode, MarkdownInline } from '../../../../markdown/MarkdownBlock.js';
import { parseMarkdown } from '../../../../markdown/parseMarkdown.js';
import { assertNever } from '../../../../utils/assertNever.js';
import type { ParsedText } from './TextParser.js';

/** More parts than people read in one message, and more than a page shows without stopping. */
const MOST_NODES = 3000;

/** Whether there may be code in a text, which has colours. */
export function mayHaveCode(text: string): boolean {
  return /`{3}|~{3}/u.test(text);
}

/** Reads a text; nothing if it has too many parts to be formatted. Colours are what is given up first. */
export function parseText(text: string, highlight?: HighlightCode): ParsedText | undefined {
  const blocks = parseMarkdown(text);
  const codes: MarkdownCode[] = [];
  let nodes = countBlocks(blocks, codes);
  if (nodes > MOST_NODES) return undefined;
  const colours = new Map<MarkdownCode, readonly CodeSpan[]>();
  for (const code of codes) {
    const spans = code.language === '' ? undefined : highlight?.(code.text, code.language);
    if (spans === undefined || nodes + spans.length > MOST_NODES) continue;
    colours.set(code, spans);
    nodes += spans.length;
  }
  return { blocks, colours };
}

/** The number of elements and texts that blocks become, and the code in them. */
function countBlocks(blocks: readonly MarkdownBlock[], codes: MarkdownCode[]): number {
  return sum(blocks, (block) => countBlock(block, codes));
}

function countBlock(block: MarkdownBlock, codes: MarkdownCode[]): number {
  switch (block.kind) {
    case 'paragraph':
    case 'heading':
      return 1 + countInlines(block.children);
    case 'quote':
      return 1 + countBlocks(block.blocks, codes);
    case 'rule':
      return 1;
    case 'code':
      codes.push(block);
      return 6;
    case 'list':
      return 1 + sum(block.items, (item) => 2 + countBlocks(item.blocks, codes));
    case 'table':
      return 3 + sum([block.head, ...block.rows], (row) => 1 + sum(row, (cell) => 1 + countInlines(cell)));
    default:
      return assertNever(block);
  }
}

function countInlines(inlines: readonly MarkdownInline[]): number {
  return sum(inlines, (inline) => ('children' in inline ? 3 + countInlines(inline.children) : 1));
}

function sum<Item>(items: readonly Item[], count: (item: Item) => number): number {
  return items.reduce((total, item) => total + count(item), 0);
}
