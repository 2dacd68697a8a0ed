import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makePrivateFolder } from '../../utils/privatePaths.js';
import { describeThisProcess, mayBeAlive, type ProcessIdentity } from '../../utils/processIdentity.js';
import { fileNameOf } from '../paths.js';
import type { CarryIntent } from '../Workspace.js';

const STAGING_NAME = /^\.huddle-[0-9a-f]{16}$/u;
const OWNER_FILE = 'owner.json';

/** Makes a folder in which new contents are got ready, beside the files they are for: so each takes its place at once. */
export function makeStagingFolder(root: string): string {
  const folder = join(root, `.huddle-${randomBytes(8).toString('hex')}`);
  mkdirSync(folder, { mode: 0o700 });
  try {
    writeFileSync(join(folder, OWNER_FILE), JSON.stringify(describeThisProcess()), { mode: 0o600 });
  } catch (error) {
    // The disk has room for a folder, but for no file.
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  return folder;
}

/** Removes such folders of processes that are gone. Anything else of that name is left alone. */
export async function removeStagingLeftovers(root: string): Promise<void> {
  for (const entry of await readdir(root, { withFileTypes: true })) {
    if (!entry.isDirectory() || !STAGING_NAME.test(entry.name)) continue;
    const folder = join(root, entry.name);
    const owner = await readOwner(folder);
    const isLeft = owner === undefined ? await isBare(folder) : !mayBeAlive(owner);
    if (isLeft) await rm(folder, { recursive: true, force: true });
  }
}

/** Undefined: nobody has said so, or not to the end. */
async function readOwner(folder: string): Promise<ProcessIdentity | undefined> {
  try {
    return JSON.parse(await readFile(join(folder, OWNER_FILE), 'utf8')) as ProcessIdentity;
  } catch {
    return undefined;
  }
}

/** Whether nothing was got ready in it yet. */
async function isBare(folder: string): Promise<boolean> {
  return (await readdir(folder)).every((name) => name === OWNER_FILE);
}

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
