import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describeThisProcess, mayBeAlive, type ProcessIdentity } from '../../utils/processIdentity.js';

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
