import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { BytePath } from '../bytePaths.js';
import { FolderPart } from './FolderPart.js';
import type { FilesLayout } from './filesLayout.js';
import { readFolderSettings } from './folderSettings.js';
import { makeOwnRepository, type OwnRepository } from './ownRepository.js';
import { writeSettings } from './ownSettings.js';
import type { Git } from './runGit.js';
import { findUserRepository } from './userRepository.js';

export interface PartPlace {
  readonly git: Git;
  readonly layout: FilesLayout;
  readonly dataFolder: string;
  /** Other files of ours, which are not recorded either. */
  readonly ownFiles?: readonly string[] | undefined;
  readonly conversationId: string;
  /** A configuration file under which git looks at repositories of any owner. */
  readonly globalConfig: string;
  readonly env: NodeJS.ProcessEnv;
  /** A folder for contents that are not kept: there is no room for more. */
  readonly passing?: string | undefined;
  /** The folder has no repository; one around it is none of its own. */
  readonly isPlain?: boolean | undefined;
}

/** Finds the user's repository of a folder, and makes or finds our own beside it. */
export async function openPart(
  place: PartPlace,
  folder: string,
  base: BytePath,
  signal?: AbortSignal,
): Promise<FolderPart> {
  const { git, globalConfig, env, dataFolder, ownFiles = [] } = place;
  const isPlain = place.isPlain === true && base === '';
  const found = isPlain ? undefined : await findUserRepository(git, folder, globalConfig, signal);
  // A nested folder whose repository says that it is elsewhere is looked at as it stands.
  const user = base !== '' && found?.top !== folder ? undefined : found;
  const settings = await readFolderSettings(git, user, env, signal);
  const repository = makeOwnRepository({ ...place, folder, user });
  writeSettings(repository, settings, [dataFolder, ...ownFiles]);
  return new FolderPart(repository, base);
}

/** Our repository of a folder, for contents that are kept; nothing that a record needs is touched. */
export async function findOwnRepository(place: PartPlace, folder: string): Promise<OwnRepository> {
  const user = await findUserRepository(place.git, folder, place.globalConfig);
  const repository = makeOwnRepository({ ...place, folder, user });
  const isNew = !existsSync(join(repository.gitFolder, 'config'));
  if (isNew) writeSettings(repository, { core: {} }, [place.dataFolder]);
  return repository;
}
