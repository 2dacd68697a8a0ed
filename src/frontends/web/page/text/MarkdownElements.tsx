import type { ComponentChildren } from 'preact';
import {
  hiddenTarget,
  type MarkdownBlock,
  type MarkdownCell,
  type MarkdownCode,
  type MarkdownInline,
  type MarkdownItem,
  type MarkdownLink,
  type MarkdownList,
  type MarkdownTable,
} from '../../../../markdown/MarkdownBlock.js';
import { assertNever } from '../../../../utils/assertNever.js';
import { CopyButton } from '../parts/controls.js';
import { pageWords as words } from '../state/language.js';
import type { ParsedText } from './TextParser.js';

/** Addresses that a click may lead to. */
const SAFE_ADDRESS = /^(?:https?|mailto):/iu;

type Colours = Pick<ParsedText, 'colours'>;

/** A text that was read, as elements of a fixed list. Everything in it is a text node; nothing is an address but what is checked here. */
export function MarkdownElements({ blocks, colours }: ParsedText) {
  return <>{showBlocks(blocks, { colours })}</>;
}

function showBlocks(blocks: readonly MarkdownBlock[], colours: Colours): ComponentChildren {
  return blocks.map((block) => showBlock(block, colours));
}

function showBlock(block: MarkdownBlock, colours: Colours): ComponentChildren {
  switch (block.kind) {
    case 'paragraph':
      return <p>{showInlines(block.children)}</p>;
    case 'heading':
      // All of one rank below who speaks: the ranks of a message are not those of the page.
      return <h3 class={`level${block.level}`}>{showInlines(block.children)}</h3>;
    case 'quote':
      return <blockquote>{showBlocks(block.blocks, colours)}</blockquote>;
    case 'rule':
      return <hr />;
    case 'code':
      return showCode(block, colours);
    case 'list':
      return showList(block, colours);
    case 'table':
      return showTable(block);
    default:
      return assertNever(block);
  }
}

function showCode(code: MarkdownCode, { colours }: Colours): ComponentChildren {
  const spans = colours
    .get(code)
    ?.map(({ text, kind }) => (kind === undefined ? text : <span class={kind}>{text}</span>));
  return (
    <figure class="code">
      <figcaption>
        <span>{code.language}</span>
        <CopyButton text={code.text} label={words.webLog.copyCode} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and must do so by keys as well. */}
      <pre tabIndex={0}>{spans ?? code.text}</pre>
    </figure>
  );
}

function showList({ start, items }: MarkdownList, colours: Colours): ComponentChildren {
  const lines = items.map((item) => showItem(item, colours));
  return start === undefined ? <ul>{lines}</ul> : <ol start={start}>{lines}</ol>;
}

/** The only line of an item stands right after its mark. */
function showItem({ isDone, blocks }: MarkdownItem, colours: Colours): ComponentChildren {
  const [first, ...others] = blocks;
  const isTight = first?.kind === 'paragraph' && !others.some(({ kind }) => kind === 'paragraph');
  const text = isTight
    ? [showInlines(first.children), showBlocks(others, colours)]
    : showBlocks(blocks, colours);
  if (isDone === undefined) return <li>{text}</li>;
  return (
    <li class="todo">
      <span class="box">{isDone ? '☑' : '☐'}</span>
      {text}
    </li>
  );
}

function showTable({ alignments, head, rows }: MarkdownTable): ComponentChildren {
  const showRow = (cells: readonly MarkdownCell[], Cell: 'th' | 'td') => (
    <tr>
      {cells.map((cell, index) => (
        <Cell class={alignments[index]}>{showInlines(cell)}</Cell>
      ))}
    </tr>
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and must do so by keys as well.
    <figure class="table" tabIndex={0}>
      <table>
        <thead>{showRow(head, 'th')}</thead>
        <tbody>{rows.map((cells) => showRow(cells, 'td'))}</tbody>
      </table>
    </figure>
  );
}

function showInlines(inlines: readonly MarkdownInline[]): ComponentChildren {
  return inlines.map(showInline);
}

function showInline(inline: MarkdownInline): ComponentChildren {
  switch (inline.kind) {
    case 'text':
      return inline.text;
    case 'code':
      return <code>{inline.text}</code>;
    case 'line-break':
      return <br />;
    case 'strong':
      return <strong>{showInlines(inline.children)}</strong>;
    case 'emphasis':
      return <em>{showInlines(inline.children)}</em>;
    case 'strike':
      return <s>{showInlines(inline.children)}</s>;
    case 'link':
      return showLink(inline);
    default:
      return assertNever(inline);
  }
}

/** A link says where it leads. */
function showLink(link: MarkdownLink): ComponentChildren {
  const target = hiddenTarget(link);
  const aside = target === '' ? null : <span class="link-target"> ({target})</span>;
  const text = showInlines(link.children);
  if (!SAFE_ADDRESS.test(link.url)) return [text, aside];
  return [
    <a href={link.url} target="_blank" rel="noopener noreferrer">
      {text}
    </a>,
    aside,
  ];
}
