import { HuddleError } from '../../models/errors.js';
import type { FileChange } from '../../models/FileChange.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';
import { type FileHistory, type FileUnit, keyOf } from './fileHistory.js';
import type { FileChoice } from './fileSteps.js';
import { createFileFilter, requireChanged, requireListed, requireRecordedHere } from './namedFiles.js';
import { joinChanges } from './netChanges.js';
import { selectNewest, selectUnits } from './selectUnits.js';

/** Files to commit, as the last of their turns left them. */
export interface CommittedFiles {
  readonly what: string;
  /** Units that changed the files. */
  readonly units: readonly FileUnit[];
  readonly files: readonly FileChange[];
}

/** Chooses the files that turns and applies changed in the working folder, without what is undone. Throws `IN_A_COPY`, or `CONTENT_NOT_KEPT`
 * if there are files that are not listed. */
export function filesToCommit(history: FileHistory, { what, paths }: FileChoice): CommittedFiles {
  const filter = createFileFilter(paths);
  const selected = what === undefined ? selectNewest(history, filter) : selectUnits(history, what);
  requireRecordedHere('commit', history, selected);
  const units = selected.units
    .filter(({ by, copyOf }) => by.kind !== 'undo' && copyOf === undefined)
    .map((unit) => ({ ...unit, files: unit.files.filter((file) => !unit.undone.has(keyOf(file))) }))
    .filter(({ files }) => files.some(filter));
  if (units.length === 0 && selected.units.some(({ copyOf }) => copyOf !== undefined))
    throw new HuddleError('IN_A_COPY', { what: selected.what });
  requireChanged(selected.what, selected.units, paths);
  requireListed(selected.what, units, paths);
  const files = new Map<string, FileChange>();
  for (const file of joinChanges(units).flat())
    if (filter(file)) {
      const { before } = files.get(keyOf(file)) ?? file;
      files.set(keyOf(file), { ...file, before });
    }
  const isLasting = (unit: FileUnit) => unit.files.some((file) => files.has(keyOf(file)));
  return { what: selected.what, units: units.filter(isLasting), files: [...files.values()] };
}

/** Lines for the end of a commit message: the session, and the turns that changed the files. */
export function describeTrailers(
  sessionId: string,
  units: readonly FileUnit[],
  { members, turns }: FileHistory,
): readonly string[] {
  const names = units.flatMap(({ by, names: own }) => (by.kind === 'apply' ? by.of : own));
  const lines = [...new Set(names)].map((name) => {
    const member = members.find(({ id }) => id === turns.find(name)?.memberId);
    const facts = [member?.agentType, member?.model].filter((fact) => fact !== undefined);
    const details = facts.length === 0 ? '' : ` (${facts.join(', ')})`;
    return `Huddle-Turn: ${name.replace(/^turn-/u, '')} ${member?.name ?? ''}${details}`;
  });
  return [`Huddle-Session: ${sessionId}`, ...lines].map((line) => sanitizeToOneLine(line).trim());
}
