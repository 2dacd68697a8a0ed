import type { FileState } from '../../models/FileChange.js';
import { isSameState } from '../changes/fileHistory.js';
import { type BytePath, foldersAbove } from '../paths.js';
import type { CarryStep, PlannedFile } from '../Workspace.js';

/** A path as it was found in the folder. */
export interface FoundPath {
  /** Absent: nothing is there, or a folder. */
  readonly state?: FileState | undefined;
  /** Everything but folders below it, if it is a folder. */
  readonly holds?: readonly BytePath[] | undefined;
  /** A file or a link in the place of a folder above it: so it is not there. */
  readonly beyond?: BytePath | undefined;
}

/** Contents that can be got at, and what comes of two changes of one. */
export interface KeptContents {
  has(id: string): boolean;
  /** The id of the content with both changes; none if they touch the same lines, or it is not text. */
  merge(path: BytePath, contents: ThreeContents): Promise<string | undefined>;
}

export interface ThreeContents {
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
}

type Outcome =
  | { readonly kind: 'state'; readonly state: FileState | undefined; readonly isMerged: boolean }
  | { readonly kind: 'conflict' | 'not-kept' };

/** Kinds of files, as git writes their modes. */
export const FILE_MODE = '100644';
export const EXECUTABLE_MODE = '100755';
export const LINK_MODE = '120000';

/** Works out what becomes of each path when all its steps are taken, one after another. */
export async function planCarry(
  steps: ReadonlyMap<BytePath, readonly CarryStep[]>,
  found: ReadonlyMap<BytePath, FoundPath>,
  contents: KeptContents,
): Promise<ReadonlyMap<BytePath, PlannedFile>> {
  const plan = new Map<BytePath, PlannedFile>();
  for (const [name, ofPath] of steps) {
    const now = found.get(name)?.state;
    plan.set(name, plannedFile(ofPath, now, await takeSteps(name, now, ofPath, contents)));
  }
  for (const [name, file] of plan)
    if (file.after !== undefined && isInTheWay(name, found.get(name), plan))
      plan.set(name, { ...file, action: 'conflict', after: undefined });
  return plan;
}

function plannedFile(
  [step]: readonly CarryStep[],
  now: FileState | undefined,
  outcome: Outcome,
): PlannedFile {
  const file = { path: step?.path ?? '', bytes: step?.bytes, now };
  if (outcome.kind !== 'state') return { ...file, action: outcome.kind };
  const { state: after, isMerged } = outcome;
  if (isSameState(now, after)) return { ...file, action: 'none', after };
  if (after === undefined) return { ...file, action: 'remove' };
  return { ...file, action: isMerged ? 'merge' : 'write', after };
}

/**
 * Follows the steps from where the file is now. A file that is nowhere on the way was changed since; that change is kept if
 * it is in other lines. A file that is where the steps lead from their first state was carried already.
 */
async function takeSteps(
  path: BytePath,
  now: FileState | undefined,
  steps: readonly CarryStep[],
  contents: KeptContents,
): Promise<Outcome> {
  const follow = (from: FileState | undefined, rest: readonly CarryStep[]): Promise<Outcome> =>
    followSteps(path, from, rest, contents);
  if (isSameState(now, steps[0]?.from)) return follow(now, steps);
  const target = await follow(steps[0]?.from, steps);
  if (target.kind === 'state' && isSameState(target.state, now)) return stateOutcome(now);
  const reached = steps.findLastIndex(({ from, to }) => isSameState(from, now) || isSameState(to, now));
  return follow(now, steps.slice(Math.max(reached, 0)));
}

async function followSteps(
  path: BytePath,
  start: FileState | undefined,
  steps: readonly CarryStep[],
  contents: KeptContents,
): Promise<Outcome> {
  let state = start;
  let isMerged = false;
  for (const { from, to } of steps) {
    if (isSameState(state, to)) continue;
    if (isSameState(state, from)) {
      state = to;
      continue;
    }
    const merged = await mergeStates(path, { base: from, ours: state, theirs: to }, contents);
    if (merged.kind !== 'state') return merged;
    state = merged.state;
    isMerged = true;
  }
  const isThere = state === undefined || state.id === start?.id || contents.has(state.id);
  return isThere ? stateOutcome(state, isMerged) : { kind: 'not-kept' };
}

interface ThreeStates {
  readonly base: FileState | undefined;
  readonly ours: FileState | undefined;
  readonly theirs: FileState | undefined;
}

async function mergeStates(
  path: BytePath,
  { base, ours, theirs }: ThreeStates,
  contents: KeptContents,
): Promise<Outcome> {
  if (base === undefined || ours === undefined || theirs === undefined) return { kind: 'conflict' };
  const links = [base, ours, theirs].filter(({ mode }) => mode === LINK_MODE).length;
  const mode = pickChange(base.mode, ours.mode, theirs.mode);
  if (mode === undefined || (links !== 0 && links !== 3)) return { kind: 'conflict' };
  const picked = pickChange(base.id, ours.id, theirs.id);
  if (picked !== undefined) return stateOutcome({ mode, id: picked }, true);
  if (links !== 0) return { kind: 'conflict' };
  if (!contents.has(base.id) || !contents.has(theirs.id)) return { kind: 'not-kept' };
  const id = await contents.merge(path, { base: base.id, ours: ours.id, theirs: theirs.id });
  return id === undefined ? { kind: 'conflict' } : stateOutcome({ mode, id }, true);
}

/** The value that one side changed; none if both did. */
function pickChange(base: string, ours: string, theirs: string): string | undefined {
  if (ours === base) return theirs;
  return theirs === base || theirs === ours ? ours : undefined;
}

/** Whether something that stays stands where the file, or a folder above it, is to be. */
function isInTheWay(
  name: BytePath,
  found: FoundPath | undefined,
  plan: ReadonlyMap<BytePath, PlannedFile>,
): boolean {
  const leaves = (other: BytePath): boolean => plan.get(other)?.action === 'remove';
  if (found?.beyond !== undefined && !leaves(found.beyond)) return true;
  if (found?.holds?.some((other) => !leaves(other)) === true) return true;
  return foldersAbove(name).some((folder) => plan.get(folder)?.after !== undefined);
}

function stateOutcome(state: FileState | undefined, isMerged = false): Outcome {
  return { kind: 'state', state, isMerged };
}
