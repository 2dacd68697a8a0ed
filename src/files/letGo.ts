import { mkdirSync } from 'node:fs';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { makePrivateFolder } from '../utils/privatePaths.js';
import { removeCopiesOf } from './copies/copyLeases.js';
import { nameKept } from './git/keepContents.js';
import { fileNameOf, filesLayout, objectsFolder, readJson, writeWhole } from './paths.js';

const MOST_BYTES = 2 * 1024 ** 3;
const HOUR = 60 * 60 * 1000;
/** In this time nothing of a conversation is let go to make room. */
const SAFE = 7 * 24 * HOUR;

interface RoomOptions {
  readonly maxBytes?: number | undefined;
  /** Epoch milliseconds. */
  readonly now?: number;
}

interface KeptObject {
  readonly id: string;
  readonly file: string;
  readonly bytes: number;
  readonly writtenAt: number;
}

/** Bytes of all contents that are kept. */
export async function readKeptBytes(dataFolder: string): Promise<number> {
  return sumBytes(await listObjects(dataFolder));
}

/** Lets go of everything that is kept of the files of a conversation, but for contents that others need as well. */
export async function letGoOf(dataFolder: string, conversationId: string): Promise<void> {
  const { kept, folders, begun } = filesLayout(dataFolder);
  const name = fileNameOf(conversationId);
  const own = await readIds(join(kept, name));
  for (const other of await listNames(kept))
    if (other !== name) for (const id of await readIds(join(kept, other))) own.delete(id);
  for (const file of [...own].flatMap((id) => objectFiles(dataFolder, id))) await rm(file, { force: true });
  const index = `index-${name}`;
  for (const folder of await listNames(folders))
    for (const file of await listNames(join(folders, folder)))
      if (file === index || file.startsWith(`${index}.`))
        await rm(join(folders, folder, file), { force: true });
  await removeCopiesOf(join(dataFolder, 'copies'), conversationId);
  for (const file of [name, `${name}.draft`]) await rm(join(begun, file), { force: true });
  await rm(join(kept, name), { force: true });
}

/**
 * Makes room when too much is kept: contents that no conversation names, then those of the conversations that were not worked
 * in for the longest time. Tells whether there is room now.
 */
export async function makeRoom(
  dataFolder: string,
  { maxBytes = MOST_BYTES, now = Date.now() }: RoomOptions = {},
): Promise<boolean> {
  let objects = await listObjects(dataFolder);
  if (sumBytes(objects) > maxBytes) {
    const { kept } = filesLayout(dataFolder);
    const lists = await Promise.all((await listNames(kept)).map((name) => readKept(kept, name)));
    const named = new Set(lists.flatMap(({ ids }) => [...ids]));
    for (const { id, file, writtenAt } of objects)
      if (!named.has(id) && writtenAt < now - SAFE) await rm(file, { force: true });
    const old = lists
      .filter(({ usedAt }) => usedAt < now - SAFE)
      .sort((one, other) => one.usedAt - other.usedAt);
    objects = await listObjects(dataFolder);
    for (const { conversationId } of old) {
      if (sumBytes(objects) <= maxBytes) break;
      await letGoOf(dataFolder, conversationId);
      objects = await listObjects(dataFolder);
    }
  }
  const bytes = sumBytes(objects);
  writeWhole(roomFile(dataFolder), JSON.stringify({ bytes, at: now } satisfies RoomLook));
  return bytes <= maxBytes;
}

/** The last look at how much is kept. */
interface RoomLook {
  readonly bytes: number;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** Looks for room, at most once an hour while there is some: with many contents a look takes a second. */
export async function hasRoomLately(dataFolder: string, options: RoomOptions = {}): Promise<boolean> {
  const { maxBytes = MOST_BYTES, now = Date.now() } = options;
  const last = readJson<RoomLook>(roomFile(dataFolder));
  const isRecent = last !== undefined && now - last.at < HOUR && last.bytes <= maxBytes;
  return isRecent || makeRoom(dataFolder, options);
}

function roomFile(dataFolder: string): string {
  return join(filesLayout(dataFolder).root, 'room.json');
}

interface KeptList {
  readonly conversationId: string;
  readonly ids: ReadonlySet<string>;
  readonly usedAt: number;
}

async function readKept(kept: string, conversationId: string): Promise<KeptList> {
  const file = join(kept, conversationId);
  const { mtimeMs } = await stat(file);
  return { conversationId, ids: await readIds(file), usedAt: mtimeMs };
}

async function readIds(file: string): Promise<Set<string>> {
  const text = await readFile(file, 'latin1').catch(ignoreMissing);
  return new Set((text ?? '').split('\n').filter((line) => /^[0-9a-f]{40,64}$/u.test(line)));
}

/** All contents, those that git is only writing left out. */
async function listObjects(dataFolder: string): Promise<readonly KeptObject[]> {
  const found: KeptObject[] = [];
  for (const objects of objectFolders(dataFolder)) {
    const folders = (await listNames(objects)).filter((name) => /^[0-9a-f]{2}$/u.test(name));
    for (const folder of folders) {
      const names = (await listNames(join(objects, folder))).filter((name) =>
        /^[0-9a-f]{38,62}$/u.test(name),
      );
      const all = names.map(async (name) => {
        const file = join(objects, folder, name);
        const stats = await stat(file).catch(ignoreMissing);
        if (stats) found.push({ id: folder + name, file, bytes: stats.size, writtenAt: stats.mtimeMs });
      });
      await Promise.all(all);
    }
  }
  return found;
}

function objectFiles(dataFolder: string, id: string): readonly string[] {
  return objectFolders(dataFolder).map((objects) => join(objects, id.slice(0, 2), id.slice(2)));
}

function objectFolders(dataFolder: string): readonly string[] {
  const layout = filesLayout(dataFolder);
  return [objectsFolder(layout, 'sha1'), objectsFolder(layout, 'sha256')];
}

function sumBytes(objects: readonly KeptObject[]): number {
  return objects.reduce((sum, { bytes }) => sum + bytes, 0);
}

async function listNames(folder: string): Promise<readonly string[]> {
  return (await readdir(folder).catch(ignoreMissing)) ?? [];
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

/** Holds contents that are kept for another conversation, so that they stay when that is deleted. */
export async function holdContents(
  dataFolder: string,
  conversationId: string,
  contentIds: ReadonlySet<string>,
): Promise<void> {
  if (contentIds.size === 0) return;
  const { root, kept } = filesLayout(dataFolder);
  makePrivateFolder(root);
  mkdirSync(kept, { recursive: true, mode: 0o700 });
  nameKept(join(kept, fileNameOf(conversationId)), contentIds);
}
