import type { CodeSpan } from '../../../../markdown/highlightCode.js';
import type { MarkdownCode, PlacedBlock } from '../../../../markdown/MarkdownBlock.js';

/** A text as the page shows it: its parts, and the colours of the code in it. */
export interface ParsedText {
  readonly blocks: readonly PlacedBlock[];
  /** By the block itself; code without colours is not in it. */
  readonly colours: ReadonlyMap<MarkdownCode, readonly CodeSpan[]>;
}

/** A text for the worker. */
export interface ParseOrder {
  readonly id: number;
  readonly text: string;
  readonly hasColours: boolean;
}

/** News of the worker: it can begin, it begins with a text, it has read it. Without `parsed` the text has too many parts to be formatted. */
export type ParseNews =
  | { readonly kind: 'ready' }
  | { readonly kind: 'begun'; readonly id: number }
  | { readonly kind: 'parsed'; readonly id: number; readonly parsed?: ParsedText };
