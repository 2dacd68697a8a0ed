import {
  type FileHistory,
  type FileUnit,
  joinChanges,
  keyOf,
  readFileHistory,
} from '../../../files/changes/fileHistory.js';
import { countLines, type PatchSection, splitPatch } from '../../../files/changes/patchSections.js';
import { countUnlisted } from '../../../files/changes/selectUnits.js';
import type { RecordedEvent } from '../../../models/ConversationEvent.js';
import { HuddleError } from '../../../models/errors.js';
import type { FileChange, NotRecorded } from '../../../models/FileChange.js';
import { namesIn, showMembers } from '../../../presentation/Telling.js';
import { isSecretPath } from '../../../utils/isSecretPath.js';
import type { ChangedFileShown, ChangeUnit, FileChanges, FileNote, PatchOfUnit } from '../wire.js';
import type { ReadEvents } from './ReadingQuestion.js';

/** As many as a page lists. */
const MOST_FILES = 2000;

/**
 * Finds the files that a turn, an undo or an apply changed, or all of them together, in the records of the log alone. Without
 * records, the names that agents reported. Rejects with `UNKNOWN_TURN`.
 */
export async function findFileChanges(read: ReadEvents, name?: string): Promise<FileChanges> {
  const reported = new ReportedChanges();
  const reasons: NotRecorded[] = [];
  const history = await readFileHistory(
    tap(read(), (event) => {
      reported.note(event);
      if (event.type === 'notice' && event.code === 'files-not-recorded' && event.reason !== 'elsewhere')
        reasons.push(event.reason);
    }),
  );
  const units =
    name === undefined ? history.units.filter(({ by }) => by.kind !== 'others') : named(history, name);
  if (units.length > 0) return describeChanges(history, units, name === undefined);
  const reason = reasons.at(-1);
  return {
    ...describeUnits(history, []),
    files: reported.list(name),
    isReportedOnly: true,
    reason,
  };
}

async function* tap(
  events: AsyncIterable<RecordedEvent>,
  note: (event: RecordedEvent) => void,
): AsyncGenerator<RecordedEvent> {
  for await (const event of events) {
    note(event);
    yield event;
  }
}

function named({ units, turns }: FileHistory, name: string): readonly FileUnit[] {
  const found = units.filter(({ names }) => names.includes(name));
  if (found.length === 0 && turns.find(name) === undefined)
    throw new HuddleError('UNKNOWN_TURN', { turnId: name });
  return found;
}

/** Describes units that are in one place: in the folder itself if any is, or if all are asked for, and names those in copies then. */
function describeChanges(history: FileHistory, selected: readonly FileUnit[], isWhole: boolean): FileChanges {
  const changed = selected.filter(({ files, unlisted = 0 }) => files.length + unlisted > 0);
  const here = changed.filter(({ copyOf }) => copyOf === undefined);
  const units = isWhole || here.length > 0 ? here : changed;
  const inCopies = changed.filter((unit) => !units.includes(unit)).flatMap(({ names }) => names);
  const files = showFiles(units, findNet(units)).toSorted(byPath);
  return {
    ...describeUnits(history, units),
    files: files.slice(0, MOST_FILES),
    unlisted: countUnlisted(units) + Math.max(0, files.length - MOST_FILES),
    inCopies,
    isReportedOnly: false,
  };
}

/** Keys of the files that are not as they were before; undefined: all count, since there is one unit. */
function findNet(units: readonly FileUnit[]): ReadonlySet<string> | undefined {
  if (units.length < 2) return undefined;
  const places = [...new Set(units.map(({ copyOf }) => copyOf))];
  const net = places.flatMap((place) => joinChanges(units.filter(({ copyOf }) => copyOf === place)).flat());
  return new Set(net.map(keyOf));
}

function byPath(one: ChangedFileShown, other: ChangedFileShown): number {
  return one.path < other.path ? -1 : Number(one.path > other.path);
}

function describeUnits(
  { members }: FileHistory,
  units: readonly FileUnit[],
): Pick<FileChanges, 'units' | 'unlisted' | 'inCopies'> {
  const nameOf = namesIn({ members: showMembers(members) });
  const described = units.map(
    ({ names, memberIds, copyOf, isLate, files, undone }): ChangeUnit => ({
      name: names.join(', '),
      memberName: memberIds.map(nameOf).join(', '),
      copyOf: copyOf && nameOf(copyOf),
      isLate,
      ...(files.length > 0 && files.every((file) => undone.has(keyOf(file))) && { isUndone: true }),
    }),
  );
  return { units: described, unlisted: 0, inCopies: [] };
}

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
function showFiles(
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
    note,
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

/** The files that agents said they changed, by turn. Their lines are not known. */
class ReportedChanges {
  readonly #turns = new Map<string, Map<string, ChangedFileShown['change']>>();

  note(event: RecordedEvent): void {
    if (event.type !== 'turn-activity' || event.event.type !== 'file-change') return;
    const { path, change } = event.event;
    const files = this.#turns.get(event.turnId) ?? new Map();
    this.#turns.set(event.turnId, files.set(path, change));
  }

  /** Lists the files of one turn, or of all. */
  list(turnId?: string): readonly ChangedFileShown[] {
    const found = new Map<string, ChangedFileShown>();
    for (const [turn, files] of this.#turns) {
      if (turnId !== undefined && turn !== turnId) continue;
      for (const [path, change] of files) {
        const units = [...(found.get(path)?.units ?? []), turn];
        found.set(path, { path, change, added: 0, removed: 0, units, parts: [] });
      }
    }
    return [...found.values()];
  }
}
