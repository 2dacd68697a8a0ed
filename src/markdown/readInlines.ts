import type { Token } from 'markdown-it';
import { sanitizeForTerminal } from '../utils/sanitize.js';
import { hiddenTarget } from './hiddenTarget.js';
import type { MarkdownInline } from './MarkdownBlock.js';
import { plainTextOf } from './plainTextOf.js';

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
export function readInlines(tokens: readonly Token[]): readonly MarkdownInline[] {
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
