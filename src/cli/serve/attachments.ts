import { existsSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Attachment } from '../../coordinator/Conversations.js';
import type { ConversationId } from '../../models/ids.js';
import { makePrivateFolder } from '../../utils/privatePaths.js';

const FILE_MODE = 0o600;
const NAME_LENGTH = 80;

/** The folder with what people attached to a conversation; undefined if nothing was. */
export function findAttachments(dataFolder: string, id: ConversationId): string | undefined {
  const folder = attachmentFolder(dataFolder, id);
  return existsSync(folder) ? folder : undefined;
}

/** Saves a file that comes with a message, under a name that no other has. Returns its path. */
export async function saveAttachment(
  dataFolder: string,
  id: ConversationId,
  { name, bytes }: Attachment,
): Promise<string> {
  const folder = attachmentFolder(dataFolder, id);
  for (const path of [dataFolder, join(dataFolder, 'attachments'), folder]) makePrivateFolder(path);
  const plain = plainNameOf(name);
  for (let number = 1; ; number++) {
    const file = join(folder, number === 1 ? plain : `${number}-${plain}`);
    try {
      const handle = await open(file, 'wx', FILE_MODE);
      await handle.writeFile(bytes).finally(() => handle.close());
      return file;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

export function removeAttachments(dataFolder: string, id: ConversationId): Promise<void> {
  return rm(attachmentFolder(dataFolder, id), { recursive: true, force: true });
}

/** A name that is a path nowhere and an option of no program. */
function plainNameOf(name: string): string {
  const plain = name.replaceAll(/[^A-Za-z0-9.-]+/gu, '-').replace(/^[.-]+/u, '');
  return plain === '' ? 'attachment' : plain.slice(-NAME_LENGTH).replace(/^[.-]+/u, '');
}

function attachmentFolder(dataFolder: string, id: ConversationId): string {
  return join(dataFolder, 'attachments', id);
}
