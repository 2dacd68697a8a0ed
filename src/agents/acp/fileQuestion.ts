import { randomUUID } from 'node:crypto';
import type { FileDiff } from '../../models/AgentEvent.js';
import type { PermissionQuestion } from '../AgentAdapter.js';
import { summarizeValue } from '../dialect/summarizeValue.js';
import { findGuards } from './guardedFiles.js';
import { MOST_SHOWN, weigh } from './trimCall.js';
import type { Place } from './WorkingFolder.js';

/** A file that an agent wants to read or write through us. */
export interface FileAccess {
  readonly kind: 'read' | 'edit';
  readonly place: Place;
  /** The change that a write makes. */
  readonly diff?: FileDiff | 'too-long';
}

/** The question whether it may. */
export async function createFileQuestion(
  { kind, place, diff }: FileAccess,
  teamFile: string | undefined,
  signal: AbortSignal,
): Promise<PermissionQuestion> {
  return {
    requestId: randomUUID(),
    name: kind,
    input: summarizeValue(place.shown.join(' ')),
    kind,
    title: '',
    paths: place.shown,
    isInFolder: place.isInside,
    ...(diff !== undefined && diff !== 'too-long' && { diffs: [diff] }),
    guards: await findGuards([place], teamFile),
    extent: diff === 'too-long' ? 'too-long-to-show' : 'whole',
    isAsked: false,
    signal,
  };
}

/** The change that a write makes. `oldText`: as `readShort` has it. */
export function describeWrite(
  { shown }: Place,
  oldText: string | null | undefined,
  newText: string,
): FileDiff | 'too-long' {
  if (oldText === undefined) return 'too-long';
  const diff = { path: shown[0] ?? '', oldText, newText };
  return weigh(diff, MOST_SHOWN) > MOST_SHOWN ? 'too-long' : diff;
}
