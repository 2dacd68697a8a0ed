import type { ShownDiff } from '../catalogue/editDiffs.js';
import { marksOf } from '../catalogue/members.js';
import type { LabelledLine } from '../catalogue/permissionRequests.js';
import type { WordsOf } from '../catalogue/words.js';
import { foldName } from '../utils/foldName.js';
import type { ShownMember } from './Block.js';
import type { ShownFiles } from './describeFileRecord.js';

/** The feel of a line; the theme decides what that looks like. */
export type Tone = 'plain' | 'strong' | 'quiet' | 'good' | 'warning' | 'bad';

/** Markdown, as a member said it. `quiet` for what does not count, such as drafts. */
export interface TextParagraph {
  readonly kind: 'text';
  readonly text: string;
  /** It continues the piece before: there was no blank line to cut at. */
  readonly isContinued?: true;
  readonly tone: Extract<Tone, 'plain' | 'quiet'>;
}

/** Exactly one line, cut where the screen ends; `aside` stands at the right edge. */
export interface LineParagraph {
  readonly kind: 'line';
  readonly icon: string;
  readonly tone: Tone;
  readonly text: string;
  readonly detail?: string;
  readonly aside?: string;
}

/** The end of a turn: whom it hands off to, and at the right edge what it took. */
export interface EndingParagraph {
  readonly kind: 'ending';
  readonly addressees: readonly string[];
  readonly aside: string;
}

/** A permission request: all of it. */
export interface RequestParagraph {
  readonly kind: 'request';
  readonly headline: string;
  readonly facts: readonly LabelledLine[];
}

/** A part of a list: its title, and a word and its meaning for each line. */
export interface EntrySection {
  readonly title: string;
  readonly entries: ReadonlyArray<readonly [word: string, meaning: string]>;
}

/** The change of one file, or a part of it that fits into a moment. */
export interface DiffParagraph extends ShownDiff {
  readonly kind: 'diff';
}

/** Files that changed. */
export interface FilesParagraph {
  readonly kind: 'files';
  readonly files: ShownFiles;
}

/** A piece of the transcript in words: printed once, in order, and never changed. Its texts are not yet safe to show. */
export type Paragraph =
  /** The member who speaks from here on, and to whom if that is known already. */
  | { readonly kind: 'heading'; readonly member: ShownMember; readonly addressees: readonly string[] }
  /** A member of the team, introduced. */
  | { readonly kind: 'member'; readonly member: ShownMember; readonly description: string }
  | TextParagraph
  | LineParagraph
  | EndingParagraph
  /** A sentence of ours. */
  | { readonly kind: 'note'; readonly tone: Tone; readonly text: string }
  /** Text as it is, line by line. */
  | { readonly kind: 'details'; readonly title: string; readonly text: string }
  /** Words and what is known of each, under heads. */
  | { readonly kind: 'entries'; readonly sections: readonly EntrySection[] }
  | RequestParagraph
  | DiffParagraph
  | FilesParagraph;

export function line(icon: string, tone: Tone, text: string): LineParagraph {
  return { kind: 'line', icon, tone, text };
}

/** A sentence of ours. */
export function note(text: string, tone: Tone = 'quiet'): Paragraph {
  return { kind: 'note', tone, text };
}

/** The label of a member's name wherever they speak: the title if it says more, and the mark of an agent without a sandbox. */
export function labelOf(member: ShownMember, words: WordsOf<'telling'>): string {
  const { name, title = name } = member;
  return [...(foldName(title) === foldName(name) ? [] : [title]), ...marksOf(member, words)].join(' · ');
}

/** Whether a blank line belongs between two paragraphs. */
export function isApart(before: Paragraph | null, after: Paragraph): boolean {
  if (before === null) return false;
  if (after.kind === 'heading' || (after.kind === 'note' && after.tone === 'strong')) return true;
  if (before.kind === 'heading' || after.kind === 'ending') return false;
  // Files stand under the answer of their turn.
  if (after.kind === 'files') return before.kind !== 'ending';
  if (before.kind !== after.kind) return true;
  if (after.kind === 'diff') return after.title !== '';
  return (
    after.kind === 'details' ||
    after.kind === 'entries' ||
    after.kind === 'request' ||
    (after.kind === 'text' && !after.isContinued)
  );
}
