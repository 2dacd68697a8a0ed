import { type FileUnit, keyOf } from '../../../conversation/files/fileHistory.js';
import type { FileChange } from '../../../models/FileChange.js';
import { isSecretPath } from '../../../utils/isSecretPath.js';
import { countLines, type PatchSection, splitPatch } from '../../../utils/patchSections.js';
import type { ChangedFileShown, FileNote, PatchOfUnit } from '../wire.js';

/** Characters of all patches in one answer. */
const MOST_CHARACTERS = 4 * 1024 * 1024;

/** A file in one unit, and its part of the patch. */
interface FileInUnit {
  readonly unit: FileUnit;
  readonly file: FileChange;
  readonly section?: PatchSection | undefined;
  readonly note?: FileNote | undefined;
}

/** Shows each file once, with the lines that the units recorded of it. `net`: keys of the files that count; all by default. */
export function showFiles(
  units: readonly FileUnit[],
  net: ReadonlySet<string> | undefined,
): readonly ChangedFileShown[] {
  const files = new Map<string, FileInUnit[]>();
  for (const found of units.flatMap(readUnit)) {
    const key = keyOf(found.file);
    if (net === undefined || net.has(key)) files.set(key, [...(files.get(key) ?? []), found]);
  }
  let room = MOST_CHARACTERS;
  return [...files.values()].map((steps) => {
    const shown = showFile(steps);
    const size = shown.parts.reduce((sum, { patch }) => sum + patch.length, 0);
    if (size > room) return { ...shown, parts: [], note: 'too-much' as const };
    room -= size;
    return shown;
  });
}

function readUnit(unit: FileUnit): readonly FileInUnit[] {
  const sections = splitPatch(unit.patch ?? '');
  const byPath = new Map(sections.map((section) => [section.newPath, section]));
  const moved = new Set(
    sections.filter(({ oldPath, newPath }) => oldPath !== newPath).map(({ oldPath }) => oldPath),
  );
  return unit.files.map((file) => {
    const section = byPath.get(file.path);
    if (section !== undefined && !file.isBinary)
      return { unit, file, section, note: isCut(unit, file, section) ? 'cut' : undefined };
    return { unit, file, note: reasonFor(file, unit, moved) };
  });
}

/** Whether lines of this file are missing: a patch is cut at the end of a file, unless the first alone is too long. */
function isCut(
  { patchIsCut }: FileUnit,
  { added = 0, removed = 0 }: FileChange,
  section: PatchSection,
): boolean {
  if (!patchIsCut) return false;
  const shown = countLines(section);
  return shown.added < added || shown.removed < removed;
}

/** The reason why there are no lines of a file. */
function reasonFor(file: FileChange, { patchIsCut }: FileUnit, moved: ReadonlySet<string>): FileNote {
  const { path, change, before, after } = file;
  if (moved.has(path)) return 'moved';
  if (isSecretPath(path)) return 'secret';
  if (file.isBinary) return 'binary';
  if (change === 'update' && before?.id === after?.id && before?.mode !== after?.mode) return 'mode';
  return patchIsCut && file.isKept !== false ? 'cut' : 'not-kept';
}

function showFile(steps: readonly FileInUnit[]): ChangedFileShown {
  const [first, last] = [steps[0]?.file, steps.at(-1)?.file];
  const parts = steps.flatMap(({ unit, section }): PatchOfUnit[] =>
    section === undefined ? [] : [{ unit: unit.names.join(', '), patch: section.text }],
  );
  const note = steps.find((step) => step.note !== undefined)?.note;
  return {
    path: last?.path ?? '',
    change: joinKinds(first?.change, last?.change),
    added: sum(steps, 'added'),
    removed: sum(steps, 'removed'),
    units: steps.map(({ unit }) => unit.names.join(', ')),
    parts,
    ...(note && { note }),
  };
}

/** The kind of several changes of one file together. */
function joinKinds(
  first: FileChange['change'] = 'update',
  last: FileChange['change'] = 'update',
): FileChange['change'] {
  if (last === 'delete') return 'delete';
  return first === 'add' ? 'add' : 'update';
}

function sum(steps: readonly FileInUnit[], field: 'added' | 'removed'): number {
  return steps.reduce((total, { file }) => total + (file[field] ?? 0), 0);
}
