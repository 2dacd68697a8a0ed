import { createHash } from 'node:crypto';
import { join } from 'node:path';

/** A file that is always there and always empty. */
export const EMPTY_FILE = '/dev/null';

export type ObjectFormat = 'sha1' | 'sha256';

/** Places in the data folder where contents and the last known states of folders are kept. */
export interface FilesLayout {
  readonly root: string;
  /** A folder that stays empty: the working folder of one that is gone. */
  readonly empty: string;
  /** Ids of the contents that a conversation keeps, one a line. */
  readonly kept: string;
  readonly folders: string;
  /** Marks of turns that run. */
  readonly marks: string;
  /** Undos and applies that were begun, one file a conversation. */
  readonly begun: string;
}

export function filesLayout(dataFolder: string): FilesLayout {
  const root = join(dataFolder, 'files');
  const at = (name: string): string => join(root, name);
  return {
    root,
    empty: at('empty'),
    kept: at('kept'),
    folders: at('folders'),
    marks: at('running'),
    begun: at('begun'),
  };
}

/** The folder of contents, one for all folders that are worked in. */
export function objectsFolder({ root }: FilesLayout, format: ObjectFormat): string {
  return join(root, format === 'sha1' ? 'objects' : 'objects-sha256');
}

/** The repository of our own for a folder: the same as long as the folder, and where its top is, stay the same. */
export function repositoryFolder(layout: FilesLayout, place: readonly string[]): string {
  const hash = createHash('sha256').update(place.join('\0'), 'latin1').digest('hex');
  return join(layout.folders, hash.slice(0, 32));
}
