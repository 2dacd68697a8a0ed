import { PromptBudgetError, type SectionBytes } from '../../models/errors.js';
import { measureBeginning, utf8Length } from '../../utils/bytes.js';
import type { SectionName } from '../PromptLayout.js';
import type { HistoryLines } from '../renderedLines.js';
import type { SectionFrame } from '../sectionFrame.js';

/** At least this much of a cut text stays beside the mark. */
const MINIMUM_KEPT_BYTES = 64;
/** Sections are parted by a blank line. */
const SEPARATOR_BYTES = 2;

interface SectionBase {
  readonly name: SectionName;
  readonly frame: SectionFrame;
}

/** A text that goes in whole, or whose end may be cut. */
export interface TextSection extends SectionBase {
  readonly shrink: 'never' | 'cut-end';
  readonly body: string;
  /** Goes beside the prompt, not into it; counts all the same. */
  readonly beside?: boolean;
}

/** Messages, oldest first, of which the oldest may be dropped. Sizes are asked for from the newest back. */
export interface HistorySection extends SectionBase {
  readonly shrink: 'drop-oldest';
  readonly count: number;
  /** The first line is dropped last. */
  readonly firstIsPinned: boolean;
  readonly lines: HistoryLines;
}

export type PromptSection = TextSection | HistorySection;

/** What is sent: the lines of the prompt, to be joined once, and what had to go. */
export interface FittedPrompt {
  readonly lines: readonly string[];
  readonly bytes: SectionBytes;
  readonly droppedMessages: number;
  readonly cutBytes: number;
}

/** What is sent of one section; a part of 0 bytes is left out. */
interface Part {
  readonly section: PromptSection;
  readonly bytes: number;
  /** The text of a text section; the index of the oldest message kept of a history. */
  readonly kept: string | number;
  readonly droppedMessages: number;
  readonly cutBytes: number;
}

/**
 * Makes sections fit a byte budget. Drops the oldest messages, keeping the largest newest run that fits; only when
 * none is left cuts the end of the text that may be cut, and says so in it; throws PromptBudgetError when even that
 * is not enough, or when nothing would be left to send. Sizes are added up, never measured on a rendered prompt.
 */
export function fitSections(sections: readonly PromptSection[], maxBytes: number): FittedPrompt {
  const parts = sections.map((section) => (isHistory(section) ? leftOut(section) : wholeText(section)));
  const room = maxBytes - promptBytes(parts);
  const history = parts.findIndex(({ section }) => isHistory(section));
  if (room < 0) cutText(parts, room, maxBytes);
  else if (history !== -1) parts[history] = keepNewest(parts, history, room, maxBytes);
  return render(parts);
}

function isHistory(section: PromptSection): section is HistorySection {
  return section.shrink === 'drop-oldest';
}

function leftOut(section: HistorySection): Part {
  return { section, bytes: 0, kept: section.count, droppedMessages: section.count, cutBytes: 0 };
}

function wholeText(section: TextSection): Part {
  const bytes = section.frame.bytes + utf8Length(section.body);
  return { section, bytes, kept: section.body, droppedMessages: 0, cutBytes: 0 };
}

function promptBytes(parts: readonly Part[]): number {
  let total = 0;
  let separators = -1;
  for (const part of parts) {
    total += part.bytes;
    if (isInPrompt(part)) separators++;
  }
  return total + SEPARATOR_BYTES * Math.max(0, separators);
}

function isInPrompt({ section, bytes }: Part): boolean {
  return bytes > 0 && (isHistory(section) || section.beside !== true);
}

/** One walk from the newest message back, which ends where the room does. */
function keepNewest(parts: readonly Part[], index: number, room: number, maxBytes: number): Part {
  const section = parts[index]?.section as HistorySection;
  const isAlone = !parts.some(isInPrompt);
  const kept = keepNewestLines(section, isAlone ? room : room - SEPARATOR_BYTES);
  if (isAlone && kept.bytes === 0)
    throw budgetError(parts, maxBytes, maxBytes - room + smallestHistoryBytes(section));
  return kept;
}

function keepNewestLines(section: HistorySection, room: number): Part {
  const { lines, count } = section;
  const pinned = section.firstIsPinned ? 1 : 0;
  // A line costs its bytes and a line break; the last line of a section has none, hence the one byte more.
  let left = room + 1 - section.frame.bytes;
  if (pinned === 1) left -= lines.bytesAt(0) + 1;
  if (left < 0) return leftOut(section);

  let kept = count;
  while (kept > pinned) {
    const cost = lines.bytesAt(kept - 1) + 1;
    if (cost > left) break;
    left -= cost;
    kept--;
  }
  const droppedMessages = kept - pinned;
  if (droppedMessages === count) return leftOut(section);
  return { section, bytes: room - left, kept, droppedMessages, cutBytes: 0 };
}

/** What the message that is dropped last would take. */
function smallestHistoryBytes(section: HistorySection): number {
  return section.frame.bytes + section.lines.bytesAt(section.firstIsPinned ? 0 : section.count - 1);
}

/** Cuts as much off the text that may be cut as is missing; `room` is negative. */
function cutText(parts: Part[], room: number, maxBytes: number): void {
  const index = parts.findIndex(({ section }) => section.shrink === 'cut-end');
  const part = parts[index];
  const neededBytes = maxBytes - room;
  if (part === undefined || isHistory(part.section)) {
    throw budgetError(parts, maxBytes, neededBytes + (parts.some(isInPrompt) ? 0 : onlyHistoryBytes(parts)));
  }
  const { body } = part.section;
  const bodyBytes = part.bytes - part.section.frame.bytes;
  const cut = cutEnd(body, bodyBytes, bodyBytes + room);
  if (cut === null)
    throw budgetError(parts, maxBytes, neededBytes - bodyBytes + smallestCutBytes(body, bodyBytes));
  const bytes = part.bytes - bodyBytes + cut.bytes;
  parts[index] = { section: part.section, bytes, kept: cut.text, droppedMessages: 0, cutBytes: cut.cutBytes };
}

/** What a prompt needs that would have nothing but its history. */
function onlyHistoryBytes(parts: readonly Part[]): number {
  const history = parts.find(({ section }) => isHistory(section))?.section;
  return history !== undefined && isHistory(history) ? smallestHistoryBytes(history) : 0;
}

/** The longest beginning that fits together with the mark; null when too little would stay. */
function cutEnd(
  text: string,
  textBytes: number,
  room: number,
): { readonly text: string; readonly bytes: number; readonly cutBytes: number } | null {
  // The mark makes room for itself, and its number may grow a digit by that: two tries at most.
  for (let digits = countDigits(textBytes - Math.max(0, room)); ; digits++) {
    const kept = keepBeginning(text, textBytes, room - MARK_BYTES - digits);
    if (kept.bytes < MINIMUM_KEPT_BYTES) return null;
    const cutBytes = textBytes - kept.bytes;
    const cutDigits = countDigits(cutBytes);
    if (cutDigits > digits) continue;
    return { text: kept.text + cutMark(cutBytes), bytes: kept.bytes + MARK_BYTES + cutDigits, cutBytes };
  }
}

/** In text of one byte a character the cut is known without looking. */
function keepBeginning(text: string, textBytes: number, maxBytes: number): { text: string; bytes: number } {
  if (textBytes !== text.length) return measureBeginning(text, maxBytes);
  const bytes = Math.max(0, Math.min(maxBytes, textBytes));
  return { text: text.slice(0, bytes), bytes };
}

/** What a text says in place of the part that was cut. */
export function cutMark(cutBytes: number): string {
  return `\n[… ${cutBytes} bytes cut]`;
}

/** Of the mark without its number. */
const MARK_BYTES = utf8Length(cutMark(0)) - 1;

function countDigits(count: number): number {
  return String(count).length;
}

/** What the shortest form of a text takes: the minimum up to the next whole character, and the mark. */
function smallestCutBytes(text: string, textBytes: number): number {
  let keptBytes = 0;
  for (let limit = MINIMUM_KEPT_BYTES; keptBytes < Math.min(MINIMUM_KEPT_BYTES, textBytes); limit++) {
    keptBytes = measureBeginning(text, limit).bytes;
  }
  return Math.min(textBytes, keptBytes + MARK_BYTES + countDigits(textBytes - keptBytes));
}

function render(parts: readonly Part[]): FittedPrompt {
  const lines: string[] = [];
  const bytes = { system: 0, task: 0, context: 0, message: 0 };
  let droppedMessages = 0;
  let cutBytes = 0;
  for (const part of parts) {
    const { section } = part;
    bytes[section.name] += part.bytes;
    droppedMessages += part.droppedMessages;
    cutBytes += part.cutBytes;
    if (!isInPrompt(part)) continue;
    if (lines.length > 0) lines.push('');
    for (const line of section.frame.before) lines.push(line);
    pushBody(lines, part);
    for (const line of section.frame.after) lines.push(line);
  }
  return { lines, bytes, droppedMessages, cutBytes };
}

function pushBody(lines: string[], { section, kept }: Part): void {
  if (typeof kept === 'string') lines.push(kept);
  if (typeof kept === 'string' || !isHistory(section)) return;
  if (section.firstIsPinned) lines.push(section.lines.textAt(0));
  for (let index = kept; index < section.count; index++) lines.push(section.lines.textAt(index));
}

function budgetError(parts: readonly Part[], maxBytes: number, neededBytes: number): PromptBudgetError {
  const sections: Record<SectionName, number> = { system: 0, task: 0, context: 0, message: 0 };
  for (const { section, bytes } of parts) {
    sections[section.name] += isHistory(section) ? wholeHistoryBytes(section) : bytes;
  }
  return new PromptBudgetError({ maxBytes, neededBytes, sections });
}

function wholeHistoryBytes(section: HistorySection): number {
  let bytes = section.frame.bytes - 1;
  for (let index = 0; index < section.count; index++) bytes += section.lines.bytesAt(index) + 1;
  return bytes;
}
