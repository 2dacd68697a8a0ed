import createParser, { type StateBlock, type Token } from 'markdown-it';
import { sanitizeForTerminal } from '../utils/sanitize.js';
import {
  hiddenTarget,
  type MarkdownAlignment,
  type MarkdownBlock,
  type MarkdownCell,
  type MarkdownInline,
  type MarkdownItem,
  type MarkdownTable,
  type PlacedBlock,
  plainTextOf,
} from './MarkdownBlock.js';

/** Levels of markdown-it, of which a quote takes one and a list two. What is deeper is text. */
const DEEPEST_LEVEL = 20;
/** Above what `DEEPEST_LEVEL` lets through: markdown-it would drop what is deeper than this. */
const NEVER_REACHED = 100;
const TASK = /^\[([ xX])\][ \t]+/u;

/** Made for the first text: that takes longer than loading it. */
let parser: ReturnType<typeof createMessageParser> | undefined;

/**
 * The parts of a message. Nothing in them is markup of another kind, every text is safe to show, and none is lost but
 * the signs of Markdown itself. Takes time in proportion to the text, whatever it says.
 */
export function parseMarkdown(text: string): readonly PlacedBlock[] {
  const source = sanitizeForTerminal(text.replace(/\r\n?/gu, '\n'));
  parser ??= createMessageParser();
  return new BlockReader(parser.parse(source, {}), source.split('\n')).readAll();
}

function createMessageParser() {
  const made = createParser({ html: false, linkify: true, maxNesting: NEVER_REACHED })
    // A definition shows nothing: `[a]: look` would vanish.
    .disable('reference');
  // Only what says that it is a link: `main.rs` is a file.
  made.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
  // Every target is read here; `readInlines` decides which of them become links.
  made.validateLink = () => true;
  made.block.ruler.before('table', 'too-deep', readTooDeep);
  return made;
}

/** Reads tokens of blocks, which are a flat list with openings and closings. */
class BlockReader {
  readonly #tokens: readonly Token[];
  readonly #lines: readonly string[];
  #position = 0;

  constructor(tokens: readonly Token[], lines: readonly string[]) {
    this.#tokens = tokens;
    this.#lines = lines;
  }

  /** Blocks up to the closing of the container they are in. */
  readAll(): PlacedBlock[] {
    const blocks: PlacedBlock[] = [];
    for (let token = this.#next(); token !== undefined && token.nesting >= 0; token = this.#next())
      blocks.push({ ...this.#read(token), isApart: this.#isApart(token) });
    return blocks;
  }

  #read(token: Token): MarkdownBlock {
    switch (token.type) {
      case 'paragraph_open':
        return { kind: 'paragraph', children: this.#readLine() };
      case 'heading_open':
        return { kind: 'heading', level: Number(token.tag.slice(1)), children: this.#readLine() };
      case 'blockquote_open':
        return { kind: 'quote', blocks: this.readAll() };
      case 'bullet_list_open':
        return { kind: 'list', items: this.#readItems() };
      case 'ordered_list_open':
        return { kind: 'list', start: Number(token.attrGet('start') ?? 1), items: this.#readItems() };
      case 'table_open':
        return this.#readTable();
      case 'fence':
      case 'code_block':
        return {
          kind: 'code',
          language: sanitizeForTerminal(/^\S*/u.exec(token.info.trim())?.[0] ?? '').toLowerCase(),
          text: sanitizeForTerminal(token.content.replace(/\n$/u, '')),
        };
      case 'hr':
        return { kind: 'rule' };
      default:
        throw new Error(`No block is made of the token ${token.type}`);
    }
  }

  /** The text of a block that holds nothing else, and its closing. */
  #readLine(): MarkdownCell {
    const children = readInlines(this.#next()?.children ?? []);
    this.#next();
    return children;
  }

  #readItems(): MarkdownItem[] {
    const items: MarkdownItem[] = [];
    while (this.#next()?.type === 'list_item_open') items.push(readTask(this.readAll()));
    return items;
  }

  #readTable(): MarkdownTable {
    const rows: MarkdownCell[][] = [];
    const alignments: MarkdownAlignment[] = [];
    for (let token = this.#next(); token?.type !== 'table_close'; token = this.#next()) {
      if (token?.type === 'tr_open') rows.push([]);
      if (token?.type === 'th_open') alignments.push(alignmentOf(token));
      if (token?.type === 'inline') rows.at(-1)?.push(readInlines(token.children ?? []));
    }
    const [head = [], ...others] = rows;
    return { kind: 'table', alignments, head, rows: others };
  }

  #next(): Token | undefined {
    const token = this.#tokens[this.#position];
    this.#position += 1;
    return token;
  }

  /** In a quote a line with nothing but its sign is blank as well. */
  #isApart({ map }: Token): boolean {
    const before = map === null ? undefined : this.#lines[map[0] - 1];
    return before !== undefined && /^[\s>]*$/u.test(before);
  }
}

function alignmentOf(token: Token): MarkdownAlignment {
  const style = String(token.attrGet('style'));
  return style.endsWith('right') ? 'right' : style.endsWith('center') ? 'center' : 'left';
}

/** An item that begins with `[ ]` or `[x]` is a task. */
function readTask(blocks: readonly PlacedBlock[]): MarkdownItem {
  const [first, ...others] = blocks;
  const text = first?.kind === 'paragraph' ? first.children[0] : undefined;
  const task = text?.kind === 'text' ? TASK.exec(text.text) : null;
  if (first?.kind !== 'paragraph' || text?.kind !== 'text' || task === null) return { blocks };
  const children = [{ ...text, text: text.text.slice(task[0].length) }, ...first.children.slice(1)];
  return { isDone: task[1] !== ' ', blocks: [{ ...first, children }, ...others] };
}

/** A rule of markdown-it: takes what is too deep as a paragraph, up to the end of the container it is in. */
function readTooDeep(state: StateBlock, startLine: number, endLine: number): boolean {
  if (state.level < DEEPEST_LEVEL) return false;
  let end = startLine;
  while (end < endLine && (state.isEmpty(end) || (state.sCount[end] ?? 0) >= state.blkIndent)) end += 1;
  state.line = end;
  state.push('paragraph_open', 'p', 1).map = [startLine, end];
  const inline = state.push('inline', '', 0);
  inline.content = state.getLines(startLine, end, state.blkIndent, false).trim();
  inline.children = [];
  state.push('paragraph_close', 'p', -1);
  return true;
}

/** No one writes text in more forms at once; what is deeper has the form of what is around it. */
const DEEPEST = 16;
const SAFE_URL = /^(?:https?|mailto):/iu;

const STYLES: Readonly<Record<string, 'strong' | 'emphasis' | 'strike'>> = {
  strong_open: 'strong',
  em_open: 'emphasis',
  s_open: 'strike',
};

/** A form that has been opened, and what it holds so far. */
interface OpenForm {
  readonly children: MarkdownInline[];
  readonly close: (children: readonly MarkdownInline[]) => readonly MarkdownInline[];
}

/** The text of a block. */
function readInlines(tokens: readonly Token[]): readonly MarkdownInline[] {
  const root: MarkdownInline[] = [];
  const open: OpenForm[] = [];
  /** Openings that are too deep to count. */
  let ignored = 0;
  const add = (inlines: readonly MarkdownInline[]): void => {
    const target = open.at(-1)?.children ?? root;
    for (const inline of inlines) append(target, inline);
  };
  for (const token of tokens) {
    if (token.nesting === 0) add(readLeaf(token));
    else if (token.nesting === 1) {
      if (open.length < DEEPEST) open.push({ children: [], close: closerOf(token) });
      else ignored += 1;
    } else if (ignored > 0) ignored -= 1;
    else {
      const form = open.pop();
      if (form !== undefined) add(form.close(form.children));
    }
  }
  return root;
}

function readLeaf(token: Token): readonly MarkdownInline[] {
  switch (token.type) {
    case 'code_inline':
      return [{ kind: 'code', text: sanitizeForTerminal(token.content) }];
    // A line that was broken in a message was meant to end there.
    case 'softbreak':
    case 'hardbreak':
      return [{ kind: 'line-break' }];
    case 'image':
      return linkTo(token, 'src', readInlines(token.children ?? []));
    default:
      return token.content === '' ? [] : [{ kind: 'text', text: sanitizeForTerminal(token.content) }];
  }
}

function closerOf(token: Token): OpenForm['close'] {
  const kind = STYLES[token.type];
  if (kind !== undefined) return (children) => [{ kind, children }];
  return (children) => linkTo(token, 'href', children);
}

/** A link, or the text and its target if that is not for a browser; the title follows in either case. */
function linkTo(
  token: Token,
  attribute: 'href' | 'src',
  children: readonly MarkdownInline[],
): readonly MarkdownInline[] {
  const url = sanitizeForTerminal(String(token.attrGet(attribute) ?? ''));
  const title = sanitizeForTerminal(String(token.attrGet('title') ?? ''));
  const shown = children.length > 0 ? withoutLinks(children) : [{ kind: 'text', text: url } as const];
  const aside = title === '' ? [] : [{ kind: 'text', text: ` "${title}"` } as const];
  if (SAFE_URL.test(url)) return [{ kind: 'link', url, children: shown }, ...aside];
  const isShown = url === '' || plainTextOf(shown) === url;
  return [...shown, ...(isShown ? [] : [{ kind: 'text', text: ` (${url})` } as const]), ...aside];
}

/** No link is in another one: a picture in a link is its text and its target. */
function withoutLinks(inlines: readonly MarkdownInline[]): readonly MarkdownInline[] {
  return inlines.flatMap((inline): readonly MarkdownInline[] => {
    if (inline.kind === 'link') {
      const target = hiddenTarget(inline);
      return [
        ...inline.children,
        ...(target === '' ? [] : [{ kind: 'text', text: ` (${target})` } as const]),
      ];
    }
    return 'children' in inline ? [{ ...inline, children: withoutLinks(inline.children) }] : [inline];
  });
}

/** Text that follows text is one text. */
function append(inlines: MarkdownInline[], inline: MarkdownInline): void {
  const last = inlines.at(-1);
  if (last?.kind === 'text' && inline.kind === 'text')
    inlines[inlines.length - 1] = { kind: 'text', text: last.text + inline.text };
  else inlines.push(inline);
}
