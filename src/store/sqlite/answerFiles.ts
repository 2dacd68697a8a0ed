import { createHash } from 'node:crypto';
import { lstatSync, rmSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ConversationId, TurnId } from '../../models/ids.js';
import { UnsafePathError } from '../../utils/fileReason.js';
import { makePrivateFolder } from '../../utils/privatePaths.js';

const FILE_MODE = 0o600;
/** Names that are different files on every system and lead nowhere else; shorter than a hash, so none can pass for one. */
const PLAIN_NAME = /^[a-z0-9_-]{1,63}$/u;

/** Writes a whole answer next to the database, durably, for its owner only. Returns its path, or throws. */
export async function saveAnswer(
  database: string,
  id: ConversationId,
  turnId: TurnId,
  text: string,
): Promise<string> {
  const file = join(folderOf(database, id), nameOf(turnId));
  for (const folder of [answersFolder(database), dirname(file)]) {
    requireNoLink(folder);
    makePrivateFolder(folder);
  }
  const handle = await open(file, 'wx', FILE_MODE);
  try {
    await handle.chmod(FILE_MODE);
    await handle.writeFile(text);
    await handle.sync();
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
  return file;
}

/** Removes every answer of a conversation. */
export function deleteAnswers(database: string, id: ConversationId): void {
  requireNoLink(answersFolder(database));
  rmSync(folderOf(database, id), { recursive: true, force: true });
}

function answersFolder(database: string): string {
  return join(dirname(database), 'answers');
}

function folderOf(database: string, id: ConversationId): string {
  return join(answersFolder(database), nameOf(id));
}

/** Ids of imported conversations can be anything. */
function nameOf(id: string): string {
  return PLAIN_NAME.test(id) ? id : createHash('sha256').update(id).digest('hex');
}

function requireNoLink(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) throw new UnsafePathError(path, 'link');
}
