import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { makePrivateFolder } from '../utils/privatePaths.js';
import { fileNameOf } from './fileNameOf.js';
import { filesLayout } from './git/filesLayout.js';
import { nameKept } from './git/keepContents.js';

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
