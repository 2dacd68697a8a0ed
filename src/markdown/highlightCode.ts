import { common, createLowlight } from 'lowlight';

/** A kind of code that has a colour of its own. */
export type CodeKind =
  | 'keyword'
  | 'string'
  | 'number'
  | 'comment'
  | 'title'
  | 'type'
  | 'name'
  | 'meta'
  | 'addition'
  | 'deletion';

/** Some of a code, and its kind if it has one. */
export interface CodeSpan {
  readonly text: string;
  readonly kind?: CodeKind;
}

/** Colours code, or says that it has none. */
export type HighlightCode = (text: string, language: string) => readonly CodeSpan[] | undefined;

/** Grammars take time in proportion to the square of a hostile text, at this length a second or two: longer code has no colours. */
const MOST_CHARACTERS = 16 * 1024;

const KINDS: Readonly<Record<CodeKind, readonly string[]>> = {
  keyword: ['keyword', 'selector-tag', 'name', 'doctag', 'operator'],
  string: ['string', 'regexp', 'char', 'subst', 'template-tag', 'link', 'code'],
  number: ['number', 'literal', 'symbol', 'bullet'],
  comment: ['comment', 'quote'],
  title: ['title', 'section', 'function'],
  type: ['type', 'built_in', 'class'],
  name: ['attr', 'attribute', 'property', 'variable', 'template-variable', 'selector-class', 'selector-id'],
  meta: ['meta', 'selector-attr', 'selector-pseudo'],
  addition: ['addition'],
  deletion: ['deletion'],
};

const kindsByClass = new Map(
  Object.entries(KINDS).flatMap(([kind, names]) => names.map((name) => [`hljs-${name}`, kind as CodeKind])),
);

const lowlight = createLowlight(common);

/** Code in the colours of its language; nothing for a language that is not known and for code that is too long. */
export const highlightCode: HighlightCode = (text, language) => {
  if (text.length > MOST_CHARACTERS || !lowlight.registered(language)) return undefined;
  return flatten(lowlight.highlight(language, text).children);
};

type Node = ReturnType<typeof lowlight.highlight>['children'][number];

/** Spans one after the other; each has the kind of the innermost node that has one. */
function flatten(roots: readonly Node[]): CodeSpan[] {
  const spans: CodeSpan[] = [];
  /** Nodes still to be read, the next one last: code nests as deeply as it likes. */
  const waiting: { readonly node: Node; readonly kind: CodeKind | undefined }[] = [];
  const push = (nodes: readonly Node[], kind: CodeKind | undefined): void => {
    for (let index = nodes.length - 1; index >= 0; index -= 1) {
      const node = nodes[index];
      if (node !== undefined) waiting.push({ node, kind });
    }
  };
  push(roots, undefined);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node, kind } = next;
    if (node.type === 'text') spans.push({ text: node.value, ...(kind && { kind }) });
    else if (node.type === 'element') push(node.children, kindOf(node.properties.className) ?? kind);
  }
  return spans;
}

function kindOf(classes: unknown): CodeKind | undefined {
  return Array.isArray(classes) ? kindsByClass.get(String(classes[0])) : undefined;
}
