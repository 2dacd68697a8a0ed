import { PromptBudgetError, type SectionBytes } from '../../models/errors.js';
import { type MeasuredText, measureBeginning, utf8Length } from '../../utils/bytes.js';
import type { HistoryLines, SectionFrame, SectionName } from '../PromptLayout.js';

/** Sections are parted by a blank line. */
const SEPARATOR_BYTES = 2;

interface SectionBase {
  readonly name: SectionName;
  readonly frame: SectionFrame;
}

/** A text that goes in whole, whose end may be cut, or that goes in whole or not at all; never empty. */
export interface TextSection extends SectionBase {
  readonly shrink: 'never' | 'cut-end' | 'drop';
  readonly body: MeasuredText;
  /** Whether it is sent separately, not in the prompt; counts all the same. */
  readonly beside: boolean;
}

/** Messages, oldest first, of which the oldest may be dropped. Sizes are asked for from the newest back. */
export interface HistorySection extends SectionBase {
  readonly shrink: 'drop-oldest';
  readonly count: number;
  /** The first line is dropped last. */
  readonly firstIsPinned: boolean;
  readonly lines: HistoryLines;
}

/** A prompt has at most one section that may be cut, one that may be dropped, and one history. */
export type PromptSection = TextSection | HistorySection;

/** Result of trimming: what was dropped, and the text that was cut. */
export interface TrimResult {
  readonly droppedMessages: number;
  /** The section that may be dropped, the changed files, was dropped. */
  readonly dropsFiles: boolean;
  /** The rest of the text that may be cut; null if it stays whole. */
  readonly cut: CutText | null;
}

/**
 * Finds what sections must give up to fit a byte budget. Drops the section that may be dropped; then the oldest messages,
 * keeping the largest newest run that fits; only when none is left cuts the end of the text that may be cut, and says so
 * in it; throws PromptBudgetError when even that is not enough, or when nothing would be left to send. Sizes are added
 * up, never measured on a rendered prompt.
 */
export function fitSections(sections: readonly PromptSection[], maxBytes: number): TrimResult {
  if (!sections.some(mayDrop)) return fitRequired(sections, maxBytes, false);
  if (fitsWhole(sections, maxBytes)) return { droppedMessages: 0, cut: null, dropsFiles: false };
  const required = sections.filter((section) => !mayDrop(section));
  return fitRequired(required, maxBytes, true);
}

function mayDrop({ shrink }: PromptSection): boolean {
  return shrink === 'drop';
}

function fitsWhole(sections: readonly PromptSection[], maxBytes: number): boolean {
  const history = sections.find(isHistory);
  const room = maxBytes - textBytes(sections);
  return room >= 0 && (history === undefined || dropOldest(sections, history, room) === 0);
}

function fitRequired(sections: readonly PromptSection[], maxBytes: number, dropsFiles: boolean): TrimResult {
  const history = sections.find(isHistory);
  const room = maxBytes - textBytes(sections);
  if (room < 0)
    return { droppedMessages: history?.count ?? 0, cut: cutText(sections, room, maxBytes), dropsFiles };
  return {
    droppedMessages: history === undefined ? 0 : dropOldest(sections, history, room),
    cut: null,
    dropsFiles,
  };
}

function isHistory(section: PromptSection): section is HistorySection {
  return section.shrink === 'drop-oldest';
}

/** Bytes of everything but the history. */
function textBytes(sections: readonly PromptSection[]): number {
  let bytes = 0;
  let separators = -1;
  for (const section of sections) {
    if (isHistory(section)) continue;
    bytes += section.frame.bytes + section.body.bytes;
    if (!section.beside) separators++;
  }
  return bytes + SEPARATOR_BYTES * Math.max(0, separators);
}

function isTextInPrompt(section: PromptSection): boolean {
  return !isHistory(section) && !section.beside;
}

/** Counts the messages to drop. */
function dropOldest(sections: readonly PromptSection[], history: HistorySection, room: number): number {
  const isAlone = !sections.some(isTextInPrompt);
  const dropped = countDropped(history, isAlone ? room : room - SEPARATOR_BYTES);
  if (isAlone && dropped === history.count) {
    const besides = textBytes(sections);
    throw budgetError(sections, besides + room, besides + smallestHistoryBytes(history));
  }
  return dropped;
}

/** Walks from the newest message back until the room ends. */
function countDropped({ lines, count, frame, firstIsPinned }: HistorySection, room: number): number {
  const pinned = firstIsPinned ? 1 : 0;
  // A line costs its bytes and a line break; the last line of a section has none, hence the one byte more.
  let left = room + 1 - frame.bytes;
  if (pinned === 1) left -= lines.bytesAt(0) + 1;
  if (left < 0) return count;

  let kept = count;
  while (kept > pinned) {
    left -= lines.bytesAt(kept - 1) + 1;
    if (left < 0) break;
    kept--;
  }
  return kept - pinned;
}

/** Bytes of the message that is dropped last. */
function smallestHistoryBytes({ frame, lines, count, firstIsPinned }: HistorySection): number {
  return frame.bytes + lines.bytesAt(firstIsPinned ? 0 : count - 1);
}

/** Cuts as much off the text that may be cut as is missing; `room` is negative. */
function cutText(sections: readonly PromptSection[], room: number, maxBytes: number): CutText {
  const neededBytes = maxBytes - room;
  const section = sections.find(({ shrink }) => shrink === 'cut-end');
  if (section === undefined || isHistory(section)) {
    throw budgetError(sections, maxBytes, neededBytes + onlyHistoryBytes(sections));
  }
  const { body } = section;
  const cut = cutEnd(body, body.bytes + room);
  if (cut === null) throw budgetError(sections, maxBytes, neededBytes - body.bytes + smallestCutBytes(body));
  return cut;
}

/** Bytes needed by a prompt of nothing but history. */
function onlyHistoryBytes(sections: readonly PromptSection[]): number {
  const history = sections.find(isHistory);
  return history === undefined || sections.some(isTextInPrompt) ? 0 : smallestHistoryBytes(history);
}

/** The prompt that stays, joined once. */
export function renderSections(sections: readonly PromptSection[], trimmed: TrimResult): string {
  const lines: string[] = [];
  for (const section of sections) {
    if (isLeftOut(section, trimmed) || (!isHistory(section) && section.beside)) continue;
    if (lines.length > 0) lines.push('');
    for (const line of section.frame.before) lines.push(line);
    if (isHistory(section)) pushHistory(lines, section, trimmed.droppedMessages);
    else lines.push(bodyAfter(section, trimmed).text);
    for (const line of section.frame.after) lines.push(line);
  }
  return lines.join('\n');
}

function isLeftOut(section: PromptSection, { droppedMessages, dropsFiles }: TrimResult): boolean {
  return isHistory(section) ? droppedMessages === section.count : dropsFiles && section.shrink === 'drop';
}

function pushHistory(target: string[], history: HistorySection, droppedMessages: number): void {
  const { lines, count, firstIsPinned } = history;
  if (firstIsPinned) target.push(lines.textAt(0));
  for (let index = droppedMessages + (firstIsPinned ? 1 : 0); index < count; index++)
    target.push(lines.textAt(index));
}

function bodyAfter({ shrink, body }: TextSection, { cut }: TrimResult): MeasuredText {
  return shrink === 'cut-end' && cut !== null ? cut : body;
}

/** Bytes of each section as sent, titles included. */
export function measureSections(sections: readonly PromptSection[], trimmed: TrimResult): SectionBytes {
  const hasFiles = sections.some(({ name }) => name === 'files');
  const bytes = { system: 0, task: 0, context: 0, ...(hasFiles && { files: 0 }), message: 0 };
  for (const section of sections) {
    if (isLeftOut(section, trimmed)) continue;
    bytes[section.name] = isHistory(section)
      ? historyBytes(section, trimmed.droppedMessages)
      : section.frame.bytes + bodyAfter(section, trimmed).bytes;
  }
  return bytes;
}

function historyBytes({ frame, lines, count, firstIsPinned }: HistorySection, dropped: number): number {
  let bytes = frame.bytes - 1;
  if (firstIsPinned) bytes += lines.bytesAt(0) + 1;
  for (let index = dropped + (firstIsPinned ? 1 : 0); index < count; index++)
    bytes += lines.bytesAt(index) + 1;
  return bytes;
}

function budgetError(
  sections: readonly PromptSection[],
  maxBytes: number,
  neededBytes: number,
): PromptBudgetError {
  const whole = measureSections(sections, { droppedMessages: 0, dropsFiles: false, cut: null });
  return new PromptBudgetError({ maxBytes, neededBytes, sections: whole });
}

/** At least this much of a cut text stays next to the mark. */
const MINIMUM_KEPT_BYTES = 64;

/** A text that ends with a mark in place of what was cut. */
interface CutText extends MeasuredText {
  readonly cutBytes: number;
}

/** The longest beginning that fits into `room` together with the mark; null when too little would stay. */
function cutEnd(whole: MeasuredText, room: number): CutText | null {
  // The mark makes room for itself, and its number may grow a digit by that: two tries at most.
  for (let digits = countDigits(whole.bytes - Math.max(0, room)); ; digits++) {
    const kept = keepBeginning(whole, room - MARK_BYTES - digits);
    if (kept.bytes < MINIMUM_KEPT_BYTES) return null;
    const cutBytes = whole.bytes - kept.bytes;
    const cutDigits = countDigits(cutBytes);
    if (cutDigits > digits) continue;
    return { text: kept.text + cutMark(cutBytes), bytes: kept.bytes + MARK_BYTES + cutDigits, cutBytes };
  }
}

/** Bytes of the shortest form of a text: the minimum up to the next whole character, and the mark. */
function smallestCutBytes({ text, bytes }: MeasuredText): number {
  let keptBytes = 0;
  for (let limit = MINIMUM_KEPT_BYTES; keptBytes < Math.min(MINIMUM_KEPT_BYTES, bytes); limit++) {
    keptBytes = measureBeginning(text, limit).bytes;
  }
  return Math.min(bytes, keptBytes + MARK_BYTES + countDigits(bytes - keptBytes));
}

/** Mark in place of the part that was cut. */
export function cutMark(cutBytes: number): string {
  return `\n[… ${cutBytes} bytes cut]`;
}

/** Bytes of the mark without its number. */
const MARK_BYTES = utf8Length(cutMark(0)) - 1;

function countDigits(count: number): number {
  return String(count).length;
}

/** In text of one byte a character the cut is known without looking. */
function keepBeginning({ text, bytes }: MeasuredText, maxBytes: number): MeasuredText {
  if (bytes !== text.length) return measureBeginning(text, maxBytes);
  const kept = Math.max(0, Math.min(maxBytes, bytes));
  return { text: text.slice(0, kept), bytes: kept };
}
