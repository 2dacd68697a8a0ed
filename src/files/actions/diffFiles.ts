import type { FileChange } from '../../models/FileChange.js';
import { type FileHistory, type FileUnit, joinChanges } from '../changes/fileHistory.js';
import type { FileChoice } from '../changes/fileSteps.js';
import { countLines, type PatchSection, splitPatch } from '../changes/patchSections.js';
import {
  countUnlisted,
  createFileFilter,
  describeNames,
  type FileFilter,
  requireChanged,
  selectNewest,
  selectUnits,
} from '../changes/selectUnits.js';
import type { Workspace } from '../Workspace.js';

/** The lines that turns, undos or applies changed. */
export interface FilesDiff {
  /** The words for it: `turn-4`, `4..7`. Empty: no turn changed anything. */
  readonly what: string;
  /** Names of the units it is made of. */
  readonly units: readonly string[];
  /** Each file once, with the numbers of lines if they are known. */
  readonly files: readonly FileChange[];
  /** Number of changed files beyond those in `files`; absent when all are listed. */
  readonly unlisted?: number;
  /** A unified diff; paths are relative to the working folder. */
  readonly patch: string;
  /** A part of it was not saved. */
  readonly isCut: boolean;
  /** Changed files that the patch has no lines of: named like secrets, or too large. */
  readonly withoutLines: readonly string[];
  /** Names of units that are left out, since they are in copies and others are in the working folder. */
  readonly inCopies: readonly string[];
}

/** Gives kept contents, if they are at hand. */
export type OpenContents = () => Promise<Pick<Workspace, 'patch'> | undefined>;

/**
 * Shows what units changed: from the log alone where that is enough. Several units are shown as one change if the contents are
 * at hand, else one after the other.
 */
export async function diffFiles(
  history: FileHistory,
  { what, paths }: FileChoice,
  openContents: OpenContents,
): Promise<FilesDiff> {
  const filter = createFileFilter(paths);
  const selected = what === undefined ? selectNewest(history, filter) : selectUnits(history, what);
  requireChanged(selected.what, selected.units, paths);
  const here = selected.units.filter(({ copyOf }) => copyOf === undefined);
  const hasOwn = here.some(({ files }) => files.length > 0);
  const units = (hasOwn ? here : selected.units).filter(({ files }) => files.some(filter));
  const places = [...new Set(units.map(({ copyOf }) => copyOf))];
  const rounds = places
    .flatMap((place) => joinChanges(units.filter(({ copyOf }) => copyOf === place)))
    .map((files) => files.filter(filter));
  const { sections, isCut } = await readLines(units, rounds, filter, openContents);
  const shown = new Set(sections.flatMap(({ oldPath, newPath }) => [oldPath, newPath]));
  const files = countFiles(units, rounds, sections, filter);
  const unlisted = countUnlisted(units);
  return {
    what: selected.what,
    units: units.flatMap(({ names }) => names),
    files,
    ...(unlisted > 0 && { unlisted }),
    patch: sections.map(({ text }) => text).join(''),
    isCut,
    withoutLines: files.map(({ path }) => path).filter((path) => !shown.has(path)),
    inCopies: hasOwn ? namesInCopies(selected.units) : [],
  };
}

function namesInCopies(units: readonly FileUnit[]): readonly string[] {
  const changed = units.filter(({ copyOf, files }) => copyOf !== undefined && files.length > 0);
  return changed.length === 0 ? [] : describeNames(changed).split(', ');
}

interface Lines {
  readonly sections: readonly PatchSection[];
  readonly isCut: boolean;
}

async function readLines(
  units: readonly FileUnit[],
  rounds: readonly (readonly FileChange[])[],
  filter: FileFilter,
  openContents: OpenContents,
): Promise<Lines> {
  const stored: Lines = {
    sections: units.flatMap(({ patch = '' }) =>
      splitPatch(patch).filter(
        ({ oldPath, newPath }) => filter({ path: oldPath }) || filter({ path: newPath }),
      ),
    ),
    isCut: units.some(({ patchIsCut }) => patchIsCut === true),
  };
  const [only] = units;
  const isWhole =
    units.length <= 1 && !stored.isCut && !only?.files.some((file) => file.isBinary && filter(file));
  const made = isWhole ? undefined : await makeLines(rounds, openContents);
  return made !== undefined && hasLinesOf(rounds, stored, made) ? made : stored;
}

/** Whether lines that were made have every file that the log has lines of: one whose content is gone is left out of them. */
function hasLinesOf(rounds: readonly (readonly FileChange[])[], stored: Lines, made: Lines): boolean {
  const pathsIn = ({ sections }: Lines) =>
    new Set(sections.flatMap(({ oldPath, newPath }) => [oldPath, newPath]));
  const [known, shown] = [pathsIn(stored), pathsIn(made)];
  return rounds.flat().every(({ path }) => shown.has(path) || !known.has(path));
}

/** The lines from contents; undefined if one of them is not there. */
async function makeLines(
  rounds: readonly (readonly FileChange[])[],
  openContents: OpenContents,
): Promise<Lines | undefined> {
  const contents = await openContents();
  if (contents === undefined) return undefined;
  const sections: PatchSection[] = [];
  try {
    for (const files of rounds) {
      const { patch } = await contents.patch(files, { maxBytes: Number.MAX_SAFE_INTEGER, withBinary: true });
      sections.push(...splitPatch(patch));
    }
  } catch {
    // A content was let go, or belongs to another machine: the log has its own lines.
    return undefined;
  }
  return { sections, isCut: false };
}

/** Each file once. The numbers of lines of one unit are recorded, those of several are counted in the patch. */
function countFiles(
  units: readonly FileUnit[],
  rounds: readonly (readonly FileChange[])[],
  sections: readonly PatchSection[],
  filter: FileFilter,
): readonly FileChange[] {
  const [only] = units;
  if (units.length === 1 && only !== undefined) return only.files.filter(filter);
  const files = new Map(rounds.flat().map((file) => [file.path, file]));
  return [...files.values()].map((file) => {
    const own = sections.filter(({ newPath }) => newPath === file.path).map(countLines);
    if (own.length === 0 || file.isBinary) return file;
    const added = own.reduce((sum, lines) => sum + lines.added, 0);
    const removed = own.reduce((sum, lines) => sum + lines.removed, 0);
    return { ...file, added, removed };
  });
}
