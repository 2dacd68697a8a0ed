import type {
  ChangeSource,
  RecentChanges,
  RecentFile,
  RecentRecord,
  SourceTurn,
} from '../../conversation/recentChanges.js';
import type { MemberId } from '../../models/ids.js';
import { plainName } from '../../utils/plainName.js';

/** Lines about changed files, and the number of those that have none. */
export interface DescribedFiles {
  /** The file that changed last comes first. */
  readonly lines: readonly string[];
  readonly unlisted: number;
}

/** Changes of one file in a row by the same member, or in the same way. */
interface FileStep {
  readonly by: ChangeSource;
  readonly isLate: boolean;
  readonly changes: RecentFile[];
  /** Turns of a member that changed it several times. */
  readonly turns: SourceTurn[];
}

const MOST_STEPS = 3;
const MOST_TURNS = 5;

/** Describes each file that the records name in a line. */
export function describeChangedFiles(
  changes: RecentChanges,
  records: readonly RecentRecord[],
): DescribedFiles {
  const byPath = new Map<string, FileStep[]>();
  const undone = new Map<string, Set<string>>();
  for (const record of records.toReversed()) {
    for (const file of record.files) {
      const steps = byPath.get(file.path) ?? [];
      byPath.set(file.path, steps);
      const gone = undone.get(file.path) ?? new Set();
      undone.set(file.path, gone);
      if (unitsOf(record.by).some((unit) => gone.has(unit))) continue;
      if (record.by.kind === 'undo') for (const unit of record.by.of) gone.add(unit);
      addStep(steps, record, file);
    }
  }
  return {
    lines: [...byPath].map(([path, steps]) => `- ${plainName(path)}: ${describeSteps(changes, steps)}`),
    unlisted: records.reduce((sum, { unlisted = 0 }) => sum + unlisted, 0),
  };
}

export function nameIn({ names }: RecentChanges, memberId: MemberId | undefined): string {
  return memberId === undefined ? 'someone' : plainName(names.get(memberId) ?? memberId);
}

/** Names by which an undo can put this back. */
function unitsOf(by: ChangeSource): readonly string[] {
  if (by.kind === 'turns') return by.turns.map(({ turnId }) => turnId);
  return by.kind === 'others' ? [] : [by.id];
}

/** Adds a change that came before the steps there are. */
function addStep(steps: FileStep[], record: RecentRecord, file: RecentFile): void {
  const { by } = record;
  const isLate = record.isLate === true;
  const next = steps.at(-1);
  if (next !== undefined && isLate === next.isLate && isAlike(by, next.by)) {
    next.changes.unshift(file);
    if (by.kind === 'turns') next.turns.unshift(...by.turns);
  } else steps.push({ by, isLate, changes: [file], turns: by.kind === 'turns' ? [...by.turns] : [] });
}

function isAlike(one: ChangeSource, other: ChangeSource): boolean {
  if (one.kind === 'others') return other.kind === 'others';
  if (one.kind !== 'turns' || other.kind !== 'turns') return false;
  const [member, ...more] = one.turns;
  return more.length === 0 && other.turns.length === 1 && other.turns[0]?.memberId === member?.memberId;
}

/** The steps as they happened; of many, the last. */
function describeSteps(changes: RecentChanges, steps: readonly FileStep[]): string {
  return steps
    .slice(0, MOST_STEPS)
    .reverse()
    .map((step) => describeStep(changes, step))
    .join('; ');
}

function describeStep(changes: RecentChanges, step: FileStep): string {
  const { by } = step;
  switch (by.kind) {
    case 'turns':
      return describeTurns(changes, by.turns, step);
    case 'others':
      return `${verbFor(step)} between turns, by a person or a program`;
    case 'undo':
      return `put back by ${nameIn(changes, by.memberId)}, who undid ${listUnits(by.of)}`;
    case 'apply':
      return `${verbFor(step)} by ${nameIn(changes, by.memberId)}, who applied ${listUnits(by.of)}${countLines(step)}`;
  }
}

function describeTurns(changes: RecentChanges, together: readonly SourceTurn[], step: FileStep): string {
  const names = [...new Set(together.map(({ memberId }) => nameIn(changes, memberId)))].join(' or ');
  const turns = listUnits(step.turns.map(({ turnId }) => turnId));
  const doubt = [
    ...(together.length > 1 ? [', which ran at the same time'] : []),
    ...(step.isLate ? [', or by someone else at that time'] : []),
  ].join('');
  return `${verbFor(step)} by ${names} in ${turns}${doubt}${countLines(step)}`;
}

function verbFor({ changes }: FileStep): string {
  if (changes.at(-1)?.change === 'delete') return 'deleted';
  return changes[0]?.change === 'add' ? 'added' : 'changed';
}

function countLines({ changes }: FileStep): string {
  if (changes.some(({ isBinary }) => isBinary)) return ' (binary)';
  if (changes.some(({ added, removed }) => added === undefined || removed === undefined)) return '';
  const sum = (count: (file: RecentFile) => number | undefined) =>
    changes.reduce((total, file) => total + (count(file) ?? 0), 0);
  return ` (+${sum(({ added }) => added)} -${sum(({ removed }) => removed)})`;
}

/** `turn-3`, `turn-3 and turn-5`, `turn-3, turn-4 and 7 more`. */
function listUnits(ids: readonly string[]): string {
  const shown = ids.slice(0, ids.length > MOST_TURNS ? MOST_TURNS - 1 : MOST_TURNS).map(plainName);
  const last = ids.length > MOST_TURNS ? `${ids.length - shown.length} more` : (shown.pop() ?? 'nothing');
  return shown.length === 0 ? last : `${shown.join(', ')} and ${last}`;
}
