import { existsSync, realpathSync } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { toText } from '../bytePaths.js';
import { type CopiedRepository, followStand, writeCopyRepository } from '../git/copyRepository.js';
import { adoptIndex, type FolderPart } from '../git/FolderPart.js';
import { regainContents } from '../git/keepContents.js';
import type { PartPlace } from '../git/openPart.js';
import { makeOwnRepository, type OwnRepository, runInOwn } from '../git/ownRepository.js';
import { copyUnrecordedFiles, listUnrecordedFiles } from './copyUnrecordedFiles.js';
import { updateCopy } from './updateCopy.js';

/** A repository of the folder, and the copy that it is to be in. */
export interface CopiedPart {
  readonly source: FolderPart;
  readonly place: PartPlace;
  /** Top of the copy. */
  readonly top: string;
  /** The folder in it that stands for the working folder. */
  readonly folder: string;
}

export interface MadePart {
  /** Branches and checked out commit that it has. */
  readonly stand: string;
  /** Number of files that no index has. */
  readonly unrecorded: number;
  /** Whether its files are those of the folder; else those that were last recorded in the copy, which may be behind. */
  readonly isCurrent: boolean;
}

/** Makes a repository of the folder anew in a copy: with its files as they were last recorded there, or in the folder. */
export async function makePart({ source, place, top, folder }: CopiedPart): Promise<MadePart> {
  const { base, repository } = source;
  const partFolder = join(folder, toText(base.slice(0, -1)));
  const partTop = base === '' ? top : partFolder;
  await mkdir(partFolder, { recursive: true });
  const user = describeUser(place, repository);
  const stand = user && (await writeCopyRepository(user, partTop));
  const copy = ownRepositoryOf(place, repository, { folder: partFolder, top: partTop });
  const [isCurrent, paths] = await Promise.all([
    checkOut(repository, copy, partTop),
    listUnrecordedFiles(repository),
  ]);
  const { dataFolder } = place;
  const unrecorded = await copyUnrecordedFiles(paths, { source: repository, copy: partTop, dataFolder });
  return { stand: stand ?? '', unrecorded, isCurrent };
}

/** Our repository of a part that was just made: what git would say of it is known. */
function ownRepositoryOf(
  place: PartPlace,
  { user }: OwnRepository,
  made: { readonly folder: string; readonly top: string },
): OwnRepository {
  const [folder, top] = [realpathSync.native(made.folder), realpathSync.native(made.top)];
  const gitFolder = join(top, '.git');
  const own = user && { top, gitFolder, commonFolder: gitFolder, format: user.format };
  return makeOwnRepository({ ...place, folder, user: own });
}

/** Tells whether the files are those of the folder. */
async function checkOut(source: OwnRepository, copy: OwnRepository, top: string): Promise<boolean> {
  const isCurrent = !existsSync(copy.index) || !existsSync(baseOf(copy));
  if (isCurrent)
    for (const index of [copy.index, baseOf(copy)])
      if (existsSync(source.index)) await copyFile(source.index, index);
  await regainContents(source);
  await runInOwn(source, {
    args: ['checkout-index', '-a', '-f', '-u', '-q'],
    index: copy.index,
    workTree: top,
    withUserObjects: true,
  });
  adoptIndex(copy.index);
  return isCurrent;
}

export interface UpdatedPart {
  /** Paths in the working folder. */
  readonly behind: readonly string[];
  readonly stand: string;
}

/** Brings a repository in a copy up to date with that of the folder. */
export async function updatePart(
  { source, place }: Pick<CopiedPart, 'source' | 'place'>,
  { repository: copy }: FolderPart,
  given: string,
): Promise<UpdatedPart> {
  const { base, repository } = source;
  const paths = await updateCopy({ source: repository, copy, base: baseOf(copy) });
  const behind = paths.map((path) => toText(base) + path);
  const [from, to] = [describeUser(place, repository), describeUser(place, copy)];
  const stand = from && to ? await followStand(from, to, given) : given;
  return { behind, stand };
}

function describeUser(
  { git, globalConfig }: PartPlace,
  { user }: OwnRepository,
): CopiedRepository | undefined {
  return user && { git, user, globalConfig };
}

/** State of the folder that was last carried into a copy. */
function baseOf({ index }: OwnRepository): string {
  return `${index}.base`;
}
