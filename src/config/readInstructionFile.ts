import { realpath } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import { asUnreadableFile, readRegularFile, UnreadableFileError } from './readRegularFile.js';
import type { TeamProblemCode } from './TeamProblem.js';

const MAX_INSTRUCTION_BYTES = 256 * 1024;

/** Result of reading a member's instruction file. */
export type InstructionFile =
  | { readonly ok: true /** Absolute, links resolved. */; readonly path: string; readonly text: string }
  | { readonly ok: false; readonly code: InstructionFileCode; readonly reason: string };

type InstructionFileCode = Extract<TeamProblemCode, `INSTRUCTION_FILE_${string}`>;

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
      return { ok: false, code: 'INSTRUCTION_FILE_OUTSIDE', reason: OUTSIDE };
    }
    if (SYSTEM_FOLDERS.some((folder) => realPath.startsWith(folder)))
      return { ok: false, code: 'INSTRUCTION_FILE_UNREADABLE', reason: OF_THE_SYSTEM };
    return { ok: true, path: realPath, text: await readRegularFile(realPath, MAX_INSTRUCTION_BYTES) };
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error;
    return { ok: false, code: `INSTRUCTION_FILE_${error.code}`, reason: error.message };
  }
}

/** Folders whose files the system makes: the environment of a process with all its keys, devices and the like. */
const SYSTEM_FOLDERS = ['/proc/', '/dev/', '/sys/'];
const OF_THE_SYSTEM = 'leads to a place of the system and is not a file of yours; copy what you need from it';

const OUTSIDE = 'leads out of the folder of the team file; move it inside, or allow it with `huddle trust`';

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
