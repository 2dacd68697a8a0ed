import type { CodeSpan, HighlightCode } from '../markdown/highlightCode.js';
import {
  hiddenTarget,
  type MarkdownAlignment,
  type MarkdownBlock,
  type MarkdownCell,
  type MarkdownCode,
  type MarkdownInline,
  type MarkdownItem,
  type MarkdownLink,
  type MarkdownList,
  type MarkdownTable,
  type PlacedBlock,
} from '../markdown/MarkdownBlock.js';
import { assertNever } from '../utils/assertNever.js';
import { type Html, html } from './htmlTemplate.js';

/** Reads the texts of a page: Markdown, and if there is code its colours. */
export interface TextReader {
  readonly parseMarkdown: (text: string) => readonly PlacedBlock[];
  readonly highlightCode?: HighlightCode;
}

type Colours = Pick<TextReader, 'highlightCode'>;

const NOTHING = html``;

/** Markdown as elements of a fixed list. */
export function formatBlocks(blocks: readonly MarkdownBlock[], colours: Colours): Html {
  return html`${blocks.map((block) => formatBlock(block, colours))}`;
}

function formatBlock(block: MarkdownBlock, colours: Colours): Html {
  switch (block.kind) {
    case 'paragraph':
      return html`<p>${formatInlines(block.children)}</p>`;
    case 'heading':
      return formatHeading(block.level, formatInlines(block.children));
    case 'quote':
      return html`<blockquote>${formatBlocks(block.blocks, colours)}</blockquote>`;
    case 'rule':
      return html`<hr>`;
    case 'code':
      return formatCode(block, colours);
    case 'list':
      return formatList(block, colours);
    case 'table':
      return formatTable(block);
    default:
      return assertNever(block);
  }
}

/** Below the headings of the page, which are the title and who speaks. */
function formatHeading(level: number, text: Html): Html {
  if (level === 1) return html`<h3>${text}</h3>`;
  if (level === 2) return html`<h4>${text}</h4>`;
  return level === 3 ? html`<h5>${text}</h5>` : html`<h6>${text}</h6>`;
}

function formatCode({ text, language }: MarkdownCode, { highlightCode }: Colours): Html {
  const spans = language === '' ? undefined : highlightCode?.(text, language);
  const code = spans?.map((span) =>
    span.kind === undefined ? span.text : html`<span class="${span.kind}">${span.text}</span>`,
  );
  const label = language === '' ? NOTHING : html` data-language="${language}"`;
  return html`<pre class="code"${label}>${code ?? text}</pre>`;
}

function formatList({ start, items }: MarkdownList, colours: Colours): Html {
  const lines = items.map((item) => formatItem(item, colours));
  if (start === undefined) return html`<ul>${lines}</ul>`;
  return start === 1 ? html`<ol>${lines}</ol>` : html`<ol start="${start}">${lines}</ol>`;
}

/** The only line of an item stands right after its mark. */
function formatItem({ isDone, blocks }: MarkdownItem, colours: Colours): Html {
  const [first, ...others] = blocks;
  const isTight = first?.kind === 'paragraph' && !others.some(({ kind }) => kind === 'paragraph');
  const text = isTight
    ? html`${formatInlines(first.children)}${formatBlocks(others, colours)}`
    : formatBlocks(blocks, colours);
  if (isDone === undefined) return html`<li>${text}</li>`;
  return html`<li class="todo"><span class="box">${isDone ? '☑' : '☐'}</span>${text}</li>`;
}

function formatTable({ alignments, head, rows }: MarkdownTable): Html {
  const heads = head.map((cell, index) => html`<th${classOf(alignments[index])}>${formatInlines(cell)}</th>`);
  const lines = rows.map((cells) => formatRow(cells, alignments));
  return html`<div class="table"><table><thead><tr>${heads}</tr></thead><tbody>${lines}</tbody></table></div>`;
}

function formatRow(cells: readonly MarkdownCell[], alignments: readonly MarkdownAlignment[]): Html {
  const data = cells.map((cell, index) => html`<td${classOf(alignments[index])}>${formatInlines(cell)}</td>`);
  return html`<tr>${data}</tr>`;
}

function classOf(alignment: MarkdownAlignment = 'left'): Html {
  return alignment === 'left' ? NOTHING : html` class="${alignment}"`;
}

function formatInlines(inlines: readonly MarkdownInline[]): Html {
  return html`${inlines.map(formatInline)}`;
}

function formatInline(inline: MarkdownInline): Html {
  switch (inline.kind) {
    case 'text':
      return html`${inline.text}`;
    case 'code':
      return html`<code>${inline.text}</code>`;
    case 'line-break':
      return html`<br>`;
    case 'strong':
      return html`<strong>${formatInlines(inline.children)}</strong>`;
    case 'emphasis':
      return html`<em>${formatInlines(inline.children)}</em>`;
    case 'strike':
      return html`<s>${formatInlines(inline.children)}</s>`;
    case 'link':
      return formatLink(inline);
    default:
      return assertNever(inline);
  }
}

/** A link says where it leads. */
function formatLink(link: MarkdownLink): Html {
  const target = hiddenTarget(link);
  const aside = target === '' ? NOTHING : html` <span class="target">(${target})</span>`;
  return html`<a href="${link.url}" rel="noopener noreferrer">${formatInlines(link.children)}</a>${aside}`;
}

/** More code than people read on one page. */
const MOST_CHARACTERS = 1024 * 1024;
/** Code that people write takes a third of this, all that may be coloured; code made to be slow stops here. */
const MOST_MILLISECONDS = 3000;

/** The colours of one page: what comes after very much code, or after code that took too long, is plain. */
export class PageColours {
  readonly #highlight: HighlightCode;
  readonly #now: () => number;
  #characters = 0;
  #milliseconds = 0;

  /** `now` in milliseconds. */
  constructor(highlight: HighlightCode, now: () => number = () => performance.now()) {
    this.#highlight = highlight;
    this.#now = now;
  }

  highlight(text: string, language: string): readonly CodeSpan[] | undefined {
    this.#characters += text.length;
    if (this.#characters > MOST_CHARACTERS || this.#milliseconds > MOST_MILLISECONDS) return undefined;
    const start = this.#now();
    const spans = this.#highlight(text, language);
    this.#milliseconds += this.#now() - start;
    return spans;
  }
}
