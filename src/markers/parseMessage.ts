import type { SpeakerType } from '../models/ConversationMessage.js';
import { foldName } from '../utils/foldName.js';
import {
  type Marker,
  readTyped,
  removeMarkers,
  type StripOptions,
  scanMarkers,
  stripMarkers,
} from './markers.js';
import { findMentions } from './mentions.js';

/** Parse of a message: its markers and its text without them. */
export interface ParsedMessage {
  /** As written, in order; names that routing does not tell apart are named once. */
  readonly addressees: readonly string[];
  /** The sender the text claims. Never trusted. */
  readonly claimedFrom: string | null;
  /** Several tasks are joined by a blank line. Only people set one. */
  readonly teamTask: string | null;
  /** Whether there is a task marker, no matter who wrote it. */
  readonly namesTask: boolean;
  /** The message without its markers, as members are shown it. */
  readonly cleanContent: string;
  /** Markers that did nothing because a code fence was never closed. */
  readonly ignoredMarkers: readonly Marker[];
}

/**
 * Reads the markers of a message; see `markers.ts` for the rules. `memberNames`: those whom a person, or a program
 * that asks the team, may call by `@name`. A `[NEXT: …]` that holds a name counts alone.
 */
export function parseMessage(
  message: string,
  speakerType: SpeakerType,
  memberNames: readonly string[] = [],
): ParsedMessage {
  const { markers, inUnclosedFence } = scanMarkers(readTyped(message, speakerType));
  const marked = markers.flatMap((marker) => (marker.kind === 'next' ? marker.names : []));
  const isPlain = marked.length === 0 && speakerType !== 'ai' && memberNames.length > 0;
  const names = isPlain ? findMentions(message, memberNames) : marked;
  const claims = markers.flatMap((marker) => (marker.kind === 'from' ? marker.name : []));
  const tasks = markers.flatMap((marker) => (marker.kind === 'team-task' ? marker.task : []));
  return {
    addressees: foldDuplicates(names),
    claimedFrom: claims.find(isFilled) ?? null,
    teamTask: speakerType === 'human' ? tasks.filter(isFilled).join('\n\n') || null : null,
    namesTask: tasks.length > 0,
    cleanContent: removeMarkers(message, markers, stripOptionsFor(speakerType)),
    ignoredMarkers: inUnclosedFence,
  };
}

/** The `cleanContent` of a message alone. */
export function cleanMessage(message: string, speakerType: SpeakerType): string {
  const options = stripOptionsFor(speakerType);
  const typed = readTyped(message, speakerType);
  if (typed === message) return stripMarkers(message, options);
  return removeMarkers(message, scanMarkers(typed).markers, options);
}

/** Options for stripping: exactly what becomes the task is stripped; from anyone but a person, nothing. */
function stripOptionsFor(speakerType: SpeakerType): StripOptions {
  return { teamTask: speakerType === 'human' ? 'block' : 'marker' };
}

function foldDuplicates(names: readonly string[]): string[] {
  const byFoldedName = new Map<string, string>();
  for (const name of names) {
    const folded = foldName(name);
    if (!byFoldedName.has(folded)) byFoldedName.set(folded, name);
  }
  return [...byFoldedName.values()];
}

function isFilled(text: string): boolean {
  return text !== '';
}

/** The documents' name for reading the markers of a message. */
export class MessageRouter {
  parseMessage(
    message: string,
    speakerType: SpeakerType = 'human',
    memberNames: readonly string[] = [],
  ): ParsedMessage {
    assertText(message);
    return parseMessage(message, speakerType, memberNames);
  }

  stripNextMarkers(message: string): string {
    assertText(message);
    return stripMarkers(message, { kinds: ['next'] });
  }

  stripAllMarkersForContext(message: string, speakerType: SpeakerType = 'human'): string {
    assertText(message);
    return cleanMessage(message, speakerType);
  }
}

function assertText(message: unknown): asserts message is string {
  if (typeof message === 'string') return;
  throw new TypeError(`A message must be a string, not ${message === null ? 'null' : typeof message}`);
}
