import { isUtf8 } from 'node:buffer';
import { constants, realpathSync, type Stats, statSync } from 'node:fs';
import { type FileHandle, open, realpath, stat } from 'node:fs/promises';
import { dirname, resolve, sep } from 'node:path';
import { formatInvalidTeam } from '../catalogue/teamProblems.js';
import { HuddleError } from '../models/errors.js';
import type { FileFault, TeamProblem } from '../models/TeamProblem.js';
import { looksLikeUtf16 } from '../utils/looksLikeUtf16.js';

/** Error of a file that was not read. */
export class UnreadableFileError extends Error {
  readonly code: 'UNREADABLE' | 'TOO_LARGE';
  readonly facts: FileFault;

  constructor(facts: FileFault, options?: ErrorOptions) {
    super(facts.fault, options);
    this.name = 'UnreadableFileError';
    this.code = facts.fault === 'too-large' ? 'TOO_LARGE' : 'UNREADABLE';
    this.facts = facts;
  }
}

/**
 * The text of a regular file in UTF-8 of at most `maxBytes`. Pipes, sockets, devices and folders are refused,
 * and nothing here waits for one: looked at before it is opened, opened without blocking, and looked at again.
 */
export async function readRegularFile(path: string, maxBytes: number): Promise<string> {
  try {
    requireRegular((await stat(path)).isFile());
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
    try {
      requireRegular((await file.stat()).isFile());
      return decode(await readAtMost(file, maxBytes));
    } finally {
      await file.close();
    }
  } catch (error) {
    throw error instanceof UnreadableFileError ? error : asUnreadableFile(error);
  }
}

/** Bytes that are read at once: files of teams are smaller. */
const PIECE_BYTES = 16_384;

function requireRegular(isFile: boolean): void {
  if (!isFile) throw new UnreadableFileError({ fault: 'not-regular' });
}

/** The size that `stat` gives is not believed: files grow, and those of `/proc` say 0. */
async function readAtMost(file: FileHandle, maxBytes: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for (let left = maxBytes; left >= 0; ) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(PIECE_BYTES), 0, PIECE_BYTES);
    if (bytesRead === 0) return Buffer.concat(pieces);
    pieces.push(buffer.subarray(0, bytesRead));
    left -= bytesRead;
  }
  throw new UnreadableFileError({ fault: 'too-large', maxBytes });
}

function decode(bytes: Buffer): string {
  if (!isUtf8(bytes) || looksLikeUtf16(bytes)) throw new UnreadableFileError({ fault: 'not-utf8' });
  return new TextDecoder().decode(bytes);
}

const FAULTS: Readonly<Record<string, Exclude<FileFault['fault'], 'too-large' | 'other'>>> = {
  ENOENT: 'missing',
  ENOTDIR: 'missing',
  EACCES: 'denied',
  EPERM: 'denied',
  ELOOP: 'link-to-itself',
  ENAMETOOLONG: 'name-too-long',
  ERR_INVALID_ARG_VALUE: 'name-impossible',
};

/** Turns a system error about a path into one of ours; passes on anything else. */
function asUnreadableFile(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
  if (code === undefined) return error;
  const fault = FAULTS[code];
  const facts: FileFault = fault === undefined ? { fault: 'other', systemCode: code } : { fault };
  return new UnreadableFileError(facts, { cause: error });
}

/** A team was refused as a whole, with everything that is wrong with it. Nothing was started. */
export class TeamFileError extends HuddleError<'TEAM_FILE_INVALID'> {
  readonly problems: readonly TeamProblem[];
  /** Absent when the team did not come from a file. */
  readonly file?: string;

  constructor(problems: readonly TeamProblem[], file?: string) {
    super('TEAM_FILE_INVALID', formatInvalidTeam(problems, file));
    this.problems = problems;
    if (file !== undefined) this.file = file;
  }
}

const MAX_INSTRUCTION_BYTES = 256 * 1024;

/** Result of reading a member's instruction file. */
export type InstructionFile =
  | { readonly ok: true /** Absolute, links resolved. */; readonly path: string; readonly text: string }
  | { readonly ok: false; readonly code: 'INSTRUCTION_FILE_OUTSIDE' }
  | ({
      readonly ok: false;
      readonly code: 'INSTRUCTION_FILE_UNREADABLE' | 'INSTRUCTION_FILE_TOO_LARGE';
    } & FileFault);

/** By the path as the team file has it. */
export type InstructionFiles = ReadonlyMap<string, InstructionFile>;

/** Files outside the project that a person has allowed, links resolved; `any` while asking that person. */
export type TrustedFiles = readonly string[] | 'any';

export interface ReadingPlace {
  readonly projectFolder: string;
  readonly trustedFiles: TrustedFiles;
}

/** Reads one instruction file. A team file comes with a project, so it must not reach files beyond it. */
export async function readInstructionFile(
  path: string,
  { projectFolder, trustedFiles }: ReadingPlace,
): Promise<InstructionFile> {
  try {
    const realPath = await resolveLinks(resolve(projectFolder, path));
    const isAllowed = trustedFiles === 'any' || trustedFiles.includes(realPath);
    if (!isAllowed && !realPath.startsWith(withSeparator(await resolveLinks(projectFolder)))) {
      return { ok: false, code: 'INSTRUCTION_FILE_OUTSIDE' };
    }
    if (OF_THE_SYSTEM.test(realPath))
      return { ok: false, code: 'INSTRUCTION_FILE_UNREADABLE', fault: 'of-the-system' };
    return { ok: true, path: realPath, text: await readRegularFile(realPath, MAX_INSTRUCTION_BYTES) };
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error;
    return { ok: false, code: `INSTRUCTION_FILE_${error.code}`, ...error.facts };
  }
}

/** Files that the system makes: the environment of a process with all its keys, devices and the like. `/dev/shm` is people's. */
const OF_THE_SYSTEM = /^\/(?:proc|sys|dev(?!\/shm\/))\//u;

async function resolveLinks(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    throw asUnreadableFile(error);
  }
}

function withSeparator(folder: string): string {
  return folder.endsWith(sep) ? folder : folder + sep;
}

const MAX_BYTES = 1024 * 1024;
const FORBIDDEN = { write: 0o022, read: 0o077 } as const;
const STICKY = 0o1000;

/**
 * Reads a file of this user that says what is run, or proves who asks.
 *
 * @param forbidden What no one else may do with it; `read` includes writing.
 * @throws HuddleError FILE_OPEN_TO_OTHERS if others may, or may put another file in its place, or it is not ours; TeamFileError if
 * it cannot be read.
 */
export async function readOwnFile(file: string, forbidden: keyof typeof FORBIDDEN): Promise<string> {
  const stats = statSync(file, { throwIfNoEntry: false });
  const isOfOther = stats !== undefined && process.getuid !== undefined && stats.uid !== process.getuid();
  if (isOfOther || (stats !== undefined && (stats.mode & FORBIDDEN[forbidden]) !== 0)) {
    const mode = (stats.mode & 0o777).toString(8);
    throw new HuddleError('FILE_OPEN_TO_OTHERS', { file, mode, isOfOther, forbidden });
  }
  if (stats !== undefined) requireOwnFolders(file);
  try {
    return await readRegularFile(file, MAX_BYTES);
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error;
    const { facts } = error;
    throw new TeamFileError([{ code: 'FILE_UNREADABLE', pointer: '', value: undefined, ...facts }], file);
  }
}

/**
 * Refuses a file that others can replace: because they may write into its folder, or into one above that. The sticky bit, as that of
 * `/tmp`, keeps them from it.
 *
 * @throws HuddleError FILE_OPEN_TO_OTHERS
 */
export function requireOwnFolders(file: string): void {
  // Both the way to a link and the way to what it stands for.
  for (const folder of new Set([resolve(file), realpathSync(file)].flatMap(foldersOf))) {
    const stats = statSync(folder);
    const isOfOther = isOfAnother(stats);
    if (!isOfOther && !isOpen(stats)) continue;
    const mode = (stats.mode & 0o7777).toString(8);
    throw new HuddleError('FILE_OPEN_TO_OTHERS', { file, folder, mode, isOfOther, forbidden: 'write' });
  }
}

function foldersOf(path: string): readonly string[] {
  const folder = dirname(path);
  return folder === path ? [] : [folder, ...foldersOf(folder)];
}

/** In a container root often works in folders of somebody who is not there. */
function isOfAnother({ uid }: Stats): boolean {
  const own = process.getuid?.();
  return own !== undefined && own !== 0 && uid !== own && uid !== 0;
}

/** The group of a user that has their number is theirs alone. */
function isOpen({ mode, uid, gid }: Stats): boolean {
  if (process.getuid === undefined || (mode & STICKY) !== 0) return false;
  const isAlone = uid !== 0 && gid === uid && uid === process.getuid();
  return (mode & (isAlone ? 0o002 : FORBIDDEN.write)) !== 0;
}
