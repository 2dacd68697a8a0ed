import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makePrivateFolder } from '../../utils/privatePaths.js';
import { fileNameOf } from '../fileNameOf.js';
import type { CarryIntent } from '../Workspace.js';

export interface IntentPlace {
  /** Folder of all intents. */
  readonly begun: string;
  readonly conversationId: string;
  /** The working folder, with links resolved: it is meant for this one, and for no other. */
  readonly folder: string;
}

interface StoredIntent extends CarryIntent {
  readonly folder: string;
}

/** Writes down, to stay, what is about to be done: whoever looks next can finish it. */
export function writeIntent(place: IntentPlace, intent: CarryIntent): void {
  makePrivateFolder(place.begun);
  const file = fileOf(place);
  const draft = `${file}.draft`;
  try {
    const descriptor = openSync(draft, 'w', 0o600);
    try {
      writeFileSync(descriptor, JSON.stringify({ ...intent, folder: place.folder } satisfies StoredIntent));
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** Undefined: nothing was begun in this folder, or it is over. */
export function readIntent(place: IntentPlace): CarryIntent | undefined {
  let text: string;
  try {
    text = readFileSync(fileOf(place), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const stored = parseIntent(text);
  if (stored?.folder !== place.folder) return undefined;
  const { folder: _, ...intent } = stored;
  return intent;
}

/** Undefined: the machine went down while it was written, so nothing had moved. */
function parseIntent(text: string): StoredIntent | undefined {
  try {
    return JSON.parse(text) as StoredIntent;
  } catch {
    return undefined;
  }
}

export function removeIntent(place: IntentPlace): void {
  rmSync(fileOf(place), { force: true });
}

function fileOf({ begun, conversationId }: IntentPlace): string {
  return join(begun, fileNameOf(conversationId));
}
