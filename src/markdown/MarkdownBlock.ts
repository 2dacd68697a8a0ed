/** Text within a line: what it says and how it is set. All of it is safe to show. */
export type MarkdownInline =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'line-break' }
  | {
      readonly kind: 'strong' | 'emphasis' | 'strike';
      readonly children: readonly MarkdownInline[];
    }
  | MarkdownLink;

/** A link to the web or an address for mail; other targets are text. */
export interface MarkdownLink {
  readonly kind: 'link';
  readonly url: string;
  readonly children: readonly MarkdownInline[];
}

export type MarkdownAlignment = 'left' | 'center' | 'right';

export interface MarkdownTable {
  readonly kind: 'table';
  readonly alignments: readonly MarkdownAlignment[];
  readonly head: readonly MarkdownCell[];
  readonly rows: readonly (readonly MarkdownCell[])[];
}

export type MarkdownCell = readonly MarkdownInline[];

export interface MarkdownList {
  readonly kind: 'list';
  /** The first number, if the list is numbered. */
  readonly start?: number;
  readonly items: readonly MarkdownItem[];
}

export interface MarkdownItem {
  /** Whether the task is done, if the item is one. */
  readonly isDone?: boolean;
  readonly blocks: readonly PlacedBlock[];
}

/** Code between fences, or set further in. */
export interface MarkdownCode {
  readonly kind: 'code';
  /** In lower case; empty if not given. */
  readonly language: string;
  /** Without the line end of its last line. */
  readonly text: string;
}

/** A part of a message as Markdown sets it. */
export type MarkdownBlock =
  | { readonly kind: 'paragraph'; readonly children: readonly MarkdownInline[] }
  /** `level` 1 to 6. */
  | { readonly kind: 'heading'; readonly level: number; readonly children: readonly MarkdownInline[] }
  | { readonly kind: 'quote'; readonly blocks: readonly PlacedBlock[] }
  | { readonly kind: 'rule' }
  | MarkdownCode
  | MarkdownList
  | MarkdownTable;

/** A block, and whether a blank line is before it in the source. */
export type PlacedBlock = MarkdownBlock & { readonly isApart: boolean };

/** The words of a text without their forms. */
export function plainTextOf(inlines: readonly MarkdownInline[]): string {
  return inlines
    .map((inline) =>
      inline.kind === 'line-break' ? '\n' : 'text' in inline ? inline.text : plainTextOf(inline.children),
    )
    .join('');
}

/** The target of a link that its text does not show; empty if the text is the target. */
export function hiddenTarget({ url, children }: MarkdownLink): string {
  const text = plainTextOf(children);
  return [url, decode(url), url.replace(/^mailto:/iu, '')].includes(text) ? '' : url;
}

/** As it is read in the line of addresses; names of hosts stay as they are. */
function decode(url: string): string {
  try {
    return decodeURI(url);
  } catch {
    // A `%` that encodes nothing: the text can only be the target itself.
    return url;
  }
}
