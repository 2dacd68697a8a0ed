import type { RequestFact, ShownDiff } from '../../catalogue/permissionRequests.js';
import type { ShownSpeaker } from './speakers.js';
import type { TextPiece } from './splitText.js';

/** How a line feels; the theme decides what that looks like. */
export type Tone = 'plain' | 'strong' | 'quiet' | 'good' | 'warning' | 'bad';

/** Who speaks from here on, and to whom where that is known already. */
interface HeadingBlock {
  readonly kind: 'heading';
  readonly speaker: ShownSpeaker;
  readonly addressees: readonly string[];
}

/** Somebody of the team, introduced. */
interface MemberBlock {
  readonly kind: 'member';
  readonly speaker: ShownSpeaker;
  readonly description: string;
}

/** Markdown, as somebody said it. `quiet` for what does not count, such as drafts. */
export interface TextBlock extends TextPiece {
  readonly kind: 'text';
  readonly tone: Extract<Tone, 'plain' | 'quiet'>;
}

/** Exactly one line, cut where the screen ends; `aside` stands at the right edge. */
export interface LineBlock {
  readonly kind: 'line';
  readonly icon: string;
  readonly tone: Tone;
  readonly text: string;
  readonly detail?: string;
  readonly aside?: string;
}

/** The end of a turn: whom it hands over to, and at the right edge what it took. */
export interface EndingBlock {
  readonly kind: 'ending';
  readonly addressees: readonly string[];
  readonly aside: string;
}

/** A sentence of ours. */
interface NoteBlock {
  readonly kind: 'note';
  readonly tone: Tone;
  readonly text: string;
}

/** Text as it is, line by line. */
interface DetailsBlock {
  readonly kind: 'details';
  readonly title: string;
  readonly text: string;
}

/** What an agent asks permission for: all of it. */
export interface RequestBlock {
  readonly kind: 'request';
  readonly headline: string;
  readonly facts: readonly RequestFact[];
}

/** The change of one file, or a part of it that fits into a moment. */
export interface DiffBlock extends ShownDiff {
  readonly kind: 'diff';
}

/** A piece of the transcript: printed once, in order, and never changed. Its texts are not yet safe to show. */
export type Block =
  | HeadingBlock
  | MemberBlock
  | TextBlock
  | LineBlock
  | EndingBlock
  | NoteBlock
  | DetailsBlock
  | RequestBlock
  | DiffBlock;

/** Whether a blank line belongs between two blocks. */
export function isApart(before: Block | null, after: Block): boolean {
  if (before === null) return false;
  if (after.kind === 'heading' || (after.kind === 'note' && after.tone === 'strong')) return true;
  if (before.kind === 'heading' || after.kind === 'ending') return false;
  if (before.kind !== after.kind) return true;
  if (after.kind === 'diff') return after.title !== '';
  return (
    after.kind === 'details' ||
    after.kind === 'request' ||
    (after.kind === 'text' && after.cutBefore === undefined)
  );
}
