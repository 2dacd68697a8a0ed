import type { SpeakerType } from '../models/ConversationMessage.js';
import { isBlank } from '../utils/isBlank.js';
import {
  type Bracket,
  BracketPlaces,
  BracketReader,
  type BracketRules,
  FencedText,
  findFirstBracket,
  LiveText,
} from './brackets.js';
import type { Span } from './forward.js';
import { findInertText, type InertText } from './inertText.js';
import { SpanRemover } from './SpanRemover.js';

/** `[NEXT: a, b]`: who speaks next. */
export interface NextMarker extends Span {
  readonly kind: 'next';
  readonly names: readonly string[];
}

/** `[FROM: a]`: who the text says it is from. */
export interface FromMarker extends Span {
  readonly kind: 'from';
  readonly name: string;
}

/** `[TEAM_TASK] text` or `[TEAM_TASK: text]`; `start..end` is the marker with its text. */
export interface TeamTaskMarker extends Span {
  readonly kind: 'team-task';
  /** Trimmed. */
  readonly task: string;
  /** Position of the text between the parts of the marker; `start..textStart` and `textEnd..end` are the marker alone. */
  readonly textStart: number;
  readonly textEnd: number;
}

export type Marker = NextMarker | FromMarker | TeamTaskMarker;

export interface MarkerScan {
  /** In the order of the text, without overlaps. */
  readonly markers: readonly Marker[];
  /** Markers that do nothing because a code fence was never closed. */
  readonly inUnclosedFence: readonly Marker[];
}

const NAME_SEPARATOR = /[,，、]/;

const NO_MARKERS: MarkerScan = { markers: [], inUnclosedFence: [] };

/** All markers of a message that act: not those in code, quotes and comments or behind a backslash. Linear time. */
export function scanMarkers(text: string): MarkerScan {
  const first = findFirstBracket(text);
  if (first === -1) return NO_MARKERS;
  const inert = findInertAround(text, first);
  const unclosed = inert.blocks.filter(({ kind }) => kind === 'unclosed-fence');
  return {
    markers: readMarkers(text, new LiveText(text, inert), first),
    inUnclosedFence: unclosed.length === 0 ? [] : readMarkers(text, new FencedText(text, unclosed), first),
  };
}

export interface StripOptions {
  /** `block` (default): a task marker goes with its text. `marker`: its text stays, for speakers who may not set the task. */
  readonly teamTask?: 'block' | 'marker';
  /** The kinds that go; all by default. */
  readonly kinds?: readonly Marker['kind'][];
}

/** The text without its markers, trimmed, as it goes into a prompt. Nothing changes but the places of the markers. */
export function stripMarkers(text: string, options: StripOptions = {}): string {
  const first = findFirstBracket(text);
  if (first === -1) return text.trim();
  const brackets = new BracketReader(text, new LiveText(text, findInertAround(text, first)), first);
  return removeEach(text, () => brackets.next(), options);
}

/** The same for the markers that a scan of the text has found. */
export function removeMarkers(text: string, markers: readonly Marker[], options: StripOptions = {}): string {
  if (markers.length === 0) return text.trim();
  let index = 0;
  return removeEach(text, () => markers[index++], options);
}

function removeEach(
  text: string,
  next: () => Marker | Bracket | undefined,
  { teamTask = 'block', kinds }: StripOptions,
): string {
  const remover = new SpanRemover(text);
  for (let marker = next(); marker; marker = next()) {
    if (kinds !== undefined && !kinds.includes(marker.kind)) continue;
    if (marker.kind === 'team-task' && teamTask === 'marker') {
      remover.remove(marker.start, marker.textStart);
      if (marker.textEnd < marker.end) remover.remove(marker.textEnd, marker.end);
    } else remover.remove(marker.start, marker.end);
  }
  return remover.finish().trim();
}

/** Inert text at the places of brackets. */
function findInertAround(text: string, first: number): InertText {
  const places = new BracketPlaces(text, first);
  return findInertText(text, (leaf) => places.mayTouch(leaf));
}

function readMarkers(text: string, rules: BracketRules, first: number): Marker[] {
  const brackets = new BracketReader(text, rules, first);
  const markers: Marker[] = [];
  for (let bracket = brackets.next(); bracket; bracket = brackets.next())
    markers.push(toMarker(text, bracket));
  return markers;
}

function toMarker(text: string, { kind, start, end, textStart, textEnd }: Bracket): Marker {
  const content = text.slice(textStart, textEnd);
  switch (kind) {
    case 'next':
      return { kind, start, end, names: splitNames(content) };
    case 'from':
      return { kind, start, end, name: content.trim() };
    case 'team-task':
      return { kind, start, end, task: content.trim(), textStart, textEnd };
  }
}

export function splitNames(list: string): string[] {
  const names: string[] = [];
  for (const part of NAME_SEPARATOR.test(list) ? list.split(NAME_SEPARATOR) : [list]) {
    const name = part.trim();
    if (name !== '') names.push(name);
  }
  return names;
}

/** Behind what a text began with: the rest of its line if nothing is on it, and blank lines, but no indentation. */
const GAP = /^(?:\s*\n|\s+)/u;

/**
 * A text without the markers it begins and ends with, for readers who are told separately what they did. One
 * in the middle of a sentence stays, and so does everything else but white space at the end.
 */
export function stripOuterMarkers(
  text: string,
  kinds: readonly Marker['kind'][],
  speakerType: SpeakerType = 'ai',
): string {
  const markers = scanMarkers(readTyped(text, speakerType)).markers.filter(({ kind }) =>
    kinds.includes(kind),
  );
  let start = 0;
  for (const marker of markers) {
    if (!isBlank(text.slice(start, marker.start))) break;
    start = marker.end;
  }
  let end = text.length;
  for (const marker of markers.toReversed()) {
    if (marker.start < start || !isBlank(text.slice(marker.end, end))) break;
    end = marker.start;
  }
  const rest = text.slice(start, end).trimEnd();
  return start === 0 ? rest : rest.replace(GAP, '');
}

/** `【NEXT：max】`, as a Chinese keyboard writes `[NEXT: max]`; as long as a marker may be. */
const LENTICULAR = /【((?:NEXT|FROM|TEAM_TASK)[:：][^【】]{0,4096}|TEAM_TASK)】/giu;

/**
 * A message as it is searched for markers, as long as it is: in what people say, their keyboards' brackets count. Agents
 * keep to the grammar that they are told.
 */
export function readTyped(message: string, speakerType: SpeakerType): string {
  return speakerType === 'human' && message.includes('【') ? message.replaceAll(LENTICULAR, '[$1]') : message;
}
