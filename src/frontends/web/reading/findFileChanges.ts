import {
  type FileHistory,
  type FileUnit,
  keyOf,
  readFileHistory,
} from '../../../conversation/files/fileHistory.js';
import { countUnlisted } from '../../../conversation/files/namedFiles.js';
import { joinChanges } from '../../../conversation/files/netChanges.js';
import type { RecordedEvent } from '../../../models/ConversationEvent.js';
import { HuddleError } from '../../../models/errors.js';
import type { NotRecorded } from '../../../models/FileChange.js';
import { namesIn, showMembers } from '../../../presentation/Telling.js';
import type { ChangedFileShown, ChangeUnit, FileChanges } from '../wire.js';
import type { ReadEvents } from './ReadingQuestion.js';
import { ReportedChanges } from './ReportedChanges.js';
import { showFiles } from './showFiles.js';

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
    ...(reason && { reason }),
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
      ...(copyOf !== undefined && { copyOf: nameOf(copyOf) }),
      ...(isLate && { isLate }),
      ...(files.length > 0 && files.every((file) => undone.has(keyOf(file))) && { isUndone: true }),
    }),
  );
  return { units: described, unlisted: 0, inCopies: [] };
}
