import { realpath } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import type { FileFault } from '../models/TeamProblem.js';
import { asUnreadableFile, readRegularFile, UnreadableFileError } from './readRegularFile.js';

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
