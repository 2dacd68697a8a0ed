import { lstat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { ModelPrice, Team } from '../models/Team.js';
import { TEAM_FILE_NAMES } from '../models/Team.js';
import type { FileFault, TeamProblem } from '../models/TeamProblem.js';
import { type Locate, parseTeamFile, valueAt } from './parseTeamFile.js';
import {
  type InstructionFile,
  type InstructionFiles,
  type ReadingPlace,
  readInstructionFile,
  readRegularFile,
  TeamFileError,
  type TrustedFiles,
  UnreadableFileError,
} from './readRegularFile.js';
import { resolveTeam } from './resolveTeam.js';
import { instructionFilesOf } from './teamChecks.js';

const MAX_TEAM_FILE_BYTES = 1024 * 1024;

export interface LoadOptions {
  /** A person is expected to take part; without one such a team is refused. */
  readonly interactive?: boolean;
  /** Instruction files outside the project that may be read, from the trust record. */
  readonly trustedFiles?: TrustedFiles;
  /** Prices that are known besides those of the file. */
  readonly prices?: readonly ModelPrice[];
}

export interface LoadedTeam {
  readonly file: string;
  /** Folder of the team file: its paths are relative to it, and trust is in it. */
  readonly folder: string;
  readonly team: Team;
  readonly warnings: readonly TeamProblem[];
}

/**
 * Finds the nearest `huddle.jsonc` or `huddle.json` in a folder or one above it. Anything with the name counts, readable or not.
 *
 * @returns Its path, or undefined if there is none.
 */
export async function findTeamFile(folder: string): Promise<string | undefined> {
  let current = resolve(folder);
  while (true) {
    for (const name of TEAM_FILE_NAMES) {
      if (await exists(join(current, name))) return join(current, name);
    }
    const parent = dirname(current);
    if (parent === current) return undefined;
    current = parent;
  }
}

/**
 * Reads and checks a team file with its instruction files. Starts nothing.
 *
 * @param file Path of the team file; `findTeamFile` finds it.
 * @throws {@link TeamFileError} (as a rejection) with all `problems`, if it cannot be read or is not valid.
 *
 * @example
 * ```ts
 * const { team, warnings } = await loadTeamFile('huddle.jsonc', { interactive: true });
 * ```
 */
export async function loadTeamFile(file: string, options: LoadOptions = {}): Promise<LoadedTeam> {
  return resolveTeamFile(await openTeamFile(file), options);
}

/** A team file as it was read, or the reason why it was not. */
export interface TeamFileText {
  readonly file: string;
  readonly text: string | FileFault;
}

export async function openTeamFile(file: string): Promise<TeamFileText> {
  try {
    return { file, text: await readRegularFile(file, MAX_TEAM_FILE_BYTES) };
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error;
    return { file, text: error.facts };
  }
}

/** Text without which no field has this name, however it is spelled. */
const MAYBE_NAMED = /"store"|\\u/u;

/** The name of the shared store in a team file. What else is wrong with the file is for `resolveTeamFile` to say. */
export function storeNameIn({ text }: TeamFileText): string | undefined {
  const parsed = typeof text === 'string' && MAYBE_NAMED.test(text) ? parseTeamFile(text) : undefined;
  const store = parsed?.ok ? valueAt(parsed.value, ['store']) : undefined;
  return typeof store === 'string' ? store : undefined;
}

/** Checks a team file that was opened, and reads its instruction files. Rejects with TeamFileError. */
export async function resolveTeamFile(
  { file, text }: TeamFileText,
  options: LoadOptions,
): Promise<LoadedTeam> {
  const { interactive = false, trustedFiles = [], prices } = options;
  const folder = dirname(resolve(file));
  if (typeof text !== 'string')
    throw new TeamFileError([{ code: 'FILE_UNREADABLE', pointer: '', value: undefined, ...text }], file);
  const parsed = parseTeamFile(text);
  if (!parsed.ok) throw new TeamFileError(parsed.problems, file);

  const instructionFiles = await readInstructionFiles(parsed.value, { projectFolder: folder, trustedFiles });
  const result = resolveTeam(parsed.value, { interactive, instructionFiles, prices });
  if (!result.ok) throw new TeamFileError(inOrder(result.problems, parsed.locate), file);
  return { file, folder, team: result.team, warnings: inOrder(result.warnings, parsed.locate) };
}

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && ABSENT.has(error.code));
  }
}

const ABSENT: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR', 'EACCES']);

async function readInstructionFiles(value: unknown, place: ReadingPlace): Promise<InstructionFiles> {
  const files = new Map<string, InstructionFile>();
  for (const path of instructionFilesOf(value)) files.set(path, await readInstructionFile(path, place));
  return files;
}

/** As a reader of the file comes upon them. */
export function inOrder(problems: readonly TeamProblem[], locate: Locate): readonly TeamProblem[] {
  return problems
    .map(locate)
    .sort(
      ({ position: a }, { position: b }) =>
        (a?.line ?? 0) - (b?.line ?? 0) || (a?.column ?? 0) - (b?.column ?? 0),
    );
}
