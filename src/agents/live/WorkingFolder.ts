import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { SCHEMA_COPY_NAME, TEAM_FILE_NAMES } from '../../models/Team.js';
import type { AdditionalFolder, FileGuard } from '../AgentAdapter.js';

/** Larger files are for tools, not for a message. */
const MAX_FILE_BYTES = 16 * 1024 * 1024;

const REPOSITORY = '.git';
/** The kinds of tools that only look. */
export const LOOKING: ReadonlySet<string> = new Set(['read', 'search']);
/** The kinds of tools by which a file is not there any more. */
const REMOVING: ReadonlySet<string> = new Set(['delete', 'move']);
/** Names guarded in every folder: Huddle started in that folder has that team. */
const TEAM_NAMES: ReadonlySet<string> = new Set<string>([...TEAM_FILE_NAMES, SCHEMA_COPY_NAME]);

/** The place a path leads to. */
export interface Place {
  /** As it was named, made absolute. */
  readonly named: string;
  /** The file itself, links resolved. */
  readonly file: string;
  /** Both for people, once if they are the same: relative to the folder when they are in it. */
  readonly shown: readonly string[];
  /** In the working folder, or in an additional one. */
  readonly isInside: boolean;
  /** In a folder that may only be read. */
  readonly isReadOnly?: boolean;
}

/** A file that an agent may not have, or that is not there. */
export class FileRefusedError extends Error {
  readonly path: string;
  readonly isMissing: boolean;

  constructor(path: string, reason: string, isMissing = false) {
    super(`${path} ${reason}`);
    this.path = path;
    this.isMissing = isMissing;
  }
}

/** The files an agent may reach through us: those of its folders, whatever links say. */
export class WorkingFolder {
  readonly #folder: string;
  readonly #additional: readonly AdditionalFolder[];
  readonly #hidden: readonly string[];

  /** @param hidden Files that no agent has, in whatever folder they are. */
  constructor(folder: string, additional: readonly AdditionalFolder[] = [], hidden: readonly string[] = []) {
    this.#folder = folder;
    this.#additional = additional;
    this.#hidden = hidden;
  }

  /** Finds where a path really leads, even if nothing is there yet. */
  async locate(path: string): Promise<Place> {
    const root = await realpath(this.#folder);
    const named = resolve(this.#folder, path);
    const file = await followLinks(named);
    const inside = relativeTo(root, file);
    const shown = [
      relativeTo(resolve(this.#folder), named) ?? relativeTo(root, named) ?? named,
      inside ?? file,
    ];
    const standing = inside === undefined ? await this.#lookElsewhere(file) : { isInside: true };
    return { named, file, ...standing, shown: [...new Set(shown)] };
  }

  /** Looks for a file in the additional folders. */
  async #lookElsewhere(file: string): Promise<Pick<Place, 'isInside' | 'isReadOnly'>> {
    const holders: AdditionalFolder[] = [];
    for (const folder of this.#additional) {
      // A folder that is not there holds nothing.
      const root = await realpath(folder.path).catch(() => undefined);
      if (root !== undefined && relativeTo(root, file) !== undefined) holders.push(folder);
    }
    if (holders.length === 0) return { isInside: false };
    return { isInside: true, isReadOnly: holders.every(({ isReadOnly = false }) => isReadOnly) };
  }

  /** Throws FileRefusedError. `line` counts from 1. */
  async readText(
    path: string,
    { line = 1, limit = Number.POSITIVE_INFINITY }: { readonly line?: number; readonly limit?: number },
  ): Promise<string> {
    const { file } = await this.locateInside(path);
    const start = Math.max(0, line - 1);
    const lines = (await this.#read(file, path)).split('\n');
    return lines.slice(start, start + limit).join('\n');
  }

  /**
   * Writes where the path led when it was asked about, and nowhere else. Makes the folders on the way. Tells whether the
   * file is new. Throws FileRefusedError.
   */
  async writeText(path: string, content: string, askedAbout: Place): Promise<boolean> {
    const { file } = await this.locateInside(path);
    if (file !== askedAbout.file) throw new FileRefusedError(path, 'leads to another file by now');
    await mkdir(dirname(file), { recursive: true });
    const isNew = !(await exists(file));
    const { O_WRONLY, O_CREAT, O_NOFOLLOW } = constants;
    await withFile({ file, path, flags: O_WRONLY | O_CREAT | O_NOFOLLOW }, async (handle) => {
      await handle.truncate(0);
      await handle.writeFile(content);
    });
    return isNew;
  }

  #read(file: string, path: string): Promise<string> {
    return withFile({ file, path, flags: constants.O_RDONLY }, async (handle, { size }) => {
      if (size > MAX_FILE_BYTES) throw new FileRefusedError(path, `is larger than ${MAX_FILE_BYTES} bytes`);
      return handle.readFile('utf8');
    });
  }

  /** Reads what is there now, in at most so many characters. `null`: no file. `undefined`: more, or no text. Throws nothing. */
  async readShort({ file }: Place, most: number): Promise<string | null | undefined> {
    if (!(await exists(file))) return null;
    try {
      const text = await this.#read(file, file);
      return text.length > most ? undefined : text;
    } catch {
      return undefined; // No regular file, or not ours to read: there is nothing to show.
    }
  }

  /** Throws FileRefusedError. */
  async locateInside(path: string): Promise<Place> {
    const place = await this.locate(path);
    if (!place.isInside) throw new FileRefusedError(path, 'is outside the working folder');
    if (await this.#isHidden(place)) throw new FileRefusedError(path, 'is private to Huddle');
    return place;
  }

  /** Whether it is a hidden file, by its name, by a link, or as another name of the same file. */
  async #isHidden({ file }: Place): Promise<boolean> {
    const found = await stat(file).catch(() => undefined);
    for (const hidden of this.#hidden) {
      if (file === hidden || file === (await followLinks(hidden).catch(() => hidden))) return true;
      const other = found && (await stat(hidden).catch(() => undefined));
      if (found !== undefined && other?.dev === found.dev && other.ino === found.ino) return true;
    }
    return false;
  }
}

/** The path from a folder to a file in it. */
function relativeTo(folder: string, file: string): string | undefined {
  const path = relative(folder, file);
  const isOutside = path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path);
  return isOutside ? undefined : path;
}

/** As `realpath`, but the last parts need not exist. A link that leads nowhere leads where it points. */
async function followLinks(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      throw new FileRefusedError(path, 'cannot be reached');
  }
  if (await exists(path)) throw new FileRefusedError(path, 'is a link that leads nowhere');
  return join(await followLinks(dirname(path)), basename(path));
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** A pipe or a device must not hold us up, so nothing is waited for and only regular files are used. */
async function withFile<Result>(
  { file, path, flags }: { readonly file: string; readonly path: string; readonly flags: number },
  use: (handle: FileHandle, stats: Stats) => Promise<Result>,
): Promise<Result> {
  const handle = await open(file, flags | constants.O_NONBLOCK, 0o666).catch(
    ({ code }: NodeJS.ErrnoException) => {
      throw new FileRefusedError(file, `cannot be opened (${code})`, code === 'ENOENT');
    },
  );
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw new FileRefusedError(path, 'is not a regular file');
    return await use(handle, stats);
  } finally {
    await handle.close();
  }
}

/**
 * Finds which guards apply to these files. A folder stands for whatever is in it, now and later. Files in a repository's own folder run later, unasked; a team file says
 * what agents may do. Names are compared without case, as some file systems do.
 */
export async function findGuards(
  places: readonly Place[],
  teamFile: string | undefined,
  kind: string,
): Promise<readonly FileGuard[]> {
  const files = places.flatMap(({ named, file }) => [named, file]);
  // A team file that is gone leads nowhere else.
  const own = teamFile ? [resolve(teamFile), await realpath(teamFile).catch(() => resolve(teamFile))] : [];
  const guards = findGuardsByName(files, own);
  if (LOOKING.has(kind) || !(await includesFolder(places))) return guards;
  const holdsTeamFile = own.some((name) => files.some((file) => name.startsWith(join(file, sep))));
  const isTaken = REMOVING.has(kind) && holdsTeamFile && !guards.includes('team-file');
  return [...guards, ...(isTaken ? (['team-file'] as const) : []), 'folder'];
}

async function includesFolder(places: readonly Place[]): Promise<boolean> {
  // A file that is not there, or that cannot be looked at, is no folder.
  const found = await Promise.all(places.map(({ file }) => stat(file).catch(() => undefined)));
  return found.some((stats) => stats?.isDirectory());
}

/** The same by the names of files alone; `own` has names of the file that the team came from. */
export function findGuardsByName(files: readonly string[], own: readonly string[] = []): FileGuard[] {
  const isTeamFile = (file: string): boolean =>
    own.includes(file) || TEAM_NAMES.has(basename(file).toLowerCase());
  return [
    ...(files.some(isInRepository) ? (['repository'] as const) : []),
    ...(files.some(isTeamFile) ? (['team-file'] as const) : []),
  ];
}

function isInRepository(file: string): boolean {
  return file.toLowerCase().split(sep).includes(REPOSITORY);
}
