import { existsSync, readdirSync } from 'node:fs';
import { chmod, lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makePrivateFolder } from '../../utils/privatePaths.js';
import { takeLease } from '../../utils/takeLease.js';
import { type BytePath, fileNameOf, readJson, writeWhole } from '../paths.js';

/** A place for a copy, held by this process until it is let go. */
export interface CopyPlace {
  /** Top of the copy. */
  readonly folder: string;
  readState(): CopyState | undefined;
  writeState(state: CopyState): void;
  release(): void;
}

/** The contents of a copy: whose they are, and from where. */
interface CopyState {
  readonly conversationId: string;
  /** Whether it was filled to the end; else it is made again. */
  readonly isReady: boolean;
  /** Branches and checked out commit that each of its repositories was given, by its place in the folder. */
  readonly stands: Readonly<Record<BytePath, string>>;
}

const MOST_PLACES = 50;

/**
 * Takes the place of a member's copy: the same one each time, since sessions of some agents belong to a folder. While another
 * conversation works in it, the next one that is free.
 */
export function takeCopyPlace(copies: string, member: string, conversationId: string): CopyPlace {
  makePrivateFolder(copies);
  const first = fileNameOf(member);
  const names = Array.from({ length: MOST_PLACES }, (_, index) =>
    index === 0 ? first : `${first}+${index + 1}`,
  );
  const isOwn = (name: string): boolean =>
    readJson<CopyState>(join(copies, `${name}.json`))?.conversationId === conversationId;
  const own = names.filter(isOwn);
  for (const name of new Set([...own, ...names])) {
    const lease = takeLease(join(copies, `${name}.lease`), conversationId);
    if (lease === undefined) continue;
    const file = join(copies, `${name}.json`);
    return {
      folder: join(copies, name),
      readState: () => readJson<CopyState>(file),
      writeState: (state) => writeWhole(file, JSON.stringify(state)),
      release: () => lease.release(),
    };
  }
  throw new Error(`all ${MOST_PLACES} copies of ${member} are in use`);
}

/** Removes the copies of a conversation, of whatever folder. */
export async function removeCopiesOf(copies: string, conversationId: string): Promise<void> {
  if (!existsSync(copies)) return;
  for (const folder of readdirSync(copies).map((name) => join(copies, name))) {
    for (const name of readdirSync(folder).filter((file) => file.endsWith('.json'))) {
      const place = join(folder, name.slice(0, -'.json'.length));
      if (readJson<CopyState>(join(folder, name))?.conversationId !== conversationId) continue;
      await removeTree(place);
      for (const ending of ['.lease', '.json']) await rm(place + ending, { force: true });
    }
  }
}

/** Removes a folder with everything in it, also folders that were closed against writing, as some tools do. */
export async function removeTree(folder: string): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true });
  } catch {
    await openFolders(folder);
    await rm(folder, { recursive: true, force: true });
  }
}

async function openFolders(folder: string): Promise<void> {
  if (!(await lstat(folder)).isDirectory()) return;
  await chmod(folder, 0o700);
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (entry.isDirectory()) await openFolders(join(folder, entry.name));
}
