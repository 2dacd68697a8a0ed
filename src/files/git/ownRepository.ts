import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { makePrivateFolder } from '../../utils/privatePaths.js';
import {
  type BytePath,
  type FilesLayout,
  fileNameOf,
  fromText,
  type ObjectFormat,
  objectsFolder,
  repositoryFolder,
  toText,
  writeWhole,
} from '../paths.js';
import { removeDrafts } from './contents.js';
import { type Git, type GitCall, GitError, type GitOutput, runGit } from './runGit.js';
import type { UserRepository } from './userRepository.js';

/**
 * A repository of our own beside the user's: its index is the last known state of the folder. Nothing of the user's
 * repository is read through it but objects, where that is asked for.
 */
export interface OwnRepository {
  readonly git: Git;
  /** Its folder, in the data folder. */
  readonly gitFolder: string;
  /** Top of what it looks at: that of the user's repository, or the folder itself. */
  readonly top: string;
  /** The folder that is worked in, from the top: empty, or with a slash at its end. */
  readonly prefix: BytePath;
  readonly format: ObjectFormat;
  /** Contents that are written. */
  readonly objects: string;
  /** Contents that are kept, where there is no room for more; absent: what is written is kept. */
  readonly keptObjects?: string | undefined;
  /** A second one without our attributes, to ask for those of the project. */
  readonly plainFolder: string;
  /** The last known state. */
  readonly index: string;
  readonly user: UserRepository | undefined;
  /** A folder that stays empty. */
  readonly empty: string;
}

interface OwnRepositoryOptions {
  readonly git: Git;
  readonly layout: FilesLayout;
  /** With links resolved. */
  readonly folder: string;
  readonly user: UserRepository | undefined;
  readonly conversationId: string;
  /** A folder for contents that are not kept. */
  readonly passing?: string | undefined;
}

/** Makes the folders of our repository, if they are not there. */
export function makeOwnRepository(options: OwnRepositoryOptions): OwnRepository {
  const { git, layout, folder, user, conversationId, passing } = options;
  const top = user?.top ?? folder;
  const format = user?.format ?? 'sha1';
  const prefix = folder === top ? '' : fromText(`${folder.slice(join(top, '/').length)}/`);
  const gitFolder = repositoryFolder(layout, [fromText(top), prefix, format]);
  const keptObjects = objectsFolder(layout, format);
  const objects = passing === undefined ? keptObjects : join(passing, format);
  for (const path of [
    layout.root,
    layout.empty,
    layout.kept,
    layout.folders,
    keptObjects,
    objects,
    gitFolder,
  ]) {
    makePrivateFolder(path);
  }
  const plainFolder = join(gitFolder, 'plain');
  for (const path of [gitFolder, plainFolder]) {
    for (const name of ['refs', 'info']) mkdirSync(join(path, name), { recursive: true, mode: 0o700 });
    if (!existsSync(join(path, 'HEAD'))) writeWhole(join(path, 'HEAD'), 'ref: refs/heads/none\n');
  }
  const index = join(gitFolder, `index-${fileNameOf(conversationId)}`);
  const contents = { objects, ...(passing !== undefined && { keptObjects }) };
  return { git, gitFolder, plainFolder, top, prefix, format, ...contents, index, user, empty: layout.empty };
}

interface OwnCall extends GitCall {
  /** The user's objects are in reach; nothing is written into them. */
  readonly withUserObjects?: boolean;
  /** Another index than that of the last known state. */
  readonly index?: string;
  /** Another folder to look at. */
  readonly workTree?: string;
  readonly gitFolder?: string;
}

/**
 * Runs git with our repository and the user's files. On a full disk what git has begun is removed: the conversation, which is
 * written to the same disk, needs the room.
 */
export async function runInOwn(repository: OwnRepository, call: OwnCall): Promise<GitOutput> {
  const { user, gitFolder: ownFolder, keptObjects } = repository;
  const borrowed = [
    ...(keptObjects === undefined ? [] : [keptObjects]),
    ...(call.withUserObjects && user ? [userObjects(user)] : []),
  ];
  const { withUserObjects: _, index = repository.index, gitFolder = ownFolder, env, ...rest } = call;
  // Of a folder that is gone, everything is.
  const workTree = call.workTree ?? (existsSync(repository.top) ? repository.top : repository.empty);
  const output = runGit(repository.git, {
    ...rest,
    // Not every command goes there itself before it looks at files; one that finds none trusts what it knows.
    cwd: workTree,
    env: {
      GIT_DIR: gitFolder,
      GIT_WORK_TREE: workTree,
      GIT_INDEX_FILE: index,
      GIT_OBJECT_DIRECTORY: repository.objects,
      ...(borrowed.length > 0 && { GIT_ALTERNATE_OBJECT_DIRECTORIES: listPaths(borrowed) }),
      ...env,
    },
  });
  try {
    return await output;
  } catch (error) {
    if (error instanceof GitError && error.reason === 'disk-full')
      await removeDrafts(repository.objects, { isFull: true });
    throw error;
  }
}

export function userObjects({ commonFolder }: UserRepository): string {
  return join(commonFolder, 'objects');
}

/** A list of paths as git takes it from its environment, whatever is in them. */
export function listPaths(paths: readonly string[]): string {
  return paths.map((path) => `"${path.replaceAll(/["\\]/gu, '\\$&').replaceAll('\n', '\\n')}"`).join(':');
}

/** Arguments that limit git to the folder that is worked in. */
export function limitTo({ prefix }: OwnRepository): readonly string[] {
  return prefix === '' ? [] : ['--', toText(prefix.slice(0, -1))];
}
