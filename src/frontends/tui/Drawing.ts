import type { Paragraph } from './Paragraph.js';

/** How a conversation is laid out around the editor: everything a view needs and an editor does not. */
export interface Drawing {
  readonly transcript: PrintedLines;
  /** The turns that run, in at most `rows` lines. */
  renderTurns(width: number, rows: number): string[];
  /** The line under the editor. */
  renderStatus(width: number): string;
}

/** Blocks on their way into the scrollback. */
export interface PrintedLines {
  add(blocks: readonly Paragraph[]): void;
  readonly hasMore: boolean;
  /** The next lines to print, as many as can be laid out until `isEnough` says stop. */
  take(width: number, isEnough: (lineCount: number) => boolean): string[];
  /** The end of what was printed, laid out anew. */
  layOutAgain(width: number): string[];
}
